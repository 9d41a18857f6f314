import { Clock, Effect, Stream } from "effect"
import type { ExchangeError } from "../ExchangeSource.ts"
import type { FlowBatch } from "../TradeFlow.ts"
import { makeNewestPages } from "./NewestPages.ts"
import type { TradePage } from "./TradeRows.ts"
import type { Upstream } from "./Upstream.ts"

/** Rows of a page to ask for where nothing is known of the largest. */
const shortPage = 100
const fullPage = 1000

/** Reads the newest page of a market again and again, behind callers. A page from a cache of the exchange's is no news. */
export const newestPageOf = (upstream: Upstream, symbol: string) => {
  const { cursor } = upstream.quirk
  const limit = Math.min(fullPage, cursor?.pageCap ?? upstream.driver.adapter.pageCap ?? shortPage)
  // Ids that are no sequence may fall.
  const newest = cursor === undefined ? makeNewestPages(({ timestamp }) => timestamp) : makeNewestPages()
  return Effect.gen(function* () {
    for (;;) {
      const { isStale, page } = yield* newest(symbol, upstream.behind.trades({ symbol, limit }, Infinity))
      if (!isStale) return page
      yield* Effect.sleep(upstream.limits.pollMs)
    }
  })
}

/**
 * The ids of trades without one of the exchange's count equal trades of a millisecond, so a millisecond that the page
 * may have cut is left out.
 */
const wholeMilliseconds = ({ hasOwnIds, trades }: TradePage): TradePage["trades"] => {
  const oldest = trades[0]?.timestamp
  return hasOwnIds ? trades : trades.filter(({ timestamp }) => timestamp !== oldest)
}

/** The newest pages of a market, one after another. */
export const pollingFlow = (upstream: Upstream, symbol: string): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.suspend(() => {
    const newest = newestPageOf(upstream, symbol)
    let isFirst = true
    return Stream.fromEffectRepeat(
      Effect.gen(function* () {
        if (!isFirst) yield* Effect.sleep(upstream.limits.pollMs)
        const page = yield* newest
        isFirst = false
        const receivedAt = yield* Clock.currentTimeMillis
        return { kind: "page", trades: wholeMilliseconds(page), receivedAt } satisfies FlowBatch
      })
    )
  })
