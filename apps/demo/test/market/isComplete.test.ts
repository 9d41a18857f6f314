import { assert, describe, it } from "@effect/vitest"
import { isComplete } from "../../src/market/isComplete.ts"

const whole = { continuity: "sequence", gapCount: 0, missing: 0, state: "live" } as const

describe("a recorded market", () => {
  it("is complete where consecutive ids prove it, and the newest trades are known", () => {
    assert.isTrue(isComplete(whole))
    // Whose gap the exchange no longer fills: nothing is waited for.
    assert.isFalse(isComplete({ ...whole, gapCount: 1 }))
    assert.isFalse(isComplete({ ...whole, missing: 3 }))
    assert.isFalse(isComplete({ ...whole, continuity: "overlap" }))
    assert.isFalse(isComplete({ ...whole, continuity: null }))
    assert.isFalse(isComplete({ ...whole, state: "catching-up" }))
    assert.isFalse(isComplete({ ...whole, state: "disconnected" }))
  })
})
