import { Exchange } from "@chaintape/core"
import { Schema } from "effect"
import catalog from "./catalog.json" with { type: "json" }

/** An exchange of ccxt under the names of the interface, with the properties that the adapter needs. */
export const CatalogExchange = Schema.Struct({
  ...Exchange.fields,
  adapter: Schema.Struct({
    /** ccxt's label of each native candle length, by its seconds. */
    frames: Schema.Record(Schema.String, Schema.String),
    /** Whether the class sends `since` to the exchange; otherwise it filters the recent page. */
    sinceOnWire: Schema.Boolean,
    /** The largest page size of trades, if known. */
    pageCap: Schema.NullOr(Schema.Int)
  })
})

export type CatalogExchange = typeof CatalogExchange.Type

const Catalog = Schema.Struct({ ccxt: Schema.NonEmptyString, exchanges: Schema.Array(CatalogExchange) })

const decoded = Schema.decodeUnknownSync(Catalog)(catalog)

const byId: ReadonlyMap<string, CatalogExchange> = new Map(decoded.exchanges.map((exchange) => [exchange.id, exchange]))

/** Every exchange of ccxt, by id in ascending order. */
export const catalogExchanges: ReadonlyArray<CatalogExchange> = decoded.exchanges

/** The exchange of an id. Names of inherited properties (`__proto__`, `toString`) are no ids. */
export const catalogExchange = (id: string): CatalogExchange | undefined => byId.get(id)
