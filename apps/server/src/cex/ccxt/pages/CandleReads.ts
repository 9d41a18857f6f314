import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Clock, Effect } from "effect"
import type { Option } from "effect"
import * as ExactDecimal from "../../../internal/ExactDecimal.ts"
import type { ExchangeError, SourceCandle } from "../../ExchangeSource.ts"
import type { MarketReads } from "./MarketReads.ts"

/** The candles of one market at an exchange. */
export interface CandleReads extends MarketReads {
  /** Time of the newest trade (Unix ms), requested only if the newest candles that are read contain no trade. */
  readonly lastTradeTime: Effect.Effect<Option.Option<number>, ExchangeError>
}

/** Candles of the exchange: their length in milliseconds, and ccxt's label of it. */
export interface FrameSource {
  readonly part: number
  readonly label: string
}

/** The exchange's timeframes for a candle of this length: its own, then its divisors, the longest first. */
export const toSources = (reads: Pick<CandleReads, "upstream">, timeframe: Timeframe): ReadonlyArray<FrameSource> =>
  Object.entries(reads.upstream.driver.adapter.frames)
    .map(([seconds, label]) => ({ part: Number(seconds) * 1000, label }))
    .filter(({ part }) => (timeframeSeconds[timeframe] * 1000) % part === 0)
    .sort((left, right) => right.part - left.part)

export const noCandles = ({ upstream }: CandleReads, timeframe: Timeframe): ExchangeError =>
  upstream.fail("NotSupported", `The exchange "${upstream.id}" has no candles that give one of ${timeframe}.`)

/** Up to `rows` candles from a start on (Unix ms), or the newest ones. */
export const candlePage = Effect.fnUntraced(function* (
  reads: CandleReads,
  { label, part }: FrameSource,
  rows: number,
  since?: number
) {
  const request = { symbol: reads.symbol, label, limit: rows }
  if (reads.upstream.quirk.candlesNeedTimes !== true) {
    return yield* reads.upstream.candles({ ...request, since }, reads.deadline)
  }
  const start = since ?? Math.floor((yield* Clock.currentTimeMillis) / part) * part - (rows - 1) * part
  const until = start + rows * part - 1
  return yield* reads.upstream.candles({ ...request, since: start, until }, reads.deadline)
})

/** Exchanges add empty candles if nothing was traded. */
export const hasTrade = ({ volume }: SourceCandle): boolean => volume !== "0"

/** One candle of its parts, in order; undefined without parts. */
export const combineCandles = (
  start: number,
  [first, ...others]: ReadonlyArray<SourceCandle>
): SourceCandle | undefined =>
  first &&
  others.reduce(
    (whole, part) => ({
      start,
      open: whole.open,
      high: ExactDecimal.compare(part.high, whole.high) > 0 ? part.high : whole.high,
      low: ExactDecimal.compare(part.low, whole.low) < 0 ? part.low : whole.low,
      close: part.close,
      volume: ExactDecimal.add(whole.volume, part.volume)
    }),
    { ...first, start }
  )
