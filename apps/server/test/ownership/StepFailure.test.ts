import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlError } from "effect/sql"
import { toResult } from "../../src/ownership/StepFailure.ts"
import { storeAway } from "./StubStore.ts"

/** A statement that the database refused, as its client reports it. */
const refused = new SqlError.SqlError({
  reason: new SqlError.UnknownError({
    cause: new Error('could not extend file "base/5/16691": No space left on device'),
    message: "PgConnection: Query failed"
  })
})

/** The message of a step that fails. */
const getMessage = (step: Effect.Effect<void, SqlError.SqlError>) =>
  Effect.map(toResult(step), (result) => (Result.isFailure(result) ? result.failure.message : undefined))

describe("the failure of a step", () => {
  it.effect("has the reason of the database, such as a full disk", () =>
    Effect.gen(function* () {
      const message = 'The store failed: could not extend file "base/5/16691": No space left on device.'
      assert.strictEqual(yield* getMessage(Effect.fail(refused)), message)
      assert.strictEqual(yield* getMessage(Effect.die(refused)), message)
    })
  )

  it.effect("does not name the address of a server that cannot be reached", () =>
    Effect.gen(function* () {
      const cause = new Error("connect ECONNREFUSED 10.0.0.5:5432")
      const reason = new SqlError.ConnectionError({ cause, message: "PgConnection: Failed to connect" })
      assert.strictEqual(
        yield* getMessage(Effect.fail(new SqlError.SqlError({ reason }))),
        "PgConnection: Failed to connect"
      )
      assert.strictEqual(yield* getMessage(Effect.fail(storeAway)), "The store is away.")
    })
  )
})
