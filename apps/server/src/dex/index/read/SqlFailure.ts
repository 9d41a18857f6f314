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

/** Maps a failure of the store to a failure of the index. */
export const toDexSourceError = {
  SqlError: ({ message }: SqlError.SqlError) =>
    Effect.fail(
      new DexSourceError({
        source: "index",
        reason: "Unavailable",
        message: `The store of the index does not answer: ${message}`
      })
    ),
  SchemaError: ({ message }: Schema.SchemaError) =>
    Effect.fail(
      new DexSourceError({
        source: "index",
        reason: "BadResponse",
        message: `The store of the index holds a row that cannot be read: ${message}`
      })
    )
}
