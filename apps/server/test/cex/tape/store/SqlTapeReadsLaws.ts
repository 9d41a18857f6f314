import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { candleRowJson } from "../../../../src/cex/CexJson.ts"
import type { SourceCandle } from "../../../../src/cex/ExchangeSource.ts"
import type { CandleMark } from "../../../../src/cex/tape/CandlePage.ts"
import type { Tape, TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import { TapeReads } from "../../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { atTime } from "../../../SteppedClock.ts"
import { store } from "./TapeStores.ts"

const day = 86_400_000
const start = Date.UTC(2026, 0, 5, 23, 30)

const timeframes = ["1m", "5m", "15m", "1h", "6h", "1d"] as const satisfies ReadonlyArray<Timeframe>

const made = (sequence: number, timestamp: number, price: string, size: string): TapeTrade => ({
  id: String(sequence),
  sequence,
  timestamp,
  price,
  size,
  cost: ExactDecimal.multiply(price, size),
  side: sequence % 3 === 0 ? "sell" : "buy",
  receivedAt: timestamp + 25
})

/** Three trades in every second millisecond, with prices that go up and down; they cross midnight. */
const many = (count: number): ReadonlyArray<TapeTrade> =>
  Array.from({ length: count }, (_, at) =>
    made(at + 1, start + Math.floor(at / 3) * 700, `${(at * 7919) % 1000}.${1 + ((at * 31) % 9)}`, `0.${1 + (at % 9)}`)
  )

/** `many`, and three trades behind them, each days after the one before. */
const manyAndFew = (count: number): ReadonlyArray<TapeTrade> => [
  ...many(count),
  ...[1, 2, 3].map((at) => made(count + at, start + at * 3 * day, "7", "1"))
]

const byPlace = (left: TapeTrade, right: TapeTrade) =>
  left.timestamp - right.timestamp || left.sequence - right.sequence

interface TapeCandle extends SourceCandle, CandleMark {}

/** Candles by the simplest algorithm. */
const toCandles = (trades: ReadonlyArray<TapeTrade>, timeframe: Timeframe): ReadonlyArray<TapeCandle> => {
  const frame = timeframeSeconds[timeframe] * 1000
  const buckets = Map.groupBy(trades.toSorted(byPlace), ({ timestamp }) => Math.floor(timestamp / frame) * frame)
  return [...buckets].map(([bucket, ordered]) => {
    const prices = ordered.map(({ price }) => price).sort(ExactDecimal.compare)
    return {
      start: bucket,
      open: ordered[0]?.price ?? "",
      high: prices.at(-1) ?? "",
      low: prices[0] ?? "",
      close: ordered.at(-1)?.price ?? "",
      volume: ordered.map(({ size }) => size).reduce(ExactDecimal.add, "0"),
      trades: ordered.length,
      openSequence: ordered[0]?.sequence ?? 0,
      closeSequence: ordered.at(-1)?.sequence ?? 0
    }
  })
}

/** A page's mark has the least and the greatest sequence at which a minute of the candle opens and closes. */
const toMark = ({ start, trades }: TapeCandle, minutes: ReadonlyArray<TapeCandle>, frame: number) => {
  const inside = minutes.filter((minute) => minute.start >= start && minute.start < start + frame)
  return {
    start,
    trades,
    openSequence: Math.min(...inside.map(({ openSequence }) => openSequence)),
    closeSequence: Math.max(...inside.map(({ closeSequence }) => closeSequence))
  }
}

const Amount = Schema.Struct({
  digits: Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,24}$/)),
  exponent: Schema.Int.check(Schema.isBetween({ minimum: -20, maximum: 5 }))
})
const Given = Schema.Array(
  Schema.Struct({
    minute: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 })),
    ms: Schema.Literals([0, 1, 59_999]),
    price: Amount,
    size: Amount
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(30))

const decimal = ({ digits, exponent }: typeof Amount.Type) =>
  ExactDecimal.canonical(`${digits}e${exponent}`) ?? assert.fail(digits)

const toTrades = (given: typeof Given.Type) =>
  given.map(({ minute, ms, price, size }, at) =>
    made(at + 1, start + minute * 60_000 + ms, decimal(price), decimal(size))
  )

