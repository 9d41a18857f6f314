import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Option } from "effect"
import type { CandleHistory } from "../candles/CandleHistory.ts"
import type { LastCandle } from "../candles/Candles.ts"
import type { Completeness } from "../Completeness.ts"

/** The members of `Chaintape-Coverage` that state how complete a range is. */
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

/** The coverage of trades: from `since` or the first trade to the last one. */
export const tradesCoverage = (
  {
    completeness,
    trades
  }: { readonly completeness: Completeness; readonly trades: ReadonlyArray<{ readonly timestamp: number }> },
  since: Option.Option<number>
): string =>
  toCoverage(
    completeness,
    Option.getOrElse(since, () => trades[0]?.timestamp),
    trades.at(-1)?.timestamp
  )

/** The coverage of a candle. A candle of the exchange is unverified: no recorded trades prove it. */
export const candleCoverage = (
  { completeness, start }: Pick<LastCandle, "completeness" | "start">,
  timeframe: Timeframe
): string => `${proof[completeness]}, from=${start}, to=${start + timeframeSeconds[timeframe] * 1000 - 1}`

/** Servers and clients accept headers of some 16 kB. */
const maxRanges = 200

/**
 * The coverage of a list of candles: `unproven` has the first and the last start of each range that is not proven. Beyond
 * the limit the last range contains all further ones, and what lies between them. A window in which no candle starts has
 * no ends.
 */
export const candlesCoverage = (
  { completeness, scope: { from, to }, unproven }: Pick<CandleHistory, "completeness" | "scope" | "unproven">,
  timeframe: Timeframe
): string => {
  const listed = unproven.slice(0, maxRanges)
  const end = unproven.at(-1)?.to
  const starts = listed.flatMap((range, at) => [range.from, at === maxRanges - 1 ? end : range.to])
  const ends = from > to ? [] : [from, to + timeframeSeconds[timeframe] * 1000 - 1]
  const coverage = toCoverage(completeness, ends[0], ends[1])
  return starts.length === 0 ? coverage : `${coverage}, unproven=(${starts.join(" ")})`
}
