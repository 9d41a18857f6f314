/**
 * Centralized exchanges.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Timeframe } from "./Timeframe.ts"

/**
 * An exchange in the list of exchanges.
 *
 * @since 0.1.0
 * @category models
 */
export class ExchangeSummary extends Schema.Class<ExchangeSummary>("ExchangeSummary")({
  name: Schema.String.annotate({ description: "Official name", examples: ["Kraken"] }),
  id: Schema.String.annotate({ description: "Identifier in this interface", examples: ["kraken"] })
}) {}

/**
 * What is known about one exchange and what it offers.
 *
 * @since 0.1.0
 * @category models
 */
export class Exchange extends Schema.Class<Exchange>("Exchange")({
  name: Schema.String.annotate({ description: "Official name", examples: ["Kraken"] }),
  id: Schema.String.annotate({ description: "Identifier in this interface", examples: ["kraken"] }),
  countries: Schema.Array(Schema.String).annotate({ description: "Countries the exchange is located in" }),
  hasTrades: Schema.Boolean.annotate({ description: "Trades of a market can be read" }),
  hasAggregates: Schema.Boolean.annotate({ description: "Candles of a market can be read" }),
  aggregateTimeframes: Schema.Record(Timeframe, Schema.optionalKey(Schema.Int)).annotate({
    description: "Length in seconds of each timeframe that can be read"
  }),
  url: Schema.String.annotate({ description: "Website" }),
  fees: Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({
    description: "Where the fees are listed; an empty array where unknown"
  }),
  docs: Schema.String.annotate({ description: "Documentation of the exchange; empty where unknown" }),
  logo: Schema.String.annotate({ description: "Logo" })
}) {}
