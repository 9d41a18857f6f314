import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { coinbaseTrade } from "../CoinbaseStub.ts"
import type { Tape } from "../CoinbaseStub.ts"
import { evenTape, from, ids, latest, market, range, start, withSandbox } from "../Sandbox.ts"
import { json } from "../StubExchange.ts"

const pages = (requests: ReadonlyArray<string>) => requests.filter((path) => path.includes("/trades"))

/** A million trades at an uneven rate: bursts of up to 40 in a millisecond, quiet hours between. */
const million: Tape = {
  last: 1_000_000,
  getTime: (id) => start + Math.floor(id / 40) * 3 + Math.floor(id / 100_000) * 3_600_000
}

describe("trades of an exchange with sequential ids", () => {
  it.live("are the newest ones, oldest first, with the exchange's digits and the taker's side", () =>
    withSandbox(evenTape(30), (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("sandbox", market, latest(2))
        assert.deepStrictEqual(result, {
          completeness: "complete",
          trades: [
            {
              id: "29",
              timestamp: start + 29_000,
              price: "20029.29",
              size: "0.0000003",
              cost: "0.006008787",
              side: "buy"
            },
            {
              id: "30",
              timestamp: start + 30_000,
              price: "20030.3",
              size: "0.00000031",
              cost: "0.006209393",
              side: "sell"
            }
          ]
        })
      })
    )
  )

  it.live("come in pages when more are asked for than one page holds", () =>
    withSandbox(evenTape(12_345), (source, stub) =>
      Effect.gen(function* () {
        const result = yield* source.trades("sandbox", market, latest(5000))
        assert.deepStrictEqual(ids(result), range(7346, 12_345))
        assert.strictEqual(result.completeness, "complete")
        assert.strictEqual(pages(stub.requests).length, 5)
      })
    )
  )

  it.live("are all there are when the tape is shorter than asked for", () =>
    withSandbox(evenTape(1500), (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("sandbox", market, latest(50_000))
        assert.deepStrictEqual(ids(result), range(1, 1500))
        assert.strictEqual(result.completeness, "complete")
      })
    )
  )

  it.live("are empty and complete in a market without a trade", () =>
    withSandbox(evenTape(0), (source) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* source.trades("sandbox", market, latest(10)), {
          trades: [],
          completeness: "complete"
        })
        assert.deepStrictEqual(yield* source.trades("sandbox", market, from(start, 10)), {
          trades: [],
          completeness: "complete"
        })
      })
    )
  )

  it.live("with ids left out are filled up and called incomplete", () =>
    withSandbox({ ...evenTape(5000), left: new Set([4990, ...range(3000, 3999)]) }, (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("sandbox", market, latest(1500))
        assert.deepStrictEqual(ids(result), [...range(2500, 2999), ...range(4000, 4989), ...range(4991, 5000)])
        assert.strictEqual(result.completeness, "incomplete")
        const beside = yield* source.trades("sandbox", market, latest(10))
        assert.strictEqual(beside.completeness, "complete")
      })
    )
  )

  it.live("from a time are found among a million by search, all 50,000 and no other", () =>
    withSandbox(million, (source, stub) =>
      Effect.gen(function* () {
        const since = million.getTime(123_456)
        const first = range(123_400, 123_456).find((id) => million.getTime(id) >= since) ?? 0
        const result = yield* source.trades("sandbox", market, from(since, 50_000))
        assert.strictEqual(result.completeness, "complete")
        assert.deepStrictEqual(ids(result), range(first, first + 49_999))
        assert.isBelow(pages(stub.requests).length, 51 + 21)
      })
    )
  )

  it.live("from any time begin with the first trade at or after it", () =>
    withSandbox(million, (source, stub) =>
      Effect.gen(function* () {
        for (const id of [1, 2, 39, 40, 41, 99_999, 100_000, 100_001, 500_017, 999_000, 999_960, 999_999, 1_000_000]) {
          for (const offset of [-1, 0, 1]) {
            const since = million.getTime(id) + offset
            let first = Math.max(id - 45, 1)
            while (first <= million.last && million.getTime(first) < since) first++
            const result = yield* source.trades("sandbox", market, from(since, 45))
            assert.deepStrictEqual(ids(result), range(first, Math.min(first + 44, million.last)), `${id} ${offset}`)
            assert.strictEqual(result.completeness, "complete")
          }
        }
        // Positions from earlier searches narrow the next one.
        assert.isBelow(pages(stub.requests).length, 3 * 13 * 5)
      })
    )
  )

  it.live("from before the first or after the last are the first ones, or none", () =>
    withSandbox(evenTape(5000), (source) =>
      Effect.gen(function* () {
        const early = yield* source.trades("sandbox", market, from(0, 3))
        assert.deepStrictEqual([ids(early), early.completeness], [[1, 2, 3], "complete"])
        const late = yield* source.trades("sandbox", market, from(start + 5_000_001, 3))
        assert.deepStrictEqual([ids(late), late.completeness], [[], "complete"])
      })
    )
  )

  it.live("from a time before the oldest that the exchange still serves are called incomplete", () =>
    withSandbox({ ...evenTape(9000), left: new Set(range(1, 6000)) }, (source) =>
      Effect.gen(function* () {
        const result = yield* source.trades("sandbox", market, from(start + 100_000, 10))
        assert.deepStrictEqual([ids(result), result.completeness], [range(6001, 6010), "incomplete"])
        const whole = yield* source.trades("sandbox", market, from(start + 7_000_000, 10))
        assert.deepStrictEqual([ids(whole), whole.completeness], [range(7000, 7009), "complete"])
      })
    )
  )

  it.live("of one millisecond are in the order of their ids as integers, each once", () => {
    const instant: Tape = { last: 200, getTime: () => start }
    const rows = [9, 100, 11, 99, 10, 11].map((id) => coinbaseTrade(instant, id))
    return withSandbox(
      instant,
      (source) =>
        Effect.gen(function* () {
          const result = yield* source.trades("sandbox", market, latest(5))
          assert.deepStrictEqual(ids(result), [9, 10, 11, 99, 100])
          assert.strictEqual(result.completeness, "incomplete")
        }),
      { over: (path) => (path.endsWith("/trades") ? json(rows) : undefined) }
    )
  })

  it.live("that are sent twice with different content have the first version", () => {
    const tape = evenTape(9)
    const row = coinbaseTrade(tape, 9)
    return withSandbox(
      tape,
      (source) =>
        Effect.gen(function* () {
          const { trades } = yield* source.trades("sandbox", market, latest(1))
          assert.strictEqual(trades.at(-1)?.price, "20009.09")
        }),
      { over: (path) => (path.endsWith("/trades") ? json([row, { ...row, price: "1" }]) : undefined) }
    )
  })
})

