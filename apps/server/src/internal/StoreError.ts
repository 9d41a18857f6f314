import { Data, Effect, Predicate } from "effect"
import type { Schema } from "effect"
import { SqlError } from "effect/sql"

/** The store failed, or holds a row that cannot be read. */
export type StoreError = SqlError.SqlError | Schema.SchemaError

/** Another process has the embedded store open. */
export class StoreInUseError extends Data.TaggedError("StoreInUseError")<{ readonly message: string }> {}

/**
 * For `Effect.catchTags`, where a read may also fail in other ways: the store is the service's own, so that no caller can act
 * on its failure. `http/response/Problems.ts` maps the defect.
 */
export const storeDefects = {
  SqlError: (error: SqlError.SqlError) => Effect.die(error),
  SchemaError: (error: Schema.SchemaError) => Effect.die(error)
}

/** The database's own error: that of a statement says no more than that it failed. */
export const toDatabaseCause = <E>(error: E): E | Error =>
  SqlError.isSqlError(error) && Predicate.isError(error.reason.cause) ? error.reason.cause : error
