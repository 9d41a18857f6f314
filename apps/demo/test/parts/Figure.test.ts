import { Decimal } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { countDecimals } from "../../src/parts/Figure.tsx"

describe("the decimals of a price", () => {
  it.each([
    ["67907", 0],
    ["67907.10", 1],
    ["0.00001234", 8],
    ["0.000000000001", 12],
    ["0.000000000000000001", 18],
    ["67907.12345678911234567", 10],
    ["123456789012345678901.123456789", 0]
  ] as const)("are those of %s that a double holds", (price, decimals) => {
    assert.strictEqual(countDecimals(Decimal.make(price)), decimals)
  })
})
