import { assert, describe, it } from "@effect/vitest"
import { toIds, toStateText } from "../../src/recording/RecordingGaps.tsx"

const gap = { from: 1041, to: 1043, fromTime: 0, toTime: 1, state: "unfillable" } as const

describe("a gap in a list", () => {
  it("has the missing ids where they are consecutive", () => {
    const recording = { continuity: "sequence" } as const
    assert.strictEqual(toIds(recording, gap), "ids 1,041 to 1,043, ")
    assert.strictEqual(toIds(recording, { ...gap, to: 1041 }), "id 1,041, ")
    assert.strictEqual(toStateText(recording, gap), "the exchange no longer has them")
    assert.strictEqual(toStateText(recording, { ...gap, state: "open" }), "still requested")
  })

  it("has none where pages are matched by overlap: the sequences are not those of the exchange", () => {
    for (const continuity of ["overlap", "unknown", null] as const) {
      assert.strictEqual(toIds({ continuity }, gap), "")
      assert.strictEqual(toStateText({ continuity }, gap), "trades may be missing, and are not requested again")
      assert.strictEqual(
        toStateText({ continuity }, { ...gap, state: "open" }),
        "trades may be missing, and are still requested"
      )
    }
  })
})
