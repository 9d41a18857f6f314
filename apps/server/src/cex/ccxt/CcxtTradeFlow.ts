import { Clock, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { isTransient } from "../ExchangeSource.ts"
import type { ExchangeError, SourceTrade } from "../ExchangeSource.ts"
import { TradeFlow } from "../TradeFlow.ts"
import type { FlowBatch, MarketFlow, SequenceFlow } from "../TradeFlow.ts"
import type { IdCursor } from "./catalog/Quirks.ts"
import { fetchRange } from "./pages/IdPages.ts"
import { pollingFlow, pollNewestPage } from "./pages/NewestPages.ts"
import { isSame } from "./rows/TradeRows.ts"
import { CcxtConnections } from "./upstream/CcxtConnections.ts"
import type { StreamedTrades, TradeStream } from "./upstream/TradeStream.ts"
import type { Upstream } from "./upstream/Upstream.ts"

/** A stream whose ids are a sequence: ids show what is missing before its first trades. */
const sequenceFlow = (upstream: Upstream, symbol: string): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.unwrap(
    Effect.map(upstream.stream(symbol), ({ next }) => {
      let isFirst = true
      return Stream.fromEffectRepeat(
        Effect.map(next, (streamed): FlowBatch => {
          if (streamed.trades.length === 0) return { ...streamed, kind: "live" }
          const kind = isFirst || streamed.dropped > 0 ? "page" : "live"
          isFirst = false
          return { ...streamed, kind }
        })
      )
    })
  )

/** How many times a page is read until it contains one of the stream's trades, and the first delay in between. */
const joinTries = 6
const joinMs = 250

/**
 * The stream's trades before a page, the page, and the trades that followed it over the stream; `undefined` if the page
 * contains none of the stream's trades.
 */
const joinToPage = (page: ReadonlyArray<SourceTrade>, streamed: ReadonlyArray<SourceTrade>) => {
  const known = new Map(page.map((trade) => [trade.id, trade]))
  const agrees = streamed.some((trade) => {
    const same = known.get(trade.id)
    // Some exchanges report the second of a trade in one place, and its millisecond in the other.
    return same !== undefined && isSame(same, trade)
  })
  if (!agrees) return undefined
  const begin = streamed.findIndex(({ id }) => known.has(id))
  return [...streamed.slice(0, begin), ...page, ...streamed.slice(begin).filter(({ id }) => !known.has(id))]
}

/** `unread`: no page was read yet. `unjoined`: none of the stream's trades was found in a page. */
type FlowState = "unread" | "unjoined" | "joined"

/**
 * A stream whose ids prove nothing: a page with one of its trades proves that nothing was lost before, and that the
 * pages use the same ids. If they do not, or the stream is unavailable or malformed, `onUnsupported` is called.
 */
const overlapFlow = (
  upstream: Upstream,
  symbol: string,
  onUnsupported: () => void
): Stream.Stream<FlowBatch, ExchangeError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      let state: FlowState = "unread"
      const reportUnsupported = <A, R>(effect: Effect.Effect<A, ExchangeError, R>) =>
        Effect.tapError(effect, (error) =>
          Effect.sync(() => {
            if (state !== "joined" && isPermanent(error)) onUnsupported()
          })
        )
      const stream = yield* reportUnsupported(upstream.stream(symbol))
      const newest = pollNewestPage(upstream, symbol)

      const readJoinedPage = Effect.fnUntraced(function* (first: StreamedTrades) {
        let streamed: RecentTrades = first
        for (let tries = 1; tries <= joinTries; tries++) {
          const found = yield* newest
          const trades = found.hasOwnIds ? joinToPage(found.trades, streamed.trades) : undefined
          const { dropped } = streamed
          if (trades !== undefined) return { ...first, kind: "page", trades, dropped } satisfies FlowBatch
          streamed = addRecent(streamed, yield* collectFor(stream, joinMs * tries))
        }
        return yield* upstream.fail(
          "BadResponse",
          `The exchange "${upstream.id}" streams trades that differ from those of its pages: the pages are polled instead.`
        )
      })

      return Stream.fromEffectRepeat(
        Effect.gen(function* () {
          if (state === "unread") {
            const upToDateAt = yield* monotonicMillis
            const { trades } = yield* newest
            state = "unjoined"
            const receivedAt = yield* Clock.currentTimeMillis
            return { kind: "page", trades, dropped: 0, receivedAt, upToDateAt } satisfies FlowBatch
          }
          const found = yield* reportUnsupported(stream.next)
          const isLive = state === "joined" && found.dropped === 0
          if (isLive || found.trades.length === 0) return { ...found, kind: "live" } satisfies FlowBatch
          const batch = yield* reportUnsupported(readJoinedPage(found))
          state = "joined"
          return batch
        })
      )
    })
  )

