import type { Schema } from "effect"
import type { SqlError } from "effect/sql"

/** The store failed, or holds a row that cannot be read. */
export type StoreError = SqlError.SqlError | Schema.SchemaError
