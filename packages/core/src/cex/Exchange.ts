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
  /** Its name, such as `Kraken`. */
  name: Schema.String.annotate({ examples: ["Kraken"] }),
  /** Its id in this interface, such as `kraken`. */
  id: Schema.String.annotate({ examples: ["kraken"] })
}) {}

/**
 * The properties of an exchange, and the operations that it supports.
 *
 * @since 0.1.0
 * @category models
 */
export class Exchange extends Schema.Class<Exchange>("Exchange")({
  /** Its name, such as `Kraken`. */
  name: Schema.String.annotate({ examples: ["Kraken"] }),
  /** Its id in this interface, such as `kraken`. */
  id: Schema.String.annotate({ examples: ["kraken"] }),
  /** The countries in which it is located. */
  countries: Schema.Array(Schema.String),
  /** Whether trades of its markets can be read. */
  hasTrades: Schema.Boolean,
  /** Whether candles of its markets can be read. */
  hasAggregates: Schema.Boolean,
  /** The timeframes of its candles, with their lengths in seconds. */
  aggregateTimeframes: Schema.Record(Timeframe, Schema.optionalKey(Schema.Int)),
  /** The address of its website. */
  url: Schema.String,
  /** Where its fees are listed; an empty array where that is unknown. */
  fees: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  /** The address of its documentation; "" where it is unknown. */
  docs: Schema.String,
  /** The address of its logo; "" where it is unknown. */
  logo: Schema.String
}) {}
