import { Effect } from "effect"
import type { Completeness } from "../../Completeness.ts"
import type { SourceTrade, SourceTrades } from "../../ExchangeSource.ts"
import { areDense, compareTrades } from "../../TradeSequence.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import type { MarketReads } from "./MarketReads.ts"

/** A trade that the caller knows already. */
export type KnownTrade = Pick<SourceTrade, "id" | "timestamp">

/** The trades before a known one: up to it if they contain it, otherwise those of earlier milliseconds. */
const takeUpTo = (trades: ReadonlyArray<SourceTrade>, end: KnownTrade | undefined): ReadonlyArray<SourceTrade> => {
  if (end === undefined) return trades
  const index = trades.findIndex(({ id }) => id === end.id)
  return index === -1 ? trades.filter(({ timestamp }) => timestamp < end.timestamp) : trades.slice(0, index)
}

/** The newest `limit` trades of the newest page, which is all that an exchange without an id cursor returns. */
export const takeLatest = (page: TradePage, limit: number, end?: KnownTrade): SourceTrades => {
  const trades = takeUpTo(page.trades, end).slice(-limit)
  if (trades.length === limit) return { trades, completeness: proof(trades) }
  return { trades, completeness: page.trades.length === 0 ? "unverifiable" : "incomplete" }
}

// A single id has no neighbour that could show whether ids are consecutive.
const proof = (trades: ReadonlyArray<SourceTrade>): Completeness =>
  trades.length > 1 && areDense(trades) ? "complete" : "unverifiable"

/** The first `limit` trades at or after `since` within one page that ends at the present. */
export const takeSince = (page: TradePage, since: number, limit: number, end?: KnownTrade): SourceTrades => {
  const from = page.trades.findIndex(({ timestamp }) => timestamp >= since)
  if (from === -1) return { trades: [], completeness: "unverifiable" }
  const trades = takeUpTo(page.trades, end).slice(from, from + limit)
  const before = page.trades[from - 1]
  // The page begins after the requested time: earlier trades cannot be reached.
  if (before === undefined) return { trades, completeness: "incomplete" }
  return { trades, completeness: areDense([before, ...trades]) ? "complete" : "unverifiable" }
}

/**
 * The first `limit` trades at or after `since` (Unix ms), page by page forward in time. Each page starts at the last
 * trade's own millisecond, so that trades of the same millisecond are not lost, and must contain that trade again.
 */
export const readSinceByTime = Effect.fnUntraced(function* (
  { deadline, symbol, upstream }: MarketReads,
  { since, limit, end }: { readonly since: number; readonly limit: number; readonly end?: KnownTrade | undefined }
) {
  const found = new Map<string, SourceTrade>()
  let before: SourceTrade | undefined
  let last: SourceTrade | undefined
  let hasGap = false
  let fullLength = upstream.pageCap
  let longest = 0
  for (;;) {
    const from = last?.timestamp ?? since
    const page = yield* upstream.trades({ symbol, since: from, limit: upstream.pageCap }, deadline)
    const known = found.size
    hasGap ||= last !== undefined && !page.trades.some(({ id }) => id === last?.id)
    for (const trade of page.trades) {
      if (trade.timestamp >= since) {
        if (!found.has(trade.id)) found.set(trade.id, trade)
      } else if (known === 0) before = trade
    }
    last = newest(page.trades, last)
    if (found.size >= limit || isPast(end, found, last)) break
    if (found.size === known) {
      // A page full of one millisecond cannot be passed by time.
      hasGap ||= page.trades.length >= fullLength
      break
    }
    // A following page proves that a page of this length was full.
    if (known > 0) fullLength = Math.min(fullLength, longest)
    longest = Math.max(longest, page.trades.length)
  }
  // Pages arrive in order, and Map preserves it: only integer ids order trades more precisely.
  const trades = takeUpTo([...found.values()].sort(compareTrades), end).slice(0, limit)
  return { trades, completeness: hasGap ? "incomplete" : proofFrom(before, trades) } satisfies SourceTrades
})

const isPast = (end: KnownTrade | undefined, found: ReadonlyMap<string, unknown>, last: KnownTrade | undefined) =>
  end !== undefined && (found.has(end.id) || (last !== undefined && last.timestamp > end.timestamp))

const newest = (trades: ReadonlyArray<SourceTrade>, known: SourceTrade | undefined): SourceTrade | undefined => {
  const last = trades[trades.length - 1]
  return last === undefined || (known !== undefined && last.timestamp < known.timestamp) ? known : last
}

const proofFrom = (before: SourceTrade | undefined, trades: ReadonlyArray<SourceTrade>): Completeness =>
  before !== undefined && trades.length > 0 && areDense([before, ...trades]) ? "complete" : "unverifiable"
