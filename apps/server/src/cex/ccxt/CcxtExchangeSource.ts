import type { Timeframe } from "@chaintape/core"
import { Effect, Layer, Option, RcMap } from "effect"
import { monotonicMillis } from "../../internal/monotonic.ts"
import type {
  CandlesWanted,
  ExchangeError,
  MarketName,
  SourceCandle,
  SourceTrades,
  TradesWanted
} from "../ExchangeSource.ts"
import { ExchangeSource } from "../ExchangeSource.ts"
import { toSequence } from "../TradeSequence.ts"
import { makeSharedCalls } from "./calls/SharedCalls.ts"
import { readCandles } from "./pages/CandlePages.ts"
import type { CandleReads } from "./pages/CandleReads.ts"
import { fetchBelow, readLatestByIds, toSequenceError } from "./pages/IdPages.ts"
import type { IdReads } from "./pages/IdPages.ts"
import type { Anchors } from "./pages/IdSearch.ts"
import { readSinceByIds } from "./pages/IdSearch.ts"
import { lastCandle } from "./pages/LastCandle.ts"
import { makeNewestPages } from "./pages/NewestPages.ts"
import type { NewestPage } from "./pages/NewestPages.ts"
import { takeLatest, readSinceByTime, takeSince } from "./pages/TimePages.ts"
import { CcxtConnections } from "./upstream/CcxtConnections.ts"
import { fullPage, shortPage } from "./upstream/Upstream.ts"
import type { Upstream } from "./upstream/Upstream.ts"

/** How long the shared pages of an exchange stay in memory after its last caller. */
const idle = "1 minute"

// Pages are selected by time: trades of a time are before later ones.
const nothingBetween: SourceTrades = { trades: [], completeness: "complete" }

const withStale = (found: SourceTrades, isStale: boolean): SourceTrades =>
  isStale ? { ...found, completeness: "incomplete" } : found

const makePageReads = Effect.fnUntraced(function* (upstream: Upstream) {
  const { id, limits, pageCap } = upstream
  const latestPages = yield* makeSharedCalls<NewestPage, ExchangeError>()
  const newestPages = makeNewestPages()

  /** Bounds a call to so many milliseconds. */
  const within = <A>(ms: number, call: (deadline: number) => Effect.Effect<A, ExchangeError>) =>
    Effect.flatMap(monotonicMillis, (now) => call(now + ms)).pipe(
      Effect.timeoutOrElse({
        duration: ms,
        orElse: () => upstream.fail("Timeout", `The exchange "${id}" did not answer within ${ms / 1000} s.`)
      })
    )

  /** The newest trades of a symbol. */
  const latestPage = (symbol: string, rows: number) => {
    const limit = Math.min(rows <= shortPage ? shortPage : fullPage, pageCap)
    return latestPages.get(
      `${symbol} ${limit}`,
      within(limits.pageMs, (deadline) => newestPages(symbol, upstream.trades({ symbol, limit }, deadline))),
      { freshMs: limits.freshMs }
    )
  }

  const getSymbol = (market: MarketName) => within(limits.pageMs, () => upstream.symbol(market))
  return { within, latestPage, getSymbol }
})

type PageReads = Effect.Success<ReturnType<typeof makePageReads>>

/** Candles, each request shared by its concurrent callers. */
const makeCandleReads = Effect.fnUntraced(function* (upstream: Upstream, { getSymbol, latestPage, within }: PageReads) {
  const { driver, limits } = upstream
  const newest = yield* makeSharedCalls<Option.Option<SourceCandle>, ExchangeError>()
  const ranges = yield* makeSharedCalls<ReadonlyArray<SourceCandle>, ExchangeError>()
  const toReads = (symbol: string, deadline: number): CandleReads => ({
    upstream,
    symbol,
    deadline,
    lastTradeTime: driver.hasTrades
      ? Effect.map(latestPage(symbol, 1), ({ page }) => Option.fromNullishOr(page.trades.at(-1)?.timestamp))
      : Effect.succeedNone
  })
  return {
    lastCandle: Effect.fnUntraced(function* (market: MarketName, timeframe: Timeframe) {
      const symbol = yield* getSymbol(market)
      return yield* newest.get(
        `${symbol} ${timeframe}`,
        within(limits.pageMs, (deadline) => lastCandle(toReads(symbol, deadline), timeframe)),
        { freshMs: limits.freshMs }
      )
    }),
    candles: Effect.fnUntraced(function* (market: MarketName, request: CandlesWanted) {
      const symbol = yield* getSymbol(market)
      const { from, limit, take, timeframe, to } = request
      return yield* ranges.get(
        `${symbol} ${timeframe} ${from} ${to} ${limit} ${take}`,
        within(limits.runMs, (deadline) => readCandles(toReads(symbol, deadline), request)),
        { freshMs: limits.freshMs }
      )
    })
  }
})

