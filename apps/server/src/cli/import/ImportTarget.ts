import { Effect, Option } from "effect"
import { catalogExchange } from "../../cex/ccxt/catalog/Catalog.ts"
import { getQuirk } from "../../cex/ccxt/catalog/Quirks.ts"
import type { CcxtExchangeEntry } from "../../cex/ccxt/upstream/CcxtConnections.ts"
import type { ConfigFile } from "../../program/Config.ts"
import { readConfigFile } from "../../program/ReadConfigFile.ts"
import { wrongUsage } from "../terminal/CommandError.ts"
import { findConfigFile } from "../verify/Target.ts"

/** The exchange of an import. */
export interface ImportTarget {
  readonly entry: CcxtExchangeEntry
  /** The ccxt id of its class. */
  readonly driver: string
  /** The id of a market's first trade; undefined if its ids are not known to be consecutive. */
  readonly firstId: number | undefined
  readonly retentionDays: number | undefined
}

/** An exchange of the configuration, or of the catalog. */
export const findExchange = Effect.fn("ImportTarget.findExchange")(function* (
  exchange: string,
  given: Option.Option<string>
) {
  const file = yield* findConfigFile(given)
  const config: ConfigFile = Option.isNone(file)
    ? {}
    : yield* readConfigFile(file.value, () => true).pipe(Effect.mapError(({ message }) => wrongUsage(message)))
  const entry = config.exchanges?.find(({ id }) => id === exchange) ?? { id: exchange }
  const driver = entry.driver ?? exchange
  if (catalogExchange(driver) === undefined) {
    return yield* wrongUsage(
      `There is no exchange "${exchange}": give an id of /v2/cex/exchanges, or one of the configuration file.`
    )
  }
  const firstId = getQuirk(driver).cursor?.firstId
  return { entry, driver, firstId, retentionDays: config.tape?.retentionDays } satisfies ImportTarget
})
