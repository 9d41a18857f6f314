import { Config } from "effect"
import { standardDataDirectory } from "../../internal/process/dataDirectory.ts"

/** The folder of the service's data, by the same variable as for the service. */
export const dataDirectory = Config.String("CHAINTAPE_DATA_DIR").pipe(Config.withDefault(standardDataDirectory))
