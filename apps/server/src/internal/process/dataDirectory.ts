/** The folder of the service's data, if CHAINTAPE_DATA_DIR names no other. */
export const standardDataDirectory = ".chaintape"

/** The folder before the program reads its configuration. */
export const earlyDataDirectory = (): string => process.env["CHAINTAPE_DATA_DIR"] || standardDataDirectory

/** The folder of Node's compile cache, beside the data. */
export const compiledFolder = (): string => `${earlyDataDirectory()}/compiled`
