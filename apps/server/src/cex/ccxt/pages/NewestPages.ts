import { Clock, Effect, Stream } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import type { ExchangeError, SourceTrade } from "../../ExchangeSource.ts"
import type { FlowBatch } from "../../TradeFlow.ts"
import { toSequence } from "../../TradeSequence.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import { fullPage } from "../upstream/Upstream.ts"
import type { Upstream } from "../upstream/Upstream.ts"

export interface NewestPage {
  readonly page: TradePage
  /** The page ends before a trade that was known when it was requested: it came from a cache of the exchange. */
  readonly isStale: boolean
}

/** A market whose ids start over is considered stale for at most this long. */
const rememberedMs = 300_000

const getId = (trade: SourceTrade): number => toSequence(trade.id) ?? -1

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

/**
 * Polls the newest page of a market, with lower priority than callers. A page from a cache of the exchange adds
 * nothing.
 */
export const pollNewestPage = (upstream: Upstream, symbol: string) => {
  const { cursor } = upstream.quirk
  const limit = Math.min(fullPage, upstream.pageCap)
  // Ids that are not a sequence may decrease.
  const newest = cursor === undefined ? makeNewestPages(({ timestamp }) => timestamp) : makeNewestPages()
  return Effect.gen(function* () {
    for (;;) {
      const { isStale, page } = yield* newest(symbol, upstream.background.trades({ symbol, limit }, Infinity))
      if (!isStale) return page
      yield* Effect.sleep(upstream.limits.pollMs)
    }
  })
}

/**
 * Derived ids of trades count equal trades of a millisecond, so a millisecond that the page may have truncated is left
 * out.
 */
const wholeMilliseconds = ({ hasOwnIds, trades }: TradePage): TradePage["trades"] => {
  const oldest = trades[0]?.timestamp
  return hasOwnIds ? trades : trades.filter(({ timestamp }) => timestamp !== oldest)
}

/** The newest pages of a market, one after the other. */
export const pollingFlow = (upstream: Upstream, symbol: string): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.suspend(() => {
    const newest = pollNewestPage(upstream, symbol)
    let isFirst = true
    return Stream.fromEffectRepeat(
      Effect.gen(function* () {
        if (!isFirst) yield* Effect.sleep(upstream.limits.pollMs)
        const upToDateAt = yield* monotonicMillis
        const page = yield* newest
        isFirst = false
        const receivedAt = yield* Clock.currentTimeMillis
        return { kind: "page", trades: wholeMilliseconds(page), dropped: 0, receivedAt, upToDateAt } satisfies FlowBatch
      })
    )
  })
