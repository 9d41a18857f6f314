import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Schema } from "effect"
import catalog from "./catalog.json" with { type: "json" }

const frameSeconds = Schema.Int.check(Schema.isGreaterThan(0))

/** An exchange that ccxt knows, under the names of the interface, with what the adapter has to know beside them. */
export const CatalogExchange = Schema.Struct({
  name: Schema.NonEmptyString,
  id: Schema.NonEmptyString,
  countries: Schema.Array(Schema.NonEmptyString),
  hasTrades: Schema.Boolean,
  hasAggregates: Schema.Boolean,
  aggregateTimeframes: Schema.Struct({
    "1m": Schema.optionalKey(frameSeconds),
    "5m": Schema.optionalKey(frameSeconds),
    "15m": Schema.optionalKey(frameSeconds),
    "1h": Schema.optionalKey(frameSeconds),
    "6h": Schema.optionalKey(frameSeconds),
    "1d": Schema.optionalKey(frameSeconds)
  } satisfies Record<Timeframe, unknown>),
  url: Schema.String,
  fees: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  docs: Schema.String,
  logo: Schema.String,
  adapter: Schema.Struct({
    /** ccxt's label of each native candle length, by its seconds. */
    frames: Schema.Record(Schema.String, Schema.String),
    /** Whether the class sends `since` to the exchange; otherwise it filters the recent page. */
    sinceOnWire: Schema.Boolean,
    /** The largest page of trades that may be asked for, where known. */
    pageCap: Schema.NullOr(Schema.Int)
  })
})

export type CatalogExchange = typeof CatalogExchange.Type

const Catalog = Schema.Struct({ ccxt: Schema.NonEmptyString, exchanges: Schema.Array(CatalogExchange) })

const decoded = Schema.decodeUnknownSync(Catalog)(catalog)

const byId: ReadonlyMap<string, CatalogExchange> = new Map(decoded.exchanges.map((exchange) => [exchange.id, exchange]))

/** The version of ccxt that the catalog describes. */
export const ccxtVersion: string = decoded.ccxt

/** Every exchange that ccxt knows, by id in ascending order. */
export const catalogExchanges: ReadonlyArray<CatalogExchange> = decoded.exchanges

/** The exchange of an id. Names of inherited properties (`__proto__`, `toString`) are no ids. */
export const catalogExchange = (id: string): CatalogExchange | undefined => byId.get(id)
