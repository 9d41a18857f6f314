import { assert, describe, it } from "@effect/vitest"
import { acceptBatch, refuseBatch, unknownBatchLimit } from "../../../src/blocks/rpc/BatchLimit.ts"

/** Sends requests of the allowed size to a node that takes batches up to a size, and returns how many it refused. */
const send = (limit: ReturnType<typeof start>, requests: number, largest: number): number => {
  let refused = 0
  for (let request = 0; request < requests; request++) {
    if (limit.batchSize <= largest) acceptBatch(limit, Math.max(1, limit.batchSize))
    else if (limit.batchSize === 1) limit.batchSize = 0
    else {
      refused++
      refuseBatch(limit, limit.batchSize)
    }
  }
  return refused
}

const start = () => ({ ...unknownBatchLimit })

describe("the size of batches", () => {
  it.each([100, 64, 20, 3, 2, 1, 0])(
    "is found for a node that accepts %s calls, and a larger size is tried from time to time",
    (largest) => {
      const limit = start()
      assert.isAtMost(send(limit, 20, largest), 8)
      assert.strictEqual(limit.batchSize, largest)
      assert.isAtMost(send(limit, 6000, largest), 80)
      assert.isAtMost(limit.batchSize, largest * 2)
    }
  )

  it.each([2, 4, 50])("returns to the size that the node accepts after one refusal of %s calls", (refused) => {
    const limit = start()
    send(limit, 20, 100)
    refuseBatch(limit, refused)
    assert.isBelow(limit.batchSize, refused)
    send(limit, 6000, 100)
    assert.strictEqual(limit.batchSize, 100)
  })
})
