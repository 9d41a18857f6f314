/**
 * The lengths of a candle.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Label of a candle length: one of `1m`, `5m`, `15m`, `1h`, `6h`, `1d`.
 *
 * @since 0.1.0
 * @category models
 */
export const Timeframe = Schema.Literals(["1m", "5m", "15m", "1h", "6h", "1d"]).annotate({
  identifier: "Timeframe",
  description: "Length of a candle"
})

/**
 * @since 0.1.0
 * @category models
 */
export type Timeframe = typeof Timeframe.Type

/**
 * The length of each timeframe in seconds.
 *
 * @since 0.1.0
 * @category constants
 */
export const timeframeSeconds = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3600,
  "6h": 21_600,
  "1d": 86_400
} as const satisfies Record<Timeframe, number>
