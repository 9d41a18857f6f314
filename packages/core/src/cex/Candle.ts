/**
 * Candles (aggregates) of a market on a centralized exchange.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Milliseconds } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"
import { Timeframe } from "./Timeframe.ts"

/**
 * One candle. `t` is its start; prices are in the quote, the volume in the base.
 *
 * @since 0.1.0
 * @category models
 */
export const Candle = Schema.Struct({
  exchange: Schema.String,
  market: Market,
  timeframe: Timeframe,
  t: Milliseconds.annotate({ description: "Start of the candle (Unix milliseconds on the wire)" }),
  o: Schema.Finite.annotate({ description: "First price" }),
  h: Schema.Finite.annotate({ description: "Highest price" }),
  l: Schema.Finite.annotate({ description: "Lowest price" }),
  c: Schema.Finite.annotate({ description: "Last price" }),
  v: Schema.Finite.annotate({ description: "Quantity of the base that was traded" })
}).annotate({ identifier: "Candle" })

/**
 * @since 0.1.0
 * @category models
 */
export type Candle = typeof Candle.Type
