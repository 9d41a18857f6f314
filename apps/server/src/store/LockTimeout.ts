import { SqlError } from "effect/sql"
import type { SqlClient } from "effect/sql"

/**
 * Limits how long the statements of this transaction wait for a lock. A statement that waits for a strong lock makes every
 * later reader and writer of the table wait behind it, so that it must give up soon where another session, such as a backup,
 * holds the table.
 */
export const limitLockWaits = (sql: SqlClient.SqlClient, milliseconds: number) =>
  sql`select set_config('lock_timeout', ${String(milliseconds)}, true)`

/** Whether a statement failed because it waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"
