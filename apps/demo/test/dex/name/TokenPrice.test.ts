import { Decimal } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { toPriceUSD } from "../../../src/dex/name/TokenPrice.ts"

const priceOf = (locked: string, worth: string) =>
  toPriceUSD({ totalValueLocked: Decimal.make(locked), totalValueLockedUSD: Decimal.make(worth) })

describe("the price of a token in USD", () => {
  it("is the value of the locked amount divided by the amount", () => {
    assert.strictEqual(priceOf("25027.551269842918942591", "75204845.5008813880725128321984187"), "3004.88228713")
    assert.strictEqual(priceOf("3", "1"), "0.333333333333")
  })

  it("is unknown instead of 0 if nothing is locked, or if the locked amount has no worth in USD", () => {
    assert.deepStrictEqual(
      [priceOf("0", "0"), priceOf("0.000", "1"), priceOf("12.5", "0.0")],
      [undefined, undefined, undefined]
    )
  })
})
