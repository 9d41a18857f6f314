import { Exchange } from "@chaintape/core/cex/Exchange"
import { Layer, Option } from "effect"

import { ExchangeCatalog } from "../ExchangeCatalog.ts"
import { catalogExchange, catalogExchanges } from "./Catalog.ts"
import type { CatalogExchange } from "./Catalog.ts"

export interface ConfiguredExchange {
  readonly id: string
  readonly name?: string | undefined
  /** The id of the exchange in the catalog whose protocol it speaks; the entry's own id if absent. */
  readonly driver?: string | undefined
}

const toExchange = ({ adapter: _adapter, ...fields }: CatalogExchange) => new Exchange(fields)

const configured = (entry: ConfiguredExchange): Exchange | undefined => {
  const driver = catalogExchange(entry.driver ?? entry.id)
  if (driver === undefined) return undefined
  const name = entry.name ?? (entry.driver === undefined ? driver.name : entry.id)
  return toExchange({ ...driver, id: entry.id, name })
}

/** Whether an entry can be served: ccxt must know its driver. */
export const isKnownDriver = (id: string): boolean => catalogExchange(id) !== undefined

/** Every exchange of the catalog, with the entries of the configuration beside them or in their place. */
export const layer = (entries: ReadonlyArray<ConfiguredExchange>): Layer.Layer<ExchangeCatalog> =>
  Layer.sync(ExchangeCatalog, () => {
    const byId = new Map(catalogExchanges.map((exchange) => [exchange.id, toExchange(exchange)]))
    for (const entry of entries) {
      const exchange = configured(entry)
      if (exchange !== undefined) byId.set(entry.id, exchange)
    }
    const all = [...byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return ExchangeCatalog.of({ all, get: (id) => Option.fromUndefinedOr(byId.get(id)) })
  })
