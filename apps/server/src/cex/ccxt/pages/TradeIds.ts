import type { SourceTrade } from "../../ExchangeSource.ts"
import { toSequence } from "../../TradeSequence.ts"

/** Oldest first; within a millisecond by id, if ids are integers. */
export const compareById = (left: SourceTrade, right: SourceTrade): number =>
  left.timestamp - right.timestamp || (toSequence(left.id) ?? 0) - (toSequence(right.id) ?? 0)

/** Whether the ids are consecutive integers: then no trade between the first and the last can be missing. */
export const areDense = (trades: ReadonlyArray<SourceTrade>): boolean => {
  const ids = trades.flatMap((trade) => toSequence(trade.id) ?? []).sort((left, right) => left - right)
  const first = ids[0]
  const last = ids[ids.length - 1]
  return ids.length === trades.length && first !== undefined && last !== undefined && last - first + 1 === ids.length
}