/** Trades, each request shared by its concurrent callers. */
const makeTradeReads = Effect.fnUntraced(function* (upstream: Upstream, { getSymbol, latestPage, within }: PageReads) {
  const { driver, id, limits, pageCap, quirk } = upstream
  const { cursor } = quirk
  const runs = yield* makeSharedCalls<SourceTrades, ExchangeError>()
  const anchors = new Map<string, Anchors>()

  const byIds = Effect.fnUntraced(function* (reads: IdReads, { limit, since: wanted, before }: TradesWanted) {
    const since = Option.getOrUndefined(wanted)
    const known = anchors.get(reads.symbol) ?? []
    anchors.set(reads.symbol, known)
    if (Option.isSome(before)) {
      const end = toSequence(before.value.id)
      if (end === undefined) return yield* toSequenceError(reads)
      const anchor = { id: end, time: before.value.timestamp }
      if (since === undefined) return yield* readLatestByIds(reads, yield* fetchBelow(reads, end, limit), limit, end)
      return yield* readSinceByIds(reads, yield* fetchBelow(reads, end, fullPage), known, { since, limit, end: anchor })
    }
    const { page, isStale } = yield* latestPage(reads.symbol, since === undefined ? limit : fullPage)
    if (since === undefined) return withStale(yield* readLatestByIds(reads, page, limit), isStale)
    const found = yield* readSinceByIds(reads, page, known, { since, limit })
    return withStale(found, isStale && found.trades.length < limit)
  })

  const read = Effect.fnUntraced(function* (symbol: string, request: TradesWanted, deadline: number) {
    const since = Option.getOrUndefined(request.since)
    const end = Option.getOrUndefined(request.before)
    const { limit } = request
    if (since !== undefined && end !== undefined && since > end.timestamp) return nothingBetween
    if (cursor !== undefined) return yield* byIds({ upstream, cursor, symbol, deadline }, request)
    if (since !== undefined && driver.adapter.sinceOnWire && quirk.sinceIsAscending === true) {
      return yield* readSinceByTime({ upstream, symbol, deadline }, { since, limit, end })
    }
    const { page } = yield* latestPage(symbol, since === undefined && end === undefined ? limit : fullPage)
    return since === undefined ? takeLatest(page, limit, end) : takeSince(page, since, limit, end)
  })

  return Effect.fnUntraced(function* (market: MarketName, request: TradesWanted) {
    if (!driver.hasTrades) {
      return yield* upstream.fail("NotSupported", `The exchange "${id}" does not show trades without an account.`)
    }
    const symbol = yield* getSymbol(market)
    const since = Option.getOrElse(request.since, () => "")
    const before = Option.match(request.before, { onNone: () => "", onSome: (trade) => trade.id })
    const isOnePage = Option.isNone(request.since) && request.limit <= pageCap
    return yield* runs.get(
      `${symbol} ${request.limit} ${since} ${before}`,
      within(isOnePage ? limits.pageMs : limits.runMs, (deadline) => read(symbol, request, deadline)),
      { freshMs: 0 }
    )
  })
})

const makeExchangeReads = Effect.fnUntraced(function* (upstream: Upstream) {
  const reads = yield* makePageReads(upstream)
  const trades = yield* makeTradeReads(upstream, reads)
  const candles = yield* makeCandleReads(upstream, reads)
  return { markets: upstream.markets, trades, ...candles }
})

type ExchangeReads = Effect.Success<ReturnType<typeof makeExchangeReads>>

/** Reads trades and candles through ccxt's public endpoints. */
export const layer: Layer.Layer<ExchangeSource, never, CcxtConnections> = Layer.effect(
  ExchangeSource,
  Effect.gen(function* () {
    const { open: upstream } = yield* CcxtConnections
    const connections = yield* RcMap.make({
      lookup: (id: string) => Effect.flatMap(upstream(id), makeExchangeReads),
      idleTimeToLive: idle
    })
    const read = <A>(id: string, call: (reads: ExchangeReads) => Effect.Effect<A, ExchangeError>) =>
      Effect.scoped(Effect.flatMap(RcMap.get(connections, id), call))

    return ExchangeSource.of({
      markets: Effect.fn("CcxtExchangeSource.markets")((exchange) => read(exchange, ({ markets }) => markets)),
      trades: Effect.fn("CcxtExchangeSource.trades")((exchange, market, request) =>
        read(exchange, ({ trades }) => trades(market, request))
      ),
      lastCandle: Effect.fn("CcxtExchangeSource.lastCandle")((exchange, market, timeframe) =>
        read(exchange, ({ lastCandle }) => lastCandle(market, timeframe))
      ),
      candles: Effect.fn("CcxtExchangeSource.candles")((exchange, market, request) =>
        read(exchange, ({ candles }) => candles(market, request))
      )
    })
  })
)
