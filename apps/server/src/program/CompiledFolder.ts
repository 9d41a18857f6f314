import { earlyDataDirectory } from "../internal/dataDirectory.ts"

/** Node's compile cache, beside the data. */
export const compiledFolder = (): string => `${earlyDataDirectory()}/compiled`
