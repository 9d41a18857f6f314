import { assert, describe, it } from "@effect/vitest"
import { toRows } from "../../src/chart/CandleRows.ts"
import type { ChartCandle } from "../../src/chart/ChartCandle.ts"

const makeCandle = (start: number): ChartCandle => ({
  start,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  isProven: true
})

const palette = { down: "#000000", line: "#000000", quiet: "#000000", up: "#ffffff" }

describe("the rows of a chart", () => {
  it("have every time between two candles, without values where no trade is", () => {
    const rows = toRows([makeCandle(120), makeCandle(300)], 60, 360_000, palette)
    assert.deepStrictEqual(
      rows.map(({ candle, volume }) => [Number(candle.time), "close" in candle, "value" in volume]),
      [
        [120, true, true],
        [180, false, false],
        [240, false, false],
        [300, true, true]
      ]
    )
  })

  it("are hollow only for the newest candle, also where the clock of the browser is behind", () => {
    const rows = toRows([makeCandle(120), makeCandle(180)], 60, 60_000, palette)
    assert.deepStrictEqual(
      rows.map(({ candle }) => "color" in candle && candle.color),
      [palette.up, "transparent"]
    )
  })

  it("have a hollow candle while it is open", () => {
    const toColors = (now: number) =>
      toRows([makeCandle(120)], 60, now, palette).map(({ candle }) => "close" in candle && candle.color)
    assert.deepStrictEqual([toColors(179_999), toColors(240_000)], [["transparent"], ["#ffffff"]])
  })
})
