import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { SourceTrades } from "../../../../src/cex/ExchangeSource.ts"
import type { Tape } from "../CoinbaseStub.ts"
import { evenTape, from, ids, latest, market, range, start, withExchange, withSandbox } from "../Sandbox.ts"
import type { Answer } from "../StubExchange.ts"
import { json } from "../StubExchange.ts"

const pages = (requests: ReadonlyArray<string>) => requests.filter((path) => path.includes("/trades"))

const below = (tape: Tape, id: number) => ({ before: Option.some({ id: `${id}`, timestamp: tape.getTime(id) }) })

describe("trades before a known one, where ids are a sequence", () => {
  const tape = evenTape(9000)

  it.live("are the newest ones before it, and only their pages are read", () =>
    withSandbox(tape, (source, stub) =>
      Effect.gen(function* () {
        const few = yield* source.trades("sandbox", market, { ...latest(5), ...below(tape, 4000) })
        assert.deepStrictEqual([ids(few), few.completeness], [range(3995, 3999), "complete"])
        assert.deepStrictEqual(pages(stub.requests), ["/products/BTC-USD/trades?limit=5&after=4000"])
        const many = yield* source.trades("sandbox", market, { ...latest(2500), ...below(tape, 4000) })
        assert.deepStrictEqual([ids(many), many.completeness], [range(1500, 3999), "complete"])
        assert.strictEqual(pages(stub.requests).length, 4)
      })
    )
  )

  it.live("are empty and complete before the first trade, without a request for a page", () =>
    withSandbox(tape, (source, stub) =>
      Effect.gen(function* () {
        const none: SourceTrades = { trades: [], completeness: "complete" }
        assert.deepStrictEqual(yield* source.trades("sandbox", market, { ...latest(5), ...below(tape, 1) }), none)
        const later = { ...from(tape.getTime(7) + 1, 5), ...below(tape, 7) }
        assert.deepStrictEqual(yield* source.trades("sandbox", market, later), none)
        assert.deepStrictEqual(pages(stub.requests), [])
      })
    )
  )

  it.live("since a time end right before the known trade", () =>
    withSandbox(tape, (source) =>
      Effect.gen(function* () {
        for (const [first, known] of [
          [3990, 4000],
          [3999, 4000],
          [4000, 4000],
          [2500, 4000],
          [17, 8000],
          [1, 2]
        ] as const) {
          for (const limit of [1, 10, 3000]) {
            const request = { ...from(tape.getTime(first), limit), ...below(tape, known) }
            const found = yield* source.trades("sandbox", market, request)
            assert.deepStrictEqual(ids(found), range(first, Math.min(first + limit, known) - 1), `${first} ${limit}`)
            assert.strictEqual(found.completeness, "complete")
          }
        }
      })
    )
  )

  it.live("are incomplete if the exchange omits the trades next to the known one", () =>
    withSandbox({ ...tape, left: new Set(range(3000, 3999)) }, (source) =>
      Effect.gen(function* () {
        const newest = yield* source.trades("sandbox", market, { ...latest(5), ...below(tape, 4000) })
        assert.deepStrictEqual([ids(newest), newest.completeness], [range(2995, 2999), "incomplete"])
        const since = { ...from(tape.getTime(2990), 50), ...below(tape, 4000) }
        const older = yield* source.trades("sandbox", market, since)
        assert.deepStrictEqual([ids(older), older.completeness], [range(2990, 2999), "incomplete"])
      })
    )
  )

  it.live("of its own millisecond come before it by id", () => {
    const instant: Tape = { last: 2000, getTime: () => start }
    return withSandbox(instant, (source) =>
      Effect.gen(function* () {
        const found = yield* source.trades("sandbox", market, { ...from(start, 3000), ...below(instant, 1500) })
        assert.deepStrictEqual([ids(found), found.completeness], [range(1, 1499), "complete"])
      })
    )
  })
})

interface Row {
  readonly tid: number
  readonly timestampms: number
}

const row = ({ tid, timestampms }: Row) => ({
  timestamp: Math.floor(timestampms / 1000),
  timestampms,
  tid,
  price: "20000.00",
  amount: "0.01",
  exchange: "gemini",
  type: "buy"
})

/** Four trades, newest first; the middle two share a millisecond. */
const page: Answer = () =>
  json(
    [
      { tid: 940, timestampms: start + 3000 },
      { tid: 30, timestampms: start + 2000 },
      { tid: 20, timestampms: start + 2000 },
      { tid: 1, timestampms: start + 1000 }
    ].map(row)
  )

describe("trades before a known one, where only times order them", () => {
  it.live("are those that precede it in the page, or those of earlier milliseconds", () =>
    withExchange("gemini", "btcusd", page, (source) =>
      Effect.gen(function* () {
        const before = (id: string, ms: number) => ({ before: Option.some({ id, timestamp: start + ms }) })
        const read = (request: Parameters<typeof source.trades>[2]) =>
          Effect.map(source.trades("timed", market, request), (found) => [ids(found), found.completeness])
        assert.deepStrictEqual(yield* read({ ...latest(2), ...before("30", 2000) }), [[1, 20], "unverifiable"])
        assert.deepStrictEqual(yield* read({ ...latest(9), ...before("30", 2000) }), [[1, 20], "incomplete"])
        assert.deepStrictEqual(yield* read({ ...latest(1), ...before("25", 2000) }), [[1], "unverifiable"])
        assert.deepStrictEqual(yield* read({ ...latest(9), ...before("1", 1000) }), [[], "incomplete"])
        const since = from(start + 1500, 9)
        assert.deepStrictEqual(yield* read({ ...since, ...before("30", 2000) }), [[20], "unverifiable"])
        assert.deepStrictEqual(yield* read({ ...since, ...before("940", 3000) }), [[20, 30], "unverifiable"])
      })
    )
  )
})
