import { Effect } from "effect"
import type { Completeness, SourceTrade, SourceTrades } from "../ExchangeSource.ts"
import { areDense, integerId } from "./TradeIds.ts"
import type { TradePage } from "./TradeRows.ts"
import { compareIds } from "./TradeRows.ts"
import type { Upstream } from "./Upstream.ts"

/** The newest `limit` trades of the newest page, which is all that an exchange without an id cursor shows. */
export const latestOfPage = (page: TradePage, limit: number): SourceTrades => {
  const trades = page.trades.slice(-limit)
  if (trades.length === limit) return { trades, completeness: proof(trades) }
  return { trades, completeness: trades.length === 0 ? "unverifiable" : "incomplete" }
}

// One row is as good as any other under an id of unknown kind.
const proof = (trades: ReadonlyArray<SourceTrade>): Completeness =>
  trades.length > 1 && areDense(trades) ? "complete" : "unverifiable"

/** The first `limit` trades at or after `since` within one page that ends at the present. */
export const sinceOfPage = (page: TradePage, since: number, limit: number): SourceTrades => {
  const from = page.trades.findIndex(({ timestamp }) => timestamp >= since)
  if (from === -1) return { trades: [], completeness: "unverifiable" }
  const trades = page.trades.slice(from, from + limit)
  const before = page.trades[from - 1]
  // The page begins after the time asked for: what lies between is out of reach.
  if (before === undefined) return { trades, completeness: "incomplete" }
  return { trades, completeness: areDense([before, ...trades]) ? "complete" : "unverifiable" }
}

interface TimeTape {
  readonly upstream: Upstream
  readonly symbol: string
  readonly pageCap: number
  /** Unix milliseconds. */
  readonly deadline: number
}

/**
 * The first `limit` trades at or after `since` (Unix ms), page after page forward in time. Each page starts at the last
 * trade's own millisecond, so that those who share it are not lost, and must hold that trade again.
 */
export const sinceByTime = Effect.fnUntraced(function* (
  tape: TimeTape,
  { since, limit }: { readonly since: number; readonly limit: number }
) {
  const found = new Map<string, SourceTrade>()
  let before: SourceTrade | undefined
  let last: SourceTrade | undefined
  let hasHole = false
  let fullPage = tape.pageCap
  let longest = 0
  for (;;) {
    const from = last?.timestamp ?? since
    const page = yield* tape.upstream.trades({ symbol: tape.symbol, since: from, limit: tape.pageCap }, tape.deadline)
    const known = found.size
    hasHole ||= last !== undefined && !page.trades.some(({ id }) => id === last?.id)
    for (const trade of page.trades) {
      if (trade.timestamp >= since) {
        if (!found.has(trade.id)) found.set(trade.id, trade)
      } else if (known === 0) before = trade
    }
    last = newest(page.trades, last)
    if (found.size >= limit) break
    if (found.size === known) {
      // A page full of one millisecond cannot be passed by time.
      hasHole ||= page.trades.length >= fullPage
      break
    }
    // That more followed it shows that a page of this length was full.
    if (known > 0) fullPage = Math.min(fullPage, longest)
    longest = Math.max(longest, page.trades.length)
  }
  const trades = [...found.values()].sort(inOrder).slice(0, limit)
  return { trades, completeness: hasHole ? "incomplete" : proofFrom(before, trades) } satisfies SourceTrades
})

const newest = (trades: ReadonlyArray<SourceTrade>, known: SourceTrade | undefined): SourceTrade | undefined => {
  const last = trades[trades.length - 1]
  return last === undefined || (known !== undefined && last.timestamp < known.timestamp) ? known : last
}

// Pages come in order, and Map keeps it: only integer ids say more than that.
const inOrder = (left: SourceTrade, right: SourceTrade): number =>
  left.timestamp - right.timestamp ||
  (integerId(left) === undefined || integerId(right) === undefined ? 0 : compareIds(left.id, right.id))

const proofFrom = (before: SourceTrade | undefined, trades: ReadonlyArray<SourceTrade>): Completeness =>
  before !== undefined && trades.length > 0 && areDense([before, ...trades]) ? "complete" : "unverifiable"
