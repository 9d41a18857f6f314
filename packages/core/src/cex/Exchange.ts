/**
 * Centralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import type { Exchange, ExchangeSummary } from "@chaintape/core"
 *
 * const inMenu = ({ id, name }: ExchangeSummary): string => `${name} (${id})`
 * const hasHours = ({ aggregateTimeframes }: Exchange): boolean => aggregateTimeframes["1h"] !== undefined
 * ```
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
  name: Schema.String.annotate({ examples: ["Kraken"] }),
  id: Schema.String.annotate({ examples: ["kraken"] })
}) {}

/**
 * The properties of an exchange, and the operations that it supports.
 *
 * @since 0.1.0
 * @category models
 */
export class Exchange extends Schema.Class<Exchange>("Exchange")({
  name: Schema.String.annotate({ examples: ["Kraken"] }),
  id: Schema.String.annotate({ examples: ["kraken"] }),
  countries: Schema.Array(Schema.String),
  hasTrades: Schema.Boolean,
  hasAggregates: Schema.Boolean,
  aggregateTimeframes: Schema.Record(Timeframe, Schema.optionalKey(Schema.Int)),
  url: Schema.String,
  fees: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  docs: Schema.String,
  logo: Schema.String
}) {}
