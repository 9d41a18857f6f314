import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { SqlError } from "effect/sql"
import { toViewError } from "../../../../src/dex/Deployments.ts"
import { toDexSourceError } from "../../../../src/dex/index/read/SqlFailure.ts"

describe("an index whose store is away", () => {
  it.effect("is not ready, as everything else that needs the store", () =>
    Effect.gen(function* () {
      const reason = new SqlError.ConnectionError({ cause: new Error("Connection closed") })
      const failed = toDexSourceError.SqlError(new SqlError.SqlError({ reason }))
      const problem = toViewError(yield* Effect.flip(failed))
      assert.strictEqual(problem._tag, "NotReady")
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
