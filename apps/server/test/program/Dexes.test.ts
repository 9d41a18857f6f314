import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DexSourceError } from "../../src/dex/DexSource.ts"
import { explainNoBlock } from "../../src/program/Dexes.ts"
import type { IndexStatus } from "../../src/status/IndexStatuses.ts"

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

const explain = (error: DexSourceError) =>
  Effect.flip(
    explainNoBlock({ all: Effect.succeed([status]), watchUnchanged: () => Effect.undefined }, key, error)
  ).pipe(Effect.map(({ message }) => message))

describe("the failure of an index that does not go on", () => {
  it.effect("says why, where the index has no block", () =>
    Effect.gen(function* () {
      const none = new DexSourceError({ source: "index", reason: "NotReady", message: "It has no block yet." })
      assert.strictEqual(yield* explain(none), `The index of "${key}" has no block yet. The nodes do not answer.`)
    })
  )
})
