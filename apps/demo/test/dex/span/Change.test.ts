import { Decimal } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { toChange, type Totals } from "../../../src/dex/span/Change.ts"

const toTotals = (volume: string, fees: string, locked: string): Totals => ({
  volumeUSD: Decimal.make(volume),
  feesUSD: Decimal.make(fees),
  totalValueLockedUSD: Decimal.make(locked)
})

describe("the change of totals over a span", () => {
  it("has all digits of the differences", () => {
    const start = toTotals("7350216.867826139863524099000117005", "10.1", "1000")
    const end = toTotals("7350216.867826139863524099000117006", "10.3", "900")
    const { fees, locked, lockedShare, volume } = toChange(start, end, 1)
    assert.strictEqual(volume, "0.000000000000000000000000001")
    assert.strictEqual(fees, "0.2")
    assert.strictEqual(locked, "-100")
    assert.strictEqual(lockedShare, "-0.1")
  })

  it("states the fees of a year as a share of the amount locked at the end", () => {
    const start = toTotals("0", "100", "1")
    const end = toTotals("0", "170", "36500")
    assert.strictEqual(toChange(start, end, 1).apr, "0.7")
    assert.strictEqual(toChange(start, end, 7).apr, "0.1")
    assert.strictEqual(toChange(start, toTotals("0", "101", "3"), 1).apr, "121.666666667")
  })

  it("is not known without a price in USD, and a share of nothing is not known", () => {
    const none = { volumeUSD: undefined, feesUSD: undefined, totalValueLockedUSD: undefined }
    assert.deepStrictEqual(toChange(none, toTotals("1", "1", "1"), 1), {
      volume: undefined,
      fees: undefined,
      locked: undefined,
      lockedShare: undefined,
      apr: undefined
    })
    const { apr, locked, lockedShare } = toChange(toTotals("0", "0", "0"), toTotals("0", "0", "0"), 1)
    assert.deepStrictEqual({ apr, locked, lockedShare }, { apr: undefined, locked: "0", lockedShare: undefined })
  })
})
