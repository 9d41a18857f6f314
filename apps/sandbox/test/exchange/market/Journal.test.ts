import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { granularities } from "../../../src/exchange/market/Candles.ts"
import { Journal } from "../../../src/exchange/market/Journal.ts"
import type { Trade } from "../../../src/exchange/market/Trade.ts"

const start = 1_700_000_000_000_000

const trade = (tradeId: number, time: number, price = 100 + (tradeId % 7), size = tradeId): Trade => ({
  tradeId,
  sequence: tradeId * 3,
  time,
  side: tradeId % 2 === 0 ? "buy" : "sell",
  price,
  size,
  makerOrder: tradeId + 1,
  takerOrder: tradeId + 2
})

const filled = (count: number, retain = 1_000_000, firstId = 1, step = 1_000_000) => {
  const first = trade(firstId, start)
  const journal = new Journal(retain, firstId === 1 ? undefined : first)
  const trades: Array<Trade> = []
  for (let index = 0; index < count; index++) {
    trades.push(trade(firstId + index, start + index * step))
    journal.append(trades[index] ?? first)
  }
  return { journal, trades }
}

const Prints = Schema.Array(
  Schema.Struct({
    gap: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_000_000_000 })),
    price: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 })),
    size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
  })
).check(Schema.isMinLength(1), Schema.isMaxLength(60))

/** The candles, computed in an obviously correct way. */
const plainCandles = (trades: ReadonlyArray<Trade>, granularity: number) => {
  const starts = [...new Set(trades.map(({ time }) => Math.floor(time / 1_000_000 / granularity) * granularity))]
  return starts
    .toSorted((left, right) => right - left)
    .map((begin) => {
      const rows = trades.filter(({ time }) => Math.floor(time / 1_000_000 / granularity) * granularity === begin)
      const prices = rows.map(({ price }) => price)
      const volume = rows.reduce((sum, { size }) => sum + BigInt(size), 0n)
      return {
        start: begin,
        low: Math.min(...prices),
        high: Math.max(...prices),
        open: prices[0],
        close: prices.at(-1),
        volume
      }
    })
}

const total = (candles: ReadonlyArray<{ readonly volume: bigint }>) =>
  candles.reduce((sum, candle) => sum + candle.volume, 0n)

describe("Journal", () => {
  it("answers every trade as it was appended", () => {
    const { journal, trades } = filled(20_000)
    assert.deepStrictEqual([...journal.from(1)], trades)
    assert.deepStrictEqual(journal.get(8193), trades[8192])
    assert.isUndefined(journal.get(20_001))
    assert.isUndefined(journal.get(0))
  })

  it("reads the newest page, the page below an id, and the newest page above an id", () => {
    const { journal } = filled(100)
    const ids = (limit: number, range = {}) => journal.latest(limit, range).map(({ tradeId }) => tradeId)
    assert.deepStrictEqual(ids(3), [100, 99, 98])
    assert.deepStrictEqual(ids(3, { below: 50 }), [49, 48, 47])
    assert.deepStrictEqual(ids(3, { above: 50 }), [100, 99, 98])
    assert.deepStrictEqual(ids(10, { above: 97 }), [100, 99, 98])
    assert.deepStrictEqual(ids(10, { above: 40, below: 44 }), [43, 42, 41])
    assert.deepStrictEqual(ids(5, { below: 1 }), [])
    assert.deepStrictEqual(ids(5, { above: 100 }), [])
  })

  it("drops only the oldest trades, and retains at least the configured number", () => {
    const { journal, trades } = filled(40_000, 10_000)
    assert.isAtLeast(journal.last - journal.first + 1, 10_000)
    assert.isAtMost(journal.last - journal.first + 1, 10_000 + 8192)
    assert.deepStrictEqual([...journal.from(0)], trades.slice(journal.first - 1))
    assert.deepStrictEqual(journal.latest(1, { below: journal.first }), [])
  })

  it("finds the id at a time", () => {
    const { journal } = filled(1000)
    assert.strictEqual(journal.idAt(start - 1), 0)
    assert.strictEqual(journal.idAt(start), 1)
    assert.strictEqual(journal.idAt(start + 10_500_000), 11)
    assert.strictEqual(journal.idAt(start + 1e12), 1000)
  })

  it.prop("has the exact candle of every span with a trade, and no other", [Prints], ([prints]) => {
    const journal = new Journal(1_000_000)
    let time = start
    const trades = prints.map(({ gap, price, size }, index) => trade(index + 1, (time += gap), price, size))
    for (const row of trades) journal.append(row)
    for (const granularity of granularities) {
      const expected = plainCandles(trades, granularity)
      assert.deepStrictEqual<unknown>([...journal.candles(granularity, 0, 1e12)], expected)
      assert.deepStrictEqual<unknown>([...journal.recount(granularity, 0, 1e12, {})], expected)
    }
  })

  it("leaves out the candle whose first trades were dropped", () => {
    const { journal } = filled(200, 1_000_000, 5000)
    const candles = journal.candles(60, 0, 1e12)
    assert.isAbove(candles.length, 1)
    assert.isTrue(candles.every((candle) => candle.start * 1_000_000 > start))
    assert.deepStrictEqual([...journal.recount(60, 0, 1e12, {})], [...candles])
  })

  it("recomputes candles for an earlier end of the tape or a skewed clock", () => {
    const { journal } = filled(300)
    const until = start + 100_000_000
    assert.strictEqual(total(journal.recount(60, 0, 1e12, { until })), (101n * 102n) / 2n)
    const late = journal.recount(60, 0, 1e12, { skew: () => 3_600_000_000 })
    assert.deepStrictEqual(
      late.map((candle) => candle.start - 3600),
      journal.candles(60, 0, 1e12).map((candle) => candle.start)
    )
  })
})
