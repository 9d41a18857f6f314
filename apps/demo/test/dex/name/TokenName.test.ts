import { assert, describe, it } from "@effect/vitest"
import { toSymbol, toTitle, toVisible } from "../../../src/dex/name/TokenName.tsx"

const id = "0x00000000000000000000000000000000000000aa"

describe("the name that a contract gives its token", () => {
  it("is shown as it is, in any script", () => {
    for (const text of ["WETH", "USD₮0", "مرحبا", "🍣SUSHI", "<b>"]) assert.strictEqual(toVisible(text), text)
  })

  it("shows every character that has no shape or reorders the text around it", () => {
    assert.strictEqual(toVisible("US\u200bDC"), "US\\u200bDC")
    assert.strictEqual(toVisible("\u202eCDSU\u2069"), "\\u202eCDSU\\u2069")
    assert.strictEqual(toVisible("\0\u001b[2J\ud800"), "\\u0000\\u001b[2J\\ud800")
  })

  it("is cut between whole characters", () => {
    for (const text of ["A".repeat(1_000_000), "🍣".repeat(500), "\u202e".repeat(1000)]) {
      assert.lengthOf(Array.from(toVisible(text)), 24)
      assert.isTrue(toVisible(text).isWellFormed())
      assert.isAtMost(toTitle({ id, symbol: "", name: text }).length, 2 * 120 + id.length + 2)
    }
  })

  it("is the beginning of its address if it is empty", () => {
    assert.strictEqual(toSymbol({ id, symbol: " " }), "0x00000000…")
  })
})
