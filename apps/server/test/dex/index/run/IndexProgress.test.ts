import { assert, describe, it } from "@effect/vitest"
import { startingProgress, withHead } from "../../../../src/dex/index/run/IndexProgress.ts"

describe("the status of an index", () => {
  it("is realtime once all final blocks are read", () => {
    const stateAt = (indexed: number) =>
      withHead(startingProgress("dex/chain"), { finality: 10, startBlock: 1 }, indexed, 100).state
    assert.deepStrictEqual([stateAt(89), stateAt(90)], ["historical", "realtime"])
  })
})
