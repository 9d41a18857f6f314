import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anvilBinary } from "../../../src/devnet/node/AnvilBinary.ts"

describe("anvilBinary", () => {
  it.effect("names the platform and the package when there is no anvil for it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(anvilBinary("plan9", "x64"))
      assert.strictEqual(error.reason, "Unsupported")
      assert.include(error.message, '"@foundry-rs/anvil-plan9-amd64"')
      assert.include(error.message, '"plan9 x64"')
    })
  )
})
