import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlError } from "effect/sql"
import { makeIndexReads } from "../../../src/cli/verify/IndexReads.ts"

describe("the reads of a verified index", () => {
  it.effect("fail with a sentence if its store does", () =>
    Effect.gen(function* () {
      const cause = new Error("No space left on device")
      const error = new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause }) })
      const reads = makeIndexReads(() => Effect.die(error))
      const { message } = yield* Effect.flip(reads.totals(5))
      const remedy = "The disk of the store is full: free space, and give the command again. (No space left on device)"
      assert.strictEqual(message, remedy)
    })
  )

  it.effect("fail with a sentence if a row of it cannot be read", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Schema.decodeUnknownEffect(Schema.Int)("five"))
      const reads = makeIndexReads(() => Effect.die(error))
      const { message } = yield* Effect.flip(reads.totals(5))
      assert.match(message, /^The store does not answer\. Expected /)
    })
  )
})
