import { makeDirectory } from "../files/makeDirectory.ts"

/** The folder of the service's data, if CHAINTAPE_DATA_DIR names no other. */
export const standardDataDirectory = ".chaintape"

/** The folder before the program reads its configuration. */
export const earlyDataDirectory = (): string => process.env["CHAINTAPE_DATA_DIR"] || standardDataDirectory

/** Makes the folder of Node's compile cache, beside the data; undefined if it cannot be made, where Node would never return. */
export const makeCompiledFolder = (): string | undefined => {
  const folder = `${earlyDataDirectory()}/compiled`
  try {
    makeDirectory(folder)
    return folder
  } catch {
    // The code that needs the data reports why; the cache only makes the start faster.
    return undefined
  }
}
