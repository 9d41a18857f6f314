import { assert, describe, it } from "@effect/vitest"
import { isUpToDate, startingState } from "../../../../src/cex/tape/record/RecordingState.ts"

const live = { ...startingState, isConnected: true, isCurrent: true, upToDateAt: 1000 }

describe("the state of a recording", () => {
  it("is up to date while the exchange sends something, or while its polls succeed", () => {
    for (const [transport, longest] of [
      ["websocket", 2500],
      ["polling", 15_000]
    ] as const) {
      assert.isTrue(isUpToDate({ ...live, transport }, 1000 + longest))
      assert.isFalse(isUpToDate({ ...live, transport }, 1001 + longest))
      assert.isFalse(isUpToDate({ ...live, transport, upToDateAt: undefined }, 1000))
    }
  })
})
