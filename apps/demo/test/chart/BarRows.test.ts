import { assert, describe, it } from "@effect/vitest"
import { toRows } from "../../src/chart/BarRows.ts"
import type { Bar } from "../../src/chart/Bars.ts"

const makeBar = (start: number): Bar => ({ start, open: 1, high: 1, low: 1, close: 1, volume: 1, isProven: true })

const palette = { down: "#000000", line: "#000000", quiet: "#000000", up: "#ffffff" }

describe("the rows of a chart", () => {
  it("have every time between two bars, without values where no trade is", () => {
    const rows = toRows([makeBar(120), makeBar(300)], 60, palette)
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
})
