import { accessSync, constants, existsSync, readdirSync, renameSync, rmdirSync } from "node:fs"
import { dirname } from "node:path"
import { lockFile } from "../../internal/files/lockFile.ts"
import { makeDirectory } from "../../internal/files/makeDirectory.ts"
import { StoreInUseError } from "../../internal/StoreError.ts"
import { toMessage } from "../../internal/toMessage.ts"

/** The location of the old directory while a restored one replaces it. */
export const displacedDirectory = (dataDir: string): string => `${dataDir}.displaced`

/** After a crash during a restore the directory is missing or empty: the old one is moved back. */
const bringBack = (dataDir: string) => {
  const displaced = displacedDirectory(dataDir)
  if (!existsSync(displaced)) return
  if (existsSync(dataDir)) {
    if (readdirSync(dataDir).length > 0) return
    rmdirSync(dataDir)
  }
  renameSync(displaced, dataDir)
}

/** The runtime names the wrong reason for a directory that it cannot make on a read-only file system. */
const makeWritable = (dataDir: string): void => {
  const toNearest = (path: string): string => (existsSync(path) ? path : toNearest(dirname(path)))
  try {
    accessSync(toNearest(dataDir), constants.W_OK)
    makeDirectory(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new Error(
      `"${dataDir}" cannot be written: make it writable for the user of the service, or set CHAINTAPE_DATA_DIR to another directory (${toMessage(cause)})`,
      { cause }
    )
  }
}

const lockBeside = (dataDir: string) => {
  try {
    return lockFile(`${dataDir}.lock`)
  } catch (cause) {
    throw new Error(
      `"${dataDir}" cannot be locked: free space if its disk is full, and make "${dataDir}.lock" writable for the user of the service (${toMessage(cause)})`,
      { cause }
    )
  }
}

/**
 * Excludes a second process from the embedded database, which would silently lose rows. The lock lies beside the
 * directory, not inside.
 */
export const lockDirectory = (dataDir: string): { readonly release: () => void } => {
  makeWritable(dataDir)
  const lock = lockBeside(dataDir)
  if (lock === undefined) {
    throw new StoreInUseError({
      message: `"${dataDir}" is open in another process: stop that one, or set CHAINTAPE_DATA_DIR to another directory`
    })
  }
  bringBack(dataDir)
  return lock
}
