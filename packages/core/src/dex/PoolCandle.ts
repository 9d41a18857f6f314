/**
 * Candles (aggregates) of a pool, from its swaps. An addition beside the specified interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { Timeframe } from "../cex/Timeframe.ts"
import { Decimal } from "../number/Decimal.ts"
import { SecondsText } from "../time/Timestamp.ts"
import { PoolAddress } from "./Address.ts"

const volumes = {
  /** Token 0 that was swapped, in whole tokens. */
  volumeToken0: Decimal,
  /** Token 1 that was swapped, in whole tokens. */
  volumeToken1: Decimal,
  /** Swapped in USD. */
  volumeUSD: Decimal,
  /** The number of swaps. */
  txCount: Decimal
}

const Named = Schema.Struct({
  /** The start of the candle, in UTC. */
  openTime: Schema.DateTimeUtc,
  /** Token 1 for one token 0 before the first swap. */
  open: Decimal,
  /** The highest price: token 1 for one token 0. */
  high: Decimal,
  /** The lowest price: token 1 for one token 0. */
  low: Decimal,
  /** Token 1 for one token 0 after the last swap. */
  close: Decimal,
  ...volumes
})

/**
 * One candle. `openTime` is its start; prices are those of one token 0 in token 1. `open` is the price before its first
 * swap, so that it is the `close` of the candle before it. `txCount` is the number of its swaps.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Decimal, type PoolCandle } from "@chaintape/core"
 *
 * const isUp = ({ close, open }: PoolCandle): boolean => Decimal.Order(close, open) > 0
 * ```
 */
export const PoolCandle = /* @__PURE__ */ (() =>
  Schema.Struct({ t: SecondsText, o: Decimal, h: Decimal, l: Decimal, c: Decimal, ...volumes })
    .annotate({ identifier: "PoolCandle" })
    .pipe(
      Schema.decodeTo(
        Schema.toType(Named),
        SchemaTransformation.transform({
          decode: ({ c, h, l, o, t, ...rest }) => ({ ...rest, openTime: t, open: o, high: h, low: l, close: c }),
          encode: ({ close, high, low, open, openTime, ...rest }) => ({
            ...rest,
            t: openTime,
            o: open,
            h: high,
            l: low,
            c: close
          })
        })
      )
    ))()

/**
 * @since 0.1.0
 * @category models
 */
export type PoolCandle = typeof PoolCandle.Type

/**
 * Candles of one pool, oldest first. A candle without a swap is absent.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Decimal, type PoolCandles } from "@chaintape/core"
 *
 * const volume = ({ candles }: PoolCandles): Decimal.Decimal =>
 *   Decimal.sum(candles.map(({ volumeUSD }) => volumeUSD))
 * ```
 */
export const PoolCandles = /* @__PURE__ */ (() =>
  Schema.Struct({ pool: PoolAddress, timeframe: Timeframe, aggregates: Schema.Array(PoolCandle) })
    .annotate({ identifier: "PoolCandles" })
    .pipe(
      Schema.decodeTo(
        Schema.toType(Schema.Struct({ pool: PoolAddress, timeframe: Timeframe, candles: Schema.Array(Named) })),
        SchemaTransformation.transform({
          decode: ({ aggregates, ...rest }) => ({ ...rest, candles: aggregates }),
          encode: ({ candles, ...rest }) => ({ ...rest, aggregates: candles })
        })
      )
    )
    .annotate({ description: "PoolCandles" }))()

/**
 * @since 0.1.0
 * @category models
 */
export type PoolCandles = typeof PoolCandles.Type
