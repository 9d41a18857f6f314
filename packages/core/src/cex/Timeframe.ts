/**
 * The lengths of a candle.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Timeframe, timeframeSeconds } from "@chaintape/core"
 * import * as Schema from "effect/Schema"
 *
 * const quarter: Timeframe = "15m"
 * assert.equal(timeframeSeconds[quarter], 900)
 * assert.equal(Schema.is(Timeframe)("7m"), false)
 * ```
 */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

/**
 * Label of a candle length: one of `1m`, `5m`, `15m`, `1h`, `6h`, `1d`.
 *
 * @since 0.1.0
 * @category models
 */
export const Timeframe = /* @__PURE__ */ Schema.Literals(["1m", "5m", "15m", "1h", "6h", "1d"]).annotate({
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

/**
 * The start of the candle that contains a time: the last multiple of the timeframe since 1970, UTC.
 *
 * @example
 * ```ts
 * import { timeframeStart } from "@chaintape/core"
 * import * as DateTime from "effect/DateTime"
 *
 * const start = timeframeStart("6h", DateTime.makeUnsafe("2026-11-21T10:59:00Z"))
 * console.log(DateTime.formatIso(start)) // 2026-11-21T06:00:00.000Z
 * ```
 *
 * @since 0.1.0
 * @category times
 */
export const timeframeStart = (timeframe: Timeframe, time: DateTime.DateTime): DateTime.Utc => {
  const length = timeframeSeconds[timeframe] * 1000
  return DateTime.makeUnsafe(Math.floor(DateTime.toEpochMillis(time) / length) * length)
}
