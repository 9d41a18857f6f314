import { Clock, Effect } from "effect"
import { integerId } from "./TradeIds.ts"
import type { TradePage } from "./TradeRows.ts"

export interface NewestPage {
  readonly page: TradePage
  /** The page ends before a trade that was known when it was asked for: it came from a cache of the exchange's. */
  readonly isStale: boolean
}

/** A tape that begins anew with lower ids is not called stale for longer than this. */
const rememberedMs = 300_000

/** Watches the newest pages of each market for one that is older than what was seen before. */
export const makeNewestPages = () => {
  const newest = new Map<string, { readonly id: number; readonly at: number }>()
  return Effect.fnUntraced(function* <E>(symbol: string, fetch: Effect.Effect<TradePage, E>) {
    const before = newest.get(symbol)
    const page = yield* fetch
    const now = yield* Clock.currentTimeMillis
    const last = page.trades.at(-1)
    const id = last === undefined ? -1 : (integerId(last) ?? -1)
    const isStale = before !== undefined && id < before.id && now - before.at < rememberedMs
    if (!isStale && id >= (newest.get(symbol)?.id ?? -1)) newest.set(symbol, { id, at: now })
    return { page, isStale } satisfies NewestPage
  })
}
