import { DatabaseSync } from "node:sqlite"

/** SQLITE_BUSY. */
const sqliteBusy = 5

const isLockedError = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === sqliteBusy

/**
 * Locks a file, which is made if it is absent; undefined if another process has locked it. The kernel holds the lock and
 * releases it when the process dies, so that it is never stale. Throws if the file cannot be made.
 */
export const lockFile = (path: string): { readonly release: () => void } | undefined => {
  const database = new DatabaseSync(path)
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE")
  } catch (cause) {
    database.close()
    if (isLockedError(cause)) return undefined
    throw cause
  }
  return { release: () => database.close() }
}
