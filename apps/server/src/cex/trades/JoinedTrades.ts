import type { Completeness } from "../Completeness.ts"
import type { SourceTrade, SourceTrades } from "../ExchangeSource.ts"
import { contains } from "../tape/ledger/Coverage.ts"
import type { Coverage } from "../tape/ledger/Coverage.ts"
import type { SequenceRange, Series } from "../tape/Tape.ts"
import type { Continuity } from "../TradeFlow.ts"
import { compareTrades, parseDigits } from "../TradeSequence.ts"

/** The origin of trades, in the order in which a response names them. */
export type Origin = "tape" | "exchange"

/** Trades of the tape, of the exchange, or of both; oldest first. */
export interface JoinedTrades {
  readonly trades: ReadonlyArray<SourceTrade>
  readonly completeness: Completeness
  /** Not empty. */
  readonly origins: ReadonlyArray<Origin>
  /** Whether a repetition of the request returns the same. */
  readonly isImmutable: boolean
}

/** A response of the exchange alone. */
export const toJoinedTrades = ({ completeness, trades }: SourceTrades): JoinedTrades => ({
  trades,
  completeness,
  origins: ["exchange"],
  isImmutable: false
})

export const toOrigins = (fromTape: number, fromExchange: number): ReadonlyArray<Origin> => [
  ...(fromTape > 0 || fromExchange === 0 ? ["tape" as const] : []),
  ...(fromExchange > 0 ? ["exchange" as const] : [])
]

const isOrdered = (trades: ReadonlyArray<SourceTrade>): boolean =>
  trades.every((trade, at) => trade.timestamp >= (trades[at - 1]?.timestamp ?? 0))

/**
 * The union of both, each id once; of two with the same id the one of `first` is used. Ids that are a sequence break
 * ties.
 */
export const mergeTrades = (
  continuity: Series["continuity"],
  first: ReadonlyArray<SourceTrade>,
  second: ReadonlyArray<SourceTrade>
): ReadonlyArray<SourceTrade> => {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const known = new Set(first.map(({ id }) => id))
  const both = [...first, ...second.filter(({ id }) => !known.has(id))]
  const isSequence = continuity === "sequence"
  if (!isSequence && isOrdered(both)) return both
  return both.sort(isSequence ? compareTrades : (left, right) => left.timestamp - right.timestamp)
}

/**
 * The sequences between the lowest and the highest of these trades that are neither among them nor in the coverage. If
 * times decrease along the ids, a covered trade may lie outside the response.
 */
export const toGaps = (trades: ReadonlyArray<SourceTrade>, coverage: Coverage): ReadonlyArray<SequenceRange> => {
  const ids = trades.map(({ id }) => parseDigits(id))
  if (ids.some((id, at) => id < (ids[at - 1] ?? id))) ids.sort((left, right) => left - right)
  const gaps: Array<SequenceRange> = []
  let last = ids[0] ?? 0
  for (const id of ids) {
    if (id > last + 1) gaps.push(...subtractCoverage({ from: last + 1, to: id - 1 }, coverage))
    last = id
  }
  return gaps
}

const subtractCoverage = ({ from, to }: SequenceRange, coverage: Coverage): ReadonlyArray<SequenceRange> => {
  const gaps: Array<SequenceRange> = []
  let next = from
  for (const interval of coverage) {
    if (interval.to < next) continue
    if (interval.from > to) break
    if (interval.from > next) gaps.push({ from: next, to: interval.from - 1 })
    next = interval.to + 1
  }
  return next > to ? gaps : [...gaps, { from: next, to }]
}

/** Of trades of which none is known to be missing: only consecutive ids prove that none is. */
export const completenessWithoutGap = (continuity: Continuity): Completeness =>
  continuity === "sequence" ? "complete" : "unverifiable"

/** The completeness of these trades, given whether some are known to be missing, apart from gaps in their ids. */
export const toCompleteness = (
  continuity: Continuity,
  trades: ReadonlyArray<SourceTrade>,
  coverage: Coverage,
  isMissing = false
): Completeness =>
  isMissing || (continuity === "sequence" && toGaps(trades, coverage).length > 0)
    ? "incomplete"
    : completenessWithoutGap(continuity)

/** Whether nothing is missing before these: the first is the market's first, or its predecessor is covered. */
export const followsKnown = (
  trades: ReadonlyArray<{ readonly sequence: number }>,
  coverage: Coverage,
  firstId: Series["firstId"]
): boolean => {
  const first = trades.reduce((lowest, { sequence }) => Math.min(lowest, sequence), Number.POSITIVE_INFINITY)
  return first <= (firstId ?? 0) || contains(coverage, first - 1)
}
