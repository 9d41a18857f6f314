import { mkdirSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

/**
 * Keeps a second process out of the embedded database, which would lose rows silently. The kernel holds the lock and
 * drops it when the process dies, so that it never goes stale. It lies beside the directory, not inside.
 */
export const lockDirectory = (dataDir: string): { readonly release: () => void } => {
  mkdirSync(dataDir, { recursive: true })
  const database = new DatabaseSync(`${dataDir}.lock`)
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE")
  } catch (cause) {
    database.close()
    throw new Error(
      `"${dataDir}" is open in another process: stop that one, or set CHAINTAPE_DATA_DIR to another directory`,
      { cause }
    )
  }
  return { release: () => database.close() }
}
