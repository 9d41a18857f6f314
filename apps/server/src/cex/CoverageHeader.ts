import { type Timeframe, timeframeSeconds } from "@chaintape/core/cex/Timeframe"
import { Option } from "effect"
import type { SourceCandle, SourceTrades } from "./ExchangeSource.ts"

const proof = {
  complete: "complete=?1",
  incomplete: "complete=?0",
  unverifiable: "verifiable=?0"
} as const

/** The header `Chaintape-Coverage`: what is known of the range from the first to the last trade. */
export const coverageHeader = ({ completeness, trades }: SourceTrades, since: Option.Option<number>): string => {
  const from = Option.getOrElse(since, () => trades[0]?.timestamp)
  const to = trades.at(-1)?.timestamp
  return [
    proof[completeness],
    ...(from === undefined ? [] : [`from=${from}`]),
    ...(to === undefined ? [] : [`to=${to}`])
  ].join(", ")
}

/** A candle is the exchange's own word: no trades of ours prove it. */
export const candleCoverage = ({ start }: SourceCandle, timeframe: Timeframe): string =>
  `${proof.unverifiable}, from=${start}, to=${start + timeframeSeconds[timeframe] * 1000 - 1}`
