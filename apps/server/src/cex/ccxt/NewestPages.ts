import { Effect } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import type { SourceTrade } from "../ExchangeSource.ts"
import { integerId } from "./TradeIds.ts"
import type { TradePage } from "./TradeRows.ts"

export interface NewestPage {
  readonly page: TradePage
  /** The page ends before a trade that was known when it was asked for: it came from a cache of the exchange's. */
  readonly isStale: boolean
}

/** A tape that begins anew with lower ids is not called stale for longer than this. */
const rememberedMs = 300_000

const idOf = (trade: SourceTrade): number => integerId(trade) ?? -1

/**
 * Watches the newest pages of each market for one that is older than what was seen before. `placeOf` gives a trade's
 * place on the tape: its id if absent.
 */
export const makeNewestPages = (placeOf: (trade: SourceTrade) => number = idOf) => {
  const newest = new Map<string, { readonly place: number; readonly at: number }>()
  return Effect.fnUntraced(function* <E>(symbol: string, fetch: Effect.Effect<TradePage, E>) {
    const before = newest.get(symbol)
    const page = yield* fetch
    const now = yield* monotonicMillis
    const last = page.trades.at(-1)
    const place = last === undefined ? -1 : placeOf(last)
    const isStale = before !== undefined && place < before.place && now - before.at < rememberedMs
    if (!isStale && place >= (newest.get(symbol)?.place ?? -1)) newest.set(symbol, { place, at: now })
    return { page, isStale } satisfies NewestPage
  })
}
