import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { makeIndexReads } from "../../src/cli/verify/IndexReads.ts"

describe("the reads of a verified index", () => {
  it.effect("fail with a sentence if its store does", () =>
    Effect.gen(function* () {
      const cause = new Error("No space left on device")
      const error = new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause }) })
      const reads = makeIndexReads(() => Effect.die(error))
      const { message } = yield* Effect.flip(reads.totals(5))
      assert.strictEqual(message, "The store of the verification does not answer. No space left on device")
    })
  )
})
