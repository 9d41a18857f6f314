import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as FixedPoint from "../../../src/exchange/market/FixedPoint.ts"

const Units = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const Places = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 }))

describe("FixedPoint", () => {
  it.prop("reads back what it wrote", [Units, Places], ([units, places]) => {
    assert.strictEqual(FixedPoint.parse(FixedPoint.format(units, places), places), units)
    assert.strictEqual(FixedPoint.format(BigInt(units), places), FixedPoint.format(units, places))
  })

  it("writes the shortest text, or exactly as many digits as asked", () => {
    assert.strictEqual(FixedPoint.format(6_700_010, 2), "67000.1")
    assert.strictEqual(FixedPoint.format(2418, 8), "0.00002418")
    assert.strictEqual(FixedPoint.format(500, 0), "500")
    assert.strictEqual(FixedPoint.formatFixed(6_700_010, 2, 8), "67000.10000000")
    assert.strictEqual(FixedPoint.formatFixed(7, 0, 8), "7.00000000")
  })

  it("refuses text that is not a decimal of that many places", () => {
    for (const text of ["", "1.", ".5", "-1", "1e5", "0.001", "12345678901234567"]) {
      assert.isUndefined(FixedPoint.parse(text, 2), text)
    }
    assert.strictEqual(FixedPoint.parse("1.500", 2), 150)
  })
})
