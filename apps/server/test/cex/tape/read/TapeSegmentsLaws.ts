import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { tradesJson } from "../../../../src/cex/CexJson.ts"
import { withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { TapeSegments } from "../../../../src/cex/tape/read/TapeSegments.ts"
import type { Series, TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import { Tape, TapeReads } from "../../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { atTime } from "../../../SteppedClock.ts"
import { store } from "../store/TapeStores.ts"

const start = Date.UTC(2026, 0, 5, 23, 59)

const made = (sequence: number, timestamp: number): TapeTrade => {
  const price = `${67_000 + (sequence % 977)}.${1 + (sequence % 9)}`
  const size = `0.${1 + ((sequence * 7919) % 999)}1`
  const side = sequence % 2 === 0 ? "buy" : "sell"
  const cost = ExactDecimal.multiply(price, size)
  return { id: String(sequence), sequence, timestamp, price, size, cost, side, receivedAt: start }
}

/** Three per hundred milliseconds; they cross midnight. */
const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => made(from + at, start + Math.floor((from + at) / 3) * 100))

const findRun = ({ coverage }: Series) => {
  const run = coverage.at(-1)
  assert.isDefined(run)
  return run
}

const textOf = Effect.fnUntraced(function* (series: Series, limit: number) {
  const segments = yield* TapeSegments
  const found = yield* segments.newest(series.id, findRun(series), limit)
  if (found === undefined) return undefined
  const text = Buffer.concat(found.parts.map(({ bytes }) => bytes)).toString()
  return { text: `{"exchange":"e","market":"A/B","trades":[${text.slice(1)}]}`, from: found.fromTime, to: found.toTime }
})

const expected = (trades: ReadonlyArray<TapeTrade>) => ({
  text: tradesJson("e", "A/B", trades),
  from: trades[0]?.timestamp,
  to: trades.at(-1)?.timestamp
})

const added = Effect.fnUntraced(function* ({ coverage, id, version }: Series, trades: ReadonlyArray<TapeTrade>) {
  const tape = yield* Tape
  yield* tape.append(id, { trades, coverage: withTrades(coverage, trades), version, events: [] })
})

/** The laws of every store. */
export const segmentLaws = (it: Vitest.MethodsNonLive<Lease | Tape | TapeReads | TapeSegments>) => {
  it.effect.prop(
    "the newest trades are those of the tape, however many and whatever was read before",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7400 }))).check(Schema.isMaxLength(6))],
    ([limits]) =>
      Effect.gen(function* () {
        const all = many(37, 7400)
        const tape = yield* Tape
        const series = yield* tape.open("e", "A/B", "sequence", null)
        const stored = series.coverage.length > 0 ? series : yield* store("e", "A/B", all)
        for (const limit of limits) assert.deepStrictEqual(yield* textOf(stored, limit), expected(all.slice(-limit)))
      }),
    { arbitrary: { runs: 25 }, timeout: 60_000 }
  )

  it.effect("trades that were added since the last read are the newest", () =>
    Effect.gen(function* () {
      const tape = yield* Tape
      const first = yield* store("e", "C/D", many(1, 2500))
      assert.deepStrictEqual(yield* textOf(first, 2000), expected(many(501, 2000)))
      yield* added(first, many(2501, 700))
      const later = yield* tape.open("e", "C/D", "sequence", null)
      assert.deepStrictEqual(yield* textOf(later, 2000), expected(many(1201, 2000)))
      // An earlier run is unchanged.
      assert.deepStrictEqual(yield* textOf(first, 2000), expected(many(501, 2000)))
    })
  )

  it.effect("times that do not follow the sequences are detected between segments, and sorted within one", () =>
    Effect.gen(function* () {
      const inside = many(0, 3000).map((trade) => (trade.sequence === 1500 ? { ...trade, timestamp: start } : trade))
      const across = many(0, 3000).map((trade) =>
        trade.sequence === 1500 ? { ...trade, timestamp: start + 90_000 } : trade
      )
      assert.isUndefined(yield* textOf(yield* store("e", "E/F", inside), 3000))
      const slightly = many(0, 3000).map((trade) =>
        trade.sequence === 1500 ? { ...trade, timestamp: trade.timestamp + 1000 } : trade
      )
      const sorted = slightly.toSorted((a, b) => a.timestamp - b.timestamp || a.sequence - b.sequence)
      assert.deepStrictEqual(yield* textOf(yield* store("e", "G/H", slightly), 2800), expected(sorted.slice(-2800)))
      assert.isUndefined(yield* textOf(yield* store("e", "I/J", across), 3000))
    })
  )

  it.effect("a run whose oldest trades the retention dropped is not read as complete", () =>
    Effect.gen(function* () {
      const stored = yield* store("e", "K/L", many(1, 1500))
      const run = { ...findRun(stored), from: -499 }
      const segments = yield* TapeSegments
      assert.isUndefined(yield* segments.newest(stored.id, run, 1800))
    })
  )

  it.effect("the newest trade is that of the newest run, by its time", () =>
    Effect.gen(function* () {
      const ends = yield* TapeReads
      assert.isTrue(Option.isNone(yield* ends.newestTrade("e", "nothing")))
      const older = many(1, 10).map((trade) => ({ ...trade, timestamp: trade.timestamp + 500_000 }))
      const [first, second, third] = [made(20, start + 900), made(21, start + 1900), made(22, start + 1500)]
      yield* store("e", "M/N", [...older, first, second, third])
      const { receivedAt: _, sequence: __, ...expectedTrade } = second
      // Old and recent trades are looked for otherwise.
      for (const now of [start, start + 40 * 86_400_000]) {
        const found = yield* atTime(now)(ends.newestTrade("e", "M/N"))
        assert.deepStrictEqual(found, Option.some(expectedTrade))
      }
    })
  )
}
