import type { Answer } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Claim, ClaimEvidence } from "../../src/proof/Claim.ts"
import { isConfirmed } from "../../src/proof/Claim.ts"

const isSame = (shown: string, found: string): boolean => {
  const claim: Claim = {
    title: "value",
    subject: "a pool",
    values: [["Value", shown]],
    request: { summary: "", path: "", typescript: "" },
    read: Effect.never
  }
  const evidence: ClaimEvidence = { answer: {} as unknown as Answer<unknown>, values: [["Value", found]] }
  return isConfirmed(claim, evidence)
}

describe("the proof of a value", () => {
  it("compares every digit, however many there are", () => {
    assert.isFalse(isSame("1763589471234567890", "1763589471234567891"))
    assert.isFalse(isSame("0.1234567890123456789012", "0.1234567890123456789013"))
    assert.isFalse(isSame("0x10", "16"))
    assert.isFalse(isSame("", "0"))
  })

  it("ignores trailing zeros of a decimal", () => {
    assert.isTrue(isSame("1.50", "1.5"))
    assert.isTrue(isSame("2", "2.000"))
    assert.isTrue(isSame("abc", "abc"))
    assert.isFalse(isSame("100", "1"))
  })
})
