import { Effect } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import { integerId } from "./TradeIds.ts"

export interface NewestPage {
  readonly page: TradePage
  /** The page ends before a trade that was known when it was requested: it came from a cache of the exchange. */
  readonly isStale: boolean
}

/** A market whose ids start over is considered stale for at most this long. */
const rememberedMs = 300_000

const getId = (trade: SourceTrade): number => integerId(trade) ?? -1

/**
 * Detects newest pages that are older than an earlier page of the market. `toPosition` maps a trade to its position in the
 * market; default: its id.
 */
export const makeNewestPages = (toPosition: (trade: SourceTrade) => number = getId) => {
  const newest = new Map<string, { readonly position: number; readonly at: number }>()
  return Effect.fnUntraced(function* <E>(symbol: string, fetch: Effect.Effect<TradePage, E>) {
    const before = newest.get(symbol)
    const page = yield* fetch
    const now = yield* monotonicMillis
    const last = page.trades.at(-1)
    const position = last === undefined ? -1 : toPosition(last)
    const isStale = before !== undefined && position < before.position && now - before.at < rememberedMs
    if (!isStale && position >= (newest.get(symbol)?.position ?? -1)) newest.set(symbol, { position, at: now })
    return { page, isStale } satisfies NewestPage
  })
}