/** The laws of reads in every store. */
export const readLaws = (it: Vitest.MethodsNonLive<Lease | SqlClient.SqlClient | Tape | TapeReads>) => {
  it.effect("reads the newest trades of a run, whole pages of them, in the order of time and sequence", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const trades = many(13_000)
      const { id } = yield* store("sandbox", "MANY/ONE", trades.toReversed())
      for (const limit of [1, 2, 4999, 5000, 5001, 12_345, 13_000, 50_000]) {
        assert.deepStrictEqual(yield* reads.latest(id, { from: 1, to: 13_000 }, limit), trades.slice(-limit))
      }
      assert.deepStrictEqual(yield* reads.latest(id, { from: 101, to: 9000 }, 6000), trades.slice(3000, 9000))
      assert.deepStrictEqual(yield* reads.latest(id, { from: 101, to: 103 }, 6000), trades.slice(100, 103))
      assert.deepStrictEqual(yield* reads.latest(id, { from: 20_000, to: 30_000 }, 10), [])
      assert.deepStrictEqual(yield* reads.latest(id + 1000, { from: 1, to: 13_000 }, 10), [])
    })
  )

  it.effect("reads the newest trades across days without any", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const trades = manyAndFew(6000)
      const { id } = yield* store("sandbox", "FEW/ONE", trades)
      for (const limit of [1, 2, 3, 4, 1000, 6002, 6003, 50_000]) {
        assert.deepStrictEqual(yield* reads.latest(id, { from: 1, to: 6003 }, limit), trades.slice(-limit))
      }
    })
  )

  it.effect("reads no trades from before a run", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const sql = yield* SqlClient.SqlClient
      const trades = many(60)
      const { id } = yield* store("sandbox", "SHORT/ONE", trades)
      // Found only by a read of everything before the run.
      yield* sql`insert into tape_trade (series, timestamp, sequence, id, price, size, is_buy, received_at)
        values (${id}, ${start - 10}, 55, 'astray', 1, 1, true, 0)`
      assert.deepStrictEqual(yield* reads.latest(id, { from: 51, to: 60 }, 200), trades.slice(50))
    })
  )

  it.effect("reads the first trades since a time, whole pages of them, across days", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const trades = manyAndFew(13_000)
      const { id } = yield* store("sandbox", "SINCE/ONE", trades)
      for (const since of [0, start, start + 1, start + 700, start + 4 * day]) {
        const all = trades.filter(({ timestamp }) => timestamp >= since)
        for (const limit of [1, 1000, 1001, 5001, 50_000]) {
          // Days that are over are read otherwise.
          for (const now of [start, start + 40 * day]) {
            const found = yield* atTime(now)(reads.since(id, since, limit))
            assert.deepStrictEqual(found, all.slice(0, limit), `${since} ${limit} ${now}`)
          }
        }
      }
      assert.deepStrictEqual(yield* reads.since(id, start + day * 30, 100), [])
    })
  )

  it.effect("reads trades of all runs since a time, and of one only where that is asked for", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const trades = many(200).filter(({ sequence }) => sequence <= 50 || sequence > 120)
      const { coverage, id } = yield* store("sandbox", "GAP/ONE", trades)
      assert.deepStrictEqual(
        coverage.map(({ from, to }) => [from, to]),
        [
          [1, 50],
          [121, 200]
        ]
      )
      assert.deepStrictEqual(yield* reads.since(id, start, 100), trades.slice(0, 100))
      assert.deepStrictEqual(yield* reads.latest(id, { from: 121, to: 200 }, 1000), trades.slice(50))
    })
  )

  it.effect("a long response has all trades of a concurrent transaction, or none", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const all = many(24_000)
      const isLate = ({ sequence }: TapeTrade) =>
        (sequence > 300 && sequence <= 400) || (sequence > 23_000 && sequence <= 23_100)
      const early = all.filter((trade) => !isLate(trade))
      for (let round = 0; round < 3; round++) {
        const market = `STATE/${round}`
        const { id } = yield* store("sandbox", market, early)
        const [found] = yield* Effect.all([reads.since(id, 0, 50_000), store("sandbox", market, all.filter(isLate))], {
          concurrency: 2
        })
        assert.include([early.length, all.length], found.length)
        assert.deepStrictEqual(found, found.length === all.length ? all : early)
      }
    })
  )

  it.effect("lets other reads run between the pages of long responses", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const { id } = yield* store("sandbox", "MANY/ONE", many(13_000))
      const long = Array.from({ length: 10 }, () => reads.latest(id, { from: 1, to: 13_000 }, 13_000))
      let others = 0
      const reading = yield* Effect.forkChild(Effect.all(long, { concurrency: "unbounded" }))
      const short = Effect.gen(function* () {
        while (reading.pollUnsafe() === undefined) {
          yield* reads.latest(id, { from: 1, to: 13_000 }, 1)
          others += 1
        }
      })
      yield* Effect.all([Fiber.join(reading), short], { concurrency: 2 })
      // Thirty pages, two of them at a time.
      assert.isAtLeast(others, 8)
    })
  )

  it.effect("keeps every id and every digit", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const odd = ["a b;c", "x|y\n\t\"'", "ü😀", ",{}\\", "", "00012", "b s ;"]
      const trades = odd.map((id, at) => ({
        ...made(at + 1, start + at, "123456789012345678.000000000000000001", `0.0000000000${at + 1}`),
        id
      }))
      const { id } = yield* store("odd", "ODD/ONE", trades, "overlap")
      assert.deepStrictEqual(yield* reads.since(id, 0, 100), trades)
    })
  )

  it.effect.prop(
    "makes the candles of every length as the trades do, digit by digit",
    [Given],
    ([given]) =>
      Effect.gen(function* () {
        const reads = yield* TapeReads
        const trades = toTrades(given)
        const { id } = yield* store("sandbox", `CANDLES/${runs++}`, trades)
        for (const timeframe of timeframes) {
          const expected = toCandles(trades, timeframe)
          const minutes = toCandles(trades, "1m")
          const frame = timeframeSeconds[timeframe] * 1000
          const from = Math.ceil((start + 60_000) / frame) * frame
          for (const range of [
            { from: 0, to: 10_000 * day },
            { from, to: from + Math.floor((5 * 3_600_000) / frame) * frame }
          ]) {
            const candles = expected.filter((candle) => candle.start >= range.from && candle.start <= range.to)
            for (const take of ["first", "latest"] as const) {
              for (const limit of [1, 3, 1000]) {
                const page = yield* reads.candlePage(id, { ...range, timeframe, take, limit })
                const rows = take === "first" ? candles.slice(0, limit) : candles.slice(-limit)
                const marks = rows.map((candle) => toMark(candle, minutes, frame))
                const message = `${timeframe} ${take} ${limit}`
                assert.strictEqual(page.rows, rows.map(candleRowJson).join(","), message)
                assert.strictEqual(page.count, rows.length)
                const [first, end] = [marks[0], marks.at(-1)]
                assert.deepStrictEqual(page.ends, first && end && [first, end], message)
                if (page.breaks !== undefined) assert.deepStrictEqual(page.breaks, marks, message)
              }
            }
          }
        }
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect("lists the start of the recording of each market of an exchange", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const day = 86_400_000
      yield* store("begun", "A/B", [
        made(9, start + 5 * day, "1", "1"),
        made(4, start + 2 * day, "1", "1"),
        made(5, start + 3 * day, "1", "1")
      ])
      yield* store("begun", "C/D", [made(1, start, "1", "1")])
      yield* store("begun", "E/F", [])
      assert.deepStrictEqual(
        (yield* reads.beginnings("begun")).toSorted((left, right) => left.time - right.time),
        [
          { market: "C/D", time: start },
          { market: "A/B", time: start + 2 * day }
        ]
      )
      assert.deepStrictEqual(yield* reads.beginnings("other"), [])
    })
  )

  it.effect("finds no candle where nothing is recorded", () =>
    Effect.gen(function* () {
      const reads = yield* TapeReads
      const { id } = yield* store("sandbox", "NONE/ONE", [])
      const page = yield* reads.candlePage(id, { timeframe: "1h", from: 0, to: start, limit: 10, take: "first" })
      assert.deepStrictEqual([page.count, page.rows, page.ends], [0, "", undefined])
    })
  )
}

let runs = 0
