import { Effect } from "effect"
import type { Schema } from "effect"
import type { SqlError } from "effect/sql"
import { DexSourceError } from "../../DexSource.ts"

/** The chain replaced the blocks whose state is read. */
export const toReorged = (what: string): DexSourceError =>
  new DexSourceError({
    source: "index",
    reason: "Reorged",
    message: `The chain replaced blocks while ${what} read. Ask again.`
  })

const fail = (reason: "StoreAway" | "BadResponse", message: string, cause: unknown) =>
  Effect.andThen(
    Effect.logError(message, cause),
    Effect.fail(new DexSourceError({ source: "index", reason, message: `${message} The log has the cause.` }))
  )

/**
 * Maps a failure of the store to a failure of the index. The cause is logged: callers can do nothing with it. The store is
 * the service's own: its absence is no failure of a source.
 */
export const toDexSourceError = {
  SqlError: (error: SqlError.SqlError) => fail("StoreAway", "The store of the index does not answer.", error),
  SchemaError: (error: Schema.SchemaError) =>
    fail("BadResponse", "The store of the index holds a row that cannot be read.", error)
}
