import { type Timeframe, timeframeSeconds } from "@chaintape/core/cex/Timeframe"
import { Option } from "effect"
import type { LastCandle } from "../candles/Candles.ts"
import type { Completeness, SourceTrades } from "../ExchangeSource.ts"

const proof = {
  complete: "complete=?1",
  incomplete: "complete=?0",
  unverifiable: "verifiable=?0"
} as const

/** The header `Chaintape-Coverage`: what is proven about a range of times (Unix ms). */
export const toCoverage = (completeness: Completeness, from: number | undefined, to: number | undefined): string =>
  [
    proof[completeness],
    ...(from === undefined ? [] : [`from=${from}`]),
    ...(to === undefined ? [] : [`to=${to}`])
  ].join(", ")

/** The same for the range from the first to the last trade. */
export const coverageHeader = ({ completeness, trades }: SourceTrades, since: Option.Option<number>): string =>
  toCoverage(
    completeness,
    Option.getOrElse(since, () => trades[0]?.timestamp),
    trades.at(-1)?.timestamp
  )

/** The same for a candle. A candle of the exchange is unverified: no recorded trades prove it. */
export const candleCoverage = (
  { candle: { start }, completeness }: Pick<LastCandle, "candle" | "completeness">,
  timeframe: Timeframe
): string => `${proof[completeness]}, from=${start}, to=${start + timeframeSeconds[timeframe] * 1000 - 1}`
