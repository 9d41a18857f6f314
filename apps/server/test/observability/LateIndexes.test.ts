import { assert, describe, it } from "@effect/vitest"
import { describeLateIndexes } from "../../src/observability/LateIndexes.ts"
import { sampleStatus } from "./SampleStatus.ts"

describe("indexes behind their chain", () => {
  it("are named with their errors, and none where all are at the head", () => {
    const [index] = sampleStatus.indexes
    if (index === undefined) return assert.fail("the sample is empty")
    const current = { ...index, key: "a/b", state: "realtime" as const, lastError: "It is over." }
    assert.isUndefined(describeLateIndexes([current]))
    assert.strictEqual(
      describeLateIndexes([
        index,
        current,
        { ...index, key: "c/d", head: null, indexed: null, lastError: "No node answers." }
      ]),
      "These indexes are not at the head of their chain: uniswap-v3/devnet (historical, block 1000 of 2000), " +
        "c/d (historical, block none of unknown). Index c/d: No node answers."
    )
  })
})
