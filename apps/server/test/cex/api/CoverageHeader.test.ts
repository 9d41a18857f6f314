import { assert, describe, it } from "@effect/vitest"
import { candlesCoverage } from "../../../src/cex/api/CoverageHeader.ts"

describe("the coverage of candles", () => {
  it("has the times of the first and the last candle of its range", () => {
    const scope = { from: 60_000, to: 120_000 }
    const coverage = candlesCoverage({ completeness: "complete", scope, unproven: [] }, "1m")
    assert.strictEqual(coverage, "complete=?1, from=60000, to=179999")
  })

  it("has no times where no candle begins in its range", () => {
    const scope = { from: 120_000, to: 60_000 }
    assert.strictEqual(candlesCoverage({ completeness: "complete", scope, unproven: [] }, "1m"), "complete=?1")
  })
})
