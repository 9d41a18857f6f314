import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BlockOutOfRangeError, DexSourceError } from "../../../../src/dex/DexSource.ts"
import type { DexReadError } from "../../../../src/dex/DexSource.ts"
import { explainFailure } from "../../../../src/dex/index/read/IndexView.ts"
import type { IndexStatus } from "../../../../src/status/IndexStatuses.ts"

const key = "uniswap-v3/devnet"

const status: IndexStatus = {
  key,
  state: "starting",
  head: null,
  indexed: null,
  lag: null,
  proven: null,
  unproven: null,
  reorgs: 0,
  lastError: "The nodes do not answer."
}

const explain = (error: DexReadError, lastError: string | null = status.lastError) =>
  Effect.flip(
    explainFailure(
      { all: Effect.succeed([{ ...status, lastError }]), watchUnchanged: () => Effect.undefined },
      key,
      error
    )
  )

const noBlock = new DexSourceError({ source: "index", reason: "NotReady", message: "It has no block yet." })
const above = new BlockOutOfRangeError({ block: 8, first: 2, head: 7 })

describe("the failure of an index that does not go on", () => {
  it.effect("says why, where the index has no block", () =>
    Effect.gen(function* () {
      const { message } = yield* explain(noBlock)
      assert.strictEqual(message, `The index of "${key}" has no block yet. The nodes do not answer.`)
    })
  )

  it.effect("says why, where the block is above those of the index", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* explain(above), { block: 8, first: 2, head: 7, why: "The nodes do not answer." })
    })
  )

  it.effect.each<readonly [what: string, error: DexReadError, lastError?: null]>([
    ["an index without an error has no block", noBlock, null],
    ["the block is above those of an index without an error", above, null],
    ["the block is below those of the index", new BlockOutOfRangeError({ block: 1, first: 2, head: 7 })],
    ["a reorg removed the state", new DexSourceError({ source: "index", reason: "Reorged", message: "A reorg." })]
  ])("stays as it is where %s", ([, error, lastError]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* explain(error, lastError), error)
    })
  )
})
