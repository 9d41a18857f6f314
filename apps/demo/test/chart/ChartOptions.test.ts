import { assert, describe, it } from "@effect/vitest"
import { chartOptions } from "../../src/chart/ChartOptions.ts"

const palette = { down: "#000000", line: "#000000", quiet: "#000000", up: "#ffffff" }

describe("the options of a chart", () => {
  it("name the year at the crosshair: the candles of a day go back beyond one", () => {
    const format = chartOptions(palette, false, "UTC").localization?.timeFormatter
    assert.match(format?.(String(Date.UTC(2023, 4, 6, 12) / 1000)) ?? "", /2023.*12:00$/)
  })
})
