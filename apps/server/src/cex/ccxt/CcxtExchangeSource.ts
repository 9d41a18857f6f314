import type { Timeframe } from "@chaintape/core"
import { Effect, Layer, Option, RcMap } from "effect"
import type { Scope } from "effect"
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
import type { CandleReads } from "./pages/CandleSource.ts"
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

interface ExchangeReads extends Pick<Upstream, "markets"> {
  readonly trades: (market: MarketName, request: TradesWanted) => Effect.Effect<SourceTrades, ExchangeError>
  readonly lastCandle: (
    market: MarketName,
    timeframe: Timeframe
  ) => Effect.Effect<Option.Option<SourceCandle>, ExchangeError>
  readonly candles: (
    market: MarketName,
    request: CandlesWanted
  ) => Effect.Effect<ReadonlyArray<SourceCandle>, ExchangeError>
}

/** How long the shared pages of an exchange stay in memory after its last caller. */
const idle = "1 minute"

// Pages are selected by time: trades of a time are before later ones.
const nothingBetween: SourceTrades = { trades: [], completeness: "complete" }

const withStale = (found: SourceTrades, isStale: boolean): SourceTrades =>
  isStale ? { ...found, completeness: "incomplete" } : found

interface PageReads {
  /** Bounds a call to so many milliseconds. */
  readonly within: <A>(
    ms: number,
    call: (deadline: number) => Effect.Effect<A, ExchangeError>
  ) => Effect.Effect<A, ExchangeError>
  readonly getSymbol: (market: MarketName) => Effect.Effect<string, ExchangeError>
  /** The newest trades of a symbol. */
  readonly latestPage: (symbol: string, rows: number) => Effect.Effect<NewestPage, ExchangeError>
}

/** Candles, each request shared by its concurrent callers. */
const makeCandleReads = Effect.fnUntraced(function* (
  upstream: Upstream,
  { getSymbol, latestPage, within }: PageReads
): Effect.fn.Return<Pick<ExchangeReads, "lastCandle" | "candles">, never, Scope.Scope> {
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
    lastCandle: Effect.fnUntraced(function* (market, timeframe) {
      const symbol = yield* getSymbol(market)
      return yield* newest.get(
        `${symbol} ${timeframe}`,
        within(limits.pageMs, (deadline) => lastCandle(toReads(symbol, deadline), timeframe)),
        { freshMs: limits.freshMs }
      )
    }),
    candles: Effect.fnUntraced(function* (market, request) {
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
const makeTradeReads = Effect.fnUntraced(function* (
  upstream: Upstream,
  { getSymbol, latestPage, within }: PageReads
): Effect.fn.Return<ExchangeReads["trades"], never, Scope.Scope> {
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
      return yield* readSinceByTime({ upstream, symbol, pageCap, deadline }, { since, limit, end })
    }
    const { page } = yield* latestPage(symbol, since === undefined && end === undefined ? limit : fullPage)
    return since === undefined ? takeLatest(page, limit, end) : takeSince(page, since, limit, end)
  })

  return Effect.fnUntraced(function* (market, request) {
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

const makeExchangeReads = Effect.fnUntraced(function* (
  upstream: Upstream
): Effect.fn.Return<ExchangeReads, never, Scope.Scope> {
  const { id, limits, pageCap } = upstream
  const latestPages = yield* makeSharedCalls<NewestPage, ExchangeError>()
  const newestPages = makeNewestPages()

  const within: PageReads["within"] = (ms, call) =>
    Effect.flatMap(monotonicMillis, (now) => call(now + ms)).pipe(
      Effect.timeoutOrElse({
        duration: ms,
        orElse: () => upstream.fail("Timeout", `The exchange "${id}" did not answer within ${ms / 1000} s.`)
      })
    )

  const latestPage: PageReads["latestPage"] = (symbol, rows) => {
    const limit = Math.min(rows <= shortPage ? shortPage : fullPage, pageCap)
    return latestPages.get(
      `${symbol} ${limit}`,
      within(limits.pageMs, (deadline) => newestPages(symbol, upstream.trades({ symbol, limit }, deadline))),
      { freshMs: limits.freshMs }
    )
  }

  const reads: PageReads = {
    within,
    latestPage,
    getSymbol: (market) => within(limits.pageMs, () => upstream.symbol(market))
  }
  const trades = yield* makeTradeReads(upstream, reads)
  const candles = yield* makeCandleReads(upstream, reads)
  return { markets: upstream.markets, trades, ...candles }
})

/** Reads trades and candles through ccxt's public endpoints. */
export const layer: Layer.Layer<ExchangeSource, never, CcxtConnections> = Layer.effect(
  ExchangeSource,
  Effect.gen(function* () {
    const { open: upstream } = yield* CcxtConnections
    const connections = yield* RcMap.make({
      lookup: (id: string) => Effect.flatMap(upstream(id), makeExchangeReads),
      idleTimeToLive: idle
    })
    const open = (id: string) => RcMap.get(connections, id)

    return ExchangeSource.of({
      markets: Effect.fn("CcxtExchangeSource.markets")(function* (exchange) {
        return yield* (yield* open(exchange)).markets
      }, Effect.scoped),
      trades: Effect.fn("CcxtExchangeSource.trades")(function* (exchange, market, request) {
        return yield* (yield* open(exchange)).trades(market, request)
      }, Effect.scoped),
      lastCandle: Effect.fn("CcxtExchangeSource.lastCandle")(function* (exchange, market, timeframe) {
        return yield* (yield* open(exchange)).lastCandle(market, timeframe)
      }, Effect.scoped),
      candles: Effect.fn("CcxtExchangeSource.candles")(function* (exchange, market, request) {
        return yield* (yield* open(exchange)).candles(market, request)
      }, Effect.scoped)
    })
  })
)
