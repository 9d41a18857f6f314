import { type Timeframe, timeframeSeconds } from "@chaintape/core/cex/Timeframe"
import { Option } from "effect"
import type { LastCandle } from "./Candles.ts"
import type { Completeness, SourceTrades } from "./ExchangeSource.ts"

const proof = {
  complete: "complete=?1",
  incomplete: "complete=?0",
  unverifiable: "verifiable=?0"
} as const

/** The header `Chaintape-Coverage`: what is known of a range of times (Unix ms). */
export const coverageOf = (completeness: Completeness, from: number | undefined, to: number | undefined): string =>
  [
    proof[completeness],
    ...(from === undefined ? [] : [`from=${from}`]),
    ...(to === undefined ? [] : [`to=${to}`])
  ].join(", ")

/** The same for the range from the first to the last trade. */
export const coverageHeader = ({ completeness, trades }: SourceTrades, since: Option.Option<number>): string =>
  coverageOf(
    completeness,
    Option.getOrElse(since, () => trades[0]?.timestamp),
    trades.at(-1)?.timestamp
  )

/** The same for a candle. One of the exchange is its own word: no trades of ours prove it. */
export const candleCoverage = (
  { candle: { start }, completeness }: Pick<LastCandle, "candle" | "completeness">,
  timeframe: Timeframe
): string => `${proof[completeness]}, from=${start}, to=${start + timeframeSeconds[timeframe] * 1000 - 1}`
