import { Decimal, type Trade } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { append, isContinuation, toLongerBars, toMinutes } from "../../../src/market/feed/MinuteBars.ts"

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Rows = Schema.Array(Schema.Struct({ at: upTo(40 * 60_000), price: upTo(1000), size: upTo(1000) })).check(
  Schema.isMaxLength(60)
)

/** Trades oldest first; sizes and prices are integers, so that sums are exact in any order. */
const tradesOf = (rows: typeof Rows.Type): ReadonlyArray<Trade> =>
  rows
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, price, size }, index) => ({
      id: String(index),
      timestamp: DateTime.makeUnsafe(at),
      price: Decimal.make(price),
      size: Decimal.make(size),
      cost: Decimal.make(price * size),
      side: "buy"
    }))

/** The definition, without any of the code under test. */
const expected = (all: ReadonlyArray<Trade>, length: number) =>
  [...new Set(all.map(({ timestamp }) => Math.floor(DateTime.toEpochMillis(timestamp) / 1000 / length) * length))].map(
    (start) => {
      const within = all.filter(({ timestamp }) => {
        const seconds = DateTime.toEpochMillis(timestamp) / 1000
        return seconds >= start && seconds < start + length
      })
      return {
        start,
        open: Number(within[0]?.price),
        high: Math.max(...within.map(({ price }) => Number(price))),
        low: Math.min(...within.map(({ price }) => Number(price))),
        close: Number(within.at(-1)?.price),
        volume: within.reduce((sum, { size }) => sum + Number(size), 0),
        count: within.length
      }
    }
  )

describe("bars", () => {
  it.prop("are what the trades of their span say, for every length", [Rows], ([rows]) => {
    const all = tradesOf(rows)
    for (const length of [60, 300, 900, 3600])
      assert.deepEqual<unknown>(toLongerBars(toMinutes(all), length), expected(all, length))
  })

  it.prop("are the same wherever the trades are split", [Rows, upTo(60), upTo(60)], ([rows, one, other]) => {
    const all = tradesOf(rows)
    const [first, second] = [Math.min(one, other), Math.max(one, other)]
    const parts = [all.slice(0, first), all.slice(first, second), all.slice(second)].map(toMinutes)
    const [a = [], b = [], c = []] = parts
    assert.deepEqual(append(append(a, b), c), toMinutes(all))
    assert.deepEqual(append(a, append(b, c)), toMinutes(all))
  })
})

describe("bars that a chart goes on with", () => {
  const bar = (start: number, count = 1) => ({ start, open: 1, high: 1, low: 1, close: 1, volume: 1, count })
  const [one, two, three] = [bar(60), bar(120), bar(180)]

  it.each([
    { what: "the newest has grown", before: [one, two], bars: [one, bar(120, 2)], is: true },
    { what: "the only one has grown", before: [two], bars: [bar(120, 2)], is: true },
    { what: "another one is behind them", before: [one, two], bars: [one, bar(120, 2), three], is: true },
    { what: "another one is behind the only one", before: [two], bars: [two, three], is: true },
    { what: "there were none", before: [], bars: [one], is: false },
    { what: "an older one is in front of the only one", before: [two], bars: [one, two], is: false },
    { what: "an older one is in front of them", before: [two, three], bars: [one, two, three], is: false },
    { what: "one has come between them", before: [one, three], bars: [one, two, three], is: false },
    { what: "an older one has changed", before: [one, two, three], bars: [one, bar(120, 2), three], is: false },
    { what: "two are behind them", before: [one], bars: [one, two, three], is: false },
    { what: "one is gone", before: [one, two], bars: [one], is: false },
    { what: "they are of another time", before: [one], bars: [three], is: false }
  ])("where $what: $is", ({ bars, before, is }) => {
    assert.strictEqual(isContinuation(before, bars), is)
  })

  it.prop("begin where the chart begins, and go on from its newest", [Rows, Rows], ([known, more]) => {
    const before = toMinutes(tradesOf(known))
    const bars = toMinutes(tradesOf([...known, ...more]))
    if (!isContinuation(before, bars)) return
    const newest = before.at(-1)?.start ?? 0
    // A chart takes only the newest bar, and one behind it.
    assert.isTrue(bars.slice(before.length - 1).every(({ start }) => start >= newest))
    assert.strictEqual(bars[0]?.start, before[0]?.start)
  })
})
