import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"

/** Where the directory is for the moment in which a restored one takes its place. */
export const displacedDirectory = (dataDir: string): string => `${dataDir}.displaced`

/** A crash in that moment left no directory, or an empty one in its place: the one from before comes back. */
const bringBack = (dataDir: string) => {
  const displaced = displacedDirectory(dataDir)
  if (!existsSync(displaced)) return
  if (existsSync(dataDir)) {
    if (readdirSync(dataDir).length > 0) return
    rmdirSync(dataDir)
  }
  renameSync(displaced, dataDir)
}

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
  bringBack(dataDir)
  return { release: () => database.close() }
}
