import { Exchange } from "@chaintape/core"
import { catalogExchange, catalogExchanges } from "./Catalog.ts"
import type { CatalogExchange } from "./Catalog.ts"

export interface ConfiguredExchange {
  readonly id: string
  readonly name?: string | undefined
  /** The id of the catalog's exchange whose protocol it uses; the entry's own id if absent. */
  readonly driver?: string | undefined
  /** Its address, if it is not the exchange of the catalog itself. */
  readonly rest?: string | undefined
}

const toExchange = ({ adapter: _adapter, ...fields }: CatalogExchange) => new Exchange(fields)

/** An exchange at another address supports the operations of its driver; nothing else is known of it. */
const configured = ({ driver: driverId, id, name, rest }: ConfiguredExchange): Exchange | undefined => {
  const driver = catalogExchange(driverId ?? id)
  if (driver === undefined) return undefined
  if (rest === undefined) return toExchange({ ...driver, id, name: name ?? driver.name })
  return toExchange({ ...driver, id, name: name ?? id, countries: [], url: rest, fees: [], docs: "", logo: "" })
}

/** Whether an entry can be served: ccxt must know its driver. */
export const isKnownDriver = (id: string): boolean => catalogExchange(id) !== undefined

/** Every exchange of the catalog, with the entries of the configuration added or replacing theirs; by id, ascending. */
export const toExchanges = (entries: ReadonlyArray<ConfiguredExchange>): ReadonlyArray<Exchange> => {
  const byId = new Map(catalogExchanges.map((exchange) => [exchange.id, toExchange(exchange)]))
  for (const entry of entries) {
    const exchange = configured(entry)
    if (exchange !== undefined) byId.set(entry.id, exchange)
  }
  return [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
