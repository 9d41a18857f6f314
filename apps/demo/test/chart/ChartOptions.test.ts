import { assert, describe, it } from "@effect/vitest"
import { chartOptions } from "../../src/chart/ChartOptions.ts"

const palette = { down: "#000000", line: "#000000", quiet: "#000000", up: "#ffffff" }

describe("the options of a chart", () => {
  it("name the year at the crosshair: the candles of a day go back beyond one", () => {
    const format: unknown = chartOptions(palette, false, "UTC").localization?.timeFormatter
    if (typeof format !== "function") return assert.fail("the crosshair has no format")
    assert.match(String(format(Date.UTC(2023, 4, 6, 12) / 1000)), /2023.*12:00$/)
  })
})