/** A stream that requires an account, or has other trades than the pages, will not change later. */
const isPermanent = (error: ExchangeError): boolean => error.reason !== "Busy" && !isTransient(error)

/** Trades of a stream without a loss in between: only these can be joined to a page. `dropped`: those before them. */
type RecentTrades = Pick<StreamedTrades, "trades" | "dropped">

const addRecent = ({ dropped, trades }: RecentTrades, more: RecentTrades): RecentTrades =>
  more.dropped > 0
    ? { trades: more.trades, dropped: dropped + trades.length + more.dropped }
    : { trades: [...trades, ...more.trades], dropped }

/** The trades that arrive over a stream within `ms`. */
const collectFor = Effect.fnUntraced(function* ({ next }: TradeStream, ms: number) {
  const end = (yield* monotonicMillis) + ms
  let found: RecentTrades = { trades: [], dropped: 0 }
  for (let now = end - ms; now < end; now = yield* monotonicMillis) {
    const more = Option.getOrUndefined(yield* Effect.timeoutOption(next, end - now))
    if (more === undefined) break
    found = addRecent(found, more)
  }
  return found
})

/** The trades with ids from `from` to `to`, both inclusive, ascending. */
const getRange = (upstream: Upstream, cursor: IdCursor, symbol: string): SequenceFlow["range"] =>
  Effect.fn("CcxtTradeFlow.range")(function* (from, to) {
    const found = new Map<number, SourceTrade>()
    const reads = { upstream: upstream.background, cursor, symbol, deadline: Infinity }
    yield* fetchRange(reads, Math.max(from, cursor.firstId), to + 1, found)
    return [...found]
      .filter(([id]) => id >= from && id <= to)
      .sort(([left], [right]) => left - right)
      .map(([sequence, trade]) => ({ ...trade, sequence }))
  })

const marketFlow = Effect.fnUntraced(function* (
  upstream: Upstream,
  symbol: string
): Effect.fn.Return<MarketFlow, ExchangeError> {
  const { driver, id, quirk } = upstream
  const { cursor } = quirk
  const polling = pollingFlow(upstream, symbol)
  const isStreamed = yield* upstream.hasStream
  if (!driver.hasTrades) {
    return yield* upstream.fail("NotSupported", `The exchange "${id}" does not show trades without an account.`)
  }
  if (cursor !== undefined) {
    const byStream = isStreamed && quirk.stream !== undefined
    return {
      continuity: "sequence",
      firstId: cursor.firstId,
      transport: Effect.succeed(byStream ? "websocket" : "polling"),
      live: byStream ? sequenceFlow(upstream, symbol) : polling,
      range: getRange(upstream, cursor, symbol)
    }
  }
  let isTrusted = isStreamed
  const distrust = () => void (isTrusted = false)
  return {
    continuity: "overlap",
    transport: Effect.sync(() => (isTrusted ? "websocket" : "polling")),
    live: Stream.suspend(() => (isTrusted ? overlapFlow(upstream, symbol, distrust) : polling))
  }
})

/** Runs `acquire`. On failure, releases its resources at once: the scope of a caller that retries outlives them. */
const releaseOnFailure = Effect.fnUntraced(function* <A, E, R>(acquire: Effect.Effect<A, E, R | Scope.Scope>) {
  const scope = yield* Scope.fork(yield* Effect.scope)
  return yield* Scope.provide(acquire, scope).pipe(
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
  )
})

/** The live trades through ccxt's stream classes, or by polling the newest page if there is no stream. */
export const layer: Layer.Layer<TradeFlow, never, CcxtConnections> = Layer.effect(
  TradeFlow,
  Effect.gen(function* () {
    const { open } = yield* CcxtConnections
    return TradeFlow.of({
      open: Effect.fn("CcxtTradeFlow.open")(function* (exchange, market) {
        const upstream = yield* open(exchange)
        const symbol = yield* upstream.background.symbol(market)
        return yield* marketFlow(upstream, symbol)
      }, releaseOnFailure) satisfies TradeFlow["Service"]["open"]
    })
  })
)
