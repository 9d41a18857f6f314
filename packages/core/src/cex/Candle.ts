/**
 * Candles (aggregates) of a market on a centralized exchange.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { Milliseconds } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"
import { Timeframe, timeframeSeconds } from "./Timeframe.ts"

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
  t: Milliseconds,
  o: Schema.Finite,
  h: Schema.Finite,
  l: Schema.Finite,
  c: Schema.Finite,
  v: Schema.Finite
}).annotate({ identifier: "Candle" })

/**
 * @since 0.1.0
 * @category models
 */
export type Candle = typeof Candle.Type

/**
 * The end of a candle, where the next one starts: it contains the trades before it.
 *
 * @example
 * ```ts
 * import { type Candle, candleEnd } from "@chaintape/core"
 * import * as DateTime from "effect/DateTime"
 *
 * const describe = (candle: Candle): string => `${candle.c} at ${DateTime.formatIso(candleEnd(candle))}`
 * ```
 *
 * @since 0.1.0
 * @category times
 */
export const candleEnd = (candle: Pick<Candle, "t" | "timeframe">): DateTime.Utc =>
  DateTime.add(candle.t, { seconds: timeframeSeconds[candle.timeframe] })

/**
 * Whether the time of a candle is over by the clock of the caller. The exchange's own statement is `candleClosed` of
 * the answer, which takes precedence: an exchange may still update a candle whose time has just ended.
 *
 * @example
 * ```ts
 * import { type Candle, isCandleOver } from "@chaintape/core"
 * import * as DateTime from "effect/DateTime"
 * import * as Effect from "effect/Effect"
 *
 * const isOver = (candle: Candle) => Effect.map(DateTime.now, (now) => isCandleOver(candle, now))
 * ```
 *
 * @since 0.1.0
 * @category times
 */
export const isCandleOver = (candle: Pick<Candle, "t" | "timeframe">, now: DateTime.DateTime): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, candleEnd(candle))