describe("a newest page that is older than one before", () => {
  it.live("is incomplete, unless it covers all requested trades", () => {
    const now = evenTape(5000)
    let isCached = false
    return withSandbox(
      now,
      (source) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* source.trades("sandbox", market, latest(3))).completeness, "complete")
          isCached = true
          const stale = yield* source.trades("sandbox", market, latest(3))
          assert.deepStrictEqual([ids(stale), stale.completeness], [[4898, 4899, 4900], "incomplete"])
          const end = yield* source.trades("sandbox", market, from(start + 4_899_000, 10))
          assert.deepStrictEqual([ids(end), end.completeness], [[4899, 4900], "incomplete"])
          const before = yield* source.trades("sandbox", market, from(start + 100_000, 3))
          assert.deepStrictEqual([ids(before), before.completeness], [[100, 101, 102], "complete"])
        }),
      {
        over: (path, query) =>
          isCached && path.endsWith("/trades") && !query.has("after")
            ? json(
                range(4801, 4900)
                  .map((id) => coinbaseTrade(now, id))
                  .toReversed()
              )
            : undefined,
        limits: { freshMs: 0 }
      }
    )
  })
})

describe("callers with equal requests", () => {
  it.live("share one request, and then the cached latest page", () =>
    withSandbox(
      evenTape(500),
      (source, stub) =>
        Effect.gen(function* () {
          const poll = Effect.all(
            range(1, 60).map((limit) => source.trades("sandbox", market, latest(limit))),
            { concurrency: "unbounded" }
          )
          yield* poll
          yield* poll
          assert.strictEqual(pages(stub.requests).length, 1)
          assert.strictEqual(stub.requests.filter((path) => path === "/products").length, 1)
        }),
      { limits: { freshMs: 60_000 } }
    )
  )

  it.live("do not wait for one another's market", () =>
    withSandbox(
      evenTape(500),
      (source) =>
        Effect.gen(function* () {
          const stuck = yield* Effect.forkChild(source.trades("sandbox", { base: "ETH", quote: "USD" }, latest(1)))
          assert.deepStrictEqual(ids(yield* source.trades("sandbox", market, latest(1))), [500])
          yield* Fiber.interrupt(stuck)
        }),
      { over: (path) => (path.includes("ETH-USD") ? { body: "", hang: true } : undefined) }
    )
  )

  it.live("since a time begin with the lowest id that is not older, whatever earlier searches have seen", () => {
    // Trade 2500 is half a second newer than the next one.
    const getTime = (id: number) => start + (id === 2500 ? 2_501_000 : id === 2501 ? 2_500_500 : id * 1000)
    return withSandbox({ last: 5000, getTime }, (source) =>
      Effect.gen(function* () {
        const before = Option.some({ id: "2501", timestamp: getTime(2501) })
        yield* source.trades("sandbox", market, { limit: 10, since: Option.some(start + 2_490_000), before })
        const found = yield* source.trades("sandbox", market, from(start + 2_500_800, 5))
        assert.deepStrictEqual(ids(found), [2500, 2502, 2503, 2504])
        assert.strictEqual(found.completeness, "incomplete")
      })
    )
  })

  it.live("since a time of a busy market need one request where the newest page reaches far enough", () =>
    withSandbox({ last: 50_000, getTime: (id) => start + id * 100 }, (source, stub) =>
      Effect.gen(function* () {
        yield* source.trades("sandbox", market, latest(1))
        const before = pages(stub.requests).length
        const found = yield* source.trades("sandbox", market, from(start + 49_980 * 100, 50))
        assert.deepStrictEqual(ids(found), range(49_980, 50_000))
        assert.strictEqual(pages(stub.requests).length - before, 1)
      })
    )
  )

  it.live("are refused with a time to retry when too many wait, and free their slots when they leave", () => {
    let isHanging = true
    return withSandbox(
      evenTape(50_000),
      (source, stub) =>
        Effect.gen(function* () {
          const call = (second: number) => source.trades("sandbox", market, from(start + second * 1000, 1))
          yield* call(49_999)
          const waiting = yield* Effect.forEach(range(1, 5), (second) => Effect.forkChild(call(second)))
          while (stub.open.now < 2) yield* Effect.sleep(2)
          const error = yield* Effect.flip(call(6))
          assert.strictEqual(error.reason, "Busy")
          assert.isAbove(error.retryAfterMs ?? 0, 0)
          assert.strictEqual(stub.open.max, 2)
          yield* Effect.forEach(waiting, Fiber.interrupt)
          while (stub.open.now > 0) yield* Effect.sleep(2)
          isHanging = false
          const served = yield* Effect.forEach(range(1, 5), call, { concurrency: "unbounded" })
          assert.deepStrictEqual(
            served.map(ids),
            range(1, 5).map((id) => [id])
          )
        }),
      {
        over: (_, query) => (isHanging && query.has("after") ? { body: "", hang: true } : undefined),
        limits: { concurrency: 2, waiting: 3, freshMs: 60_000, requestMs: 60_000 }
      }
    )
  })
})
