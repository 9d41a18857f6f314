import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { ChartCandle } from "../../src/chart/ChartCandle.ts"
import { isContinuation, isOpen } from "../../src/chart/ChartCandle.ts"

const minute = 60

const candle = (start: number, volume = 1, isProven = true): ChartCandle => ({
  start,
  open: 100,
  high: 100 + volume,
  low: 100,
  close: 100 + volume,
  volume,
  isProven
})

describe("candles that continue those of a chart", () => {
  const [one, two, three] = [candle(60), candle(120), candle(180)]

  it.each([
    { what: "the newest has grown", before: [one, two], candles: [one, candle(120, 2)], is: true },
    { what: "the only one has grown", before: [two], candles: [candle(120, 2)], is: true },
    { what: "another one is behind them", before: [one, two], candles: [one, candle(120, 2), three], is: true },
    { what: "another one is behind the only one", before: [two], candles: [two, three], is: true },
    { what: "there were none", before: [], candles: [one], is: false },
    { what: "an older one is in front of the only one", before: [two], candles: [one, two], is: false },
    { what: "an older one is in front of them", before: [two, three], candles: [one, two, three], is: false },
    { what: "one has come between them", before: [one, three], candles: [one, two, three], is: false },
    { what: "an older one has changed", before: [one, two, three], candles: [one, candle(120, 2), three], is: false },
    { what: "an older one became proven", before: [candle(60, 1, false), two], candles: [one, two], is: false },
    { what: "two are behind them", before: [one], candles: [one, two, three], is: false },
    { what: "one is gone", before: [one, two], candles: [one], is: false },
    { what: "they are of another time", before: [one], candles: [three], is: false }
  ])("where $what: $is", ({ candles, before, is }) => {
    assert.strictEqual(isContinuation(before, candles), is)
  })

  const Volumes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))).check(
    Schema.isMaxLength(8)
  )

  it.prop(
    "start at the first candle of the chart and add none before its newest",
    [Volumes, Volumes],
    ([known, more]) => {
      const toChartCandles = (volumes: ReadonlyArray<number>) =>
        volumes.flatMap((volume, at) => (volume === 0 ? [] : [candle(at * minute, volume)]))
      const [before, candles] = [toChartCandles(known), toChartCandles(more)]
      if (!isContinuation(before, candles)) return
      const newest = before.at(-1)?.start ?? 0
      // A chart takes only the newest candle, and one behind it.
      assert.isTrue(candles.slice(before.length - 1).every(({ start }) => start >= newest))
      assert.strictEqual(candles[0]?.start, before[0]?.start)
    }
  )
})

describe("a candle", () => {
  it("is open until its time has passed", () => {
    assert.isTrue(isOpen(candle(60), minute, 119_999))
    assert.isFalse(isOpen(candle(60), minute, 120_000))
  })
})
