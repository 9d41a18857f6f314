import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { artifact, compile } from "../../../scripts/compile-contracts.ts"

describe("contracts.json", () => {
  it.effect("is the compiler's output for the sources", () =>
    Effect.gen(function* () {
      const kept = yield* Effect.promise(() => readFile(artifact, "utf8"))
      assert.strictEqual(kept, yield* compile)
    })
  )
})
