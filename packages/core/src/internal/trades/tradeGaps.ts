/** The gaps that a live stream of trades reports, and what they mean for the coverage of its pages. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Trade } from "../../cex/Trade.ts"
import type { Coverage } from "../../operation/Answer.ts"
import type { TradeGap } from "./tradePage.ts"
import type { ReportedGap, TradePosition } from "./tradePosition.ts"

export const toGap = ({ from, missing, to }: ReportedGap, state: TradeGap["state"]): TradeGap => ({
  state,
  from: DateTime.makeUnsafe(from),
  to: DateTime.makeUnsafe(to),
  missing: Option.fromUndefinedOr(missing)
})

/** The gaps that the response to a read at `position` proves to be filled. */
export const selectFilled = (
  { at, gaps }: TradePosition,
  trades: ReadonlyArray<Trade>,
  coverage: Option.Option<Coverage>
): ReadonlyArray<ReportedGap> => {
  if (!Option.exists(coverage, ({ state }) => state === "complete")) return []
  const last = trades.at(-1)
  const reached = last === undefined ? at : DateTime.toEpochMillis(last.timestamp)
  return gaps.filter(({ from, to }) => at <= from && to <= reached)
}

const getRange = (
  state: Coverage["state"],
  { from, to }: { readonly from: number; readonly to: number }
): Coverage => ({
  state,
  from: Option.some(DateTime.makeUnsafe(from)),
  to: Option.some(DateTime.makeUnsafe(to)),
  unproven: []
})

/** The coverage of a page that reports a gap. */
export const toGapCoverage = (gap: ReportedGap): Coverage => getRange("incomplete", gap)

/** A live stream reports each gap: a range without a reported gap is complete, if the exchange's ids can prove that. */
export const toLiveCoverage = (
  polled: Coverage["state"],
  range: { readonly from: number; readonly to: number },
  gaps: ReadonlyArray<ReportedGap>
): Coverage => {
  const isBroken = gaps.some(({ from, to }) => from < range.to && range.from < to)
  return getRange(polled === "unverifiable" ? polled : isBroken ? "incomplete" : "complete", range)
}
