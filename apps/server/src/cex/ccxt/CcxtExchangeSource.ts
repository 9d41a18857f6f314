import type { Timeframe } from "@chaintape/core/cex/Timeframe"
import { Clock, Effect, Layer, Option, Scope } from "effect"
import type { MarketPair, SourceCandle, SourceTrades } from "../ExchangeSource.ts"
import { ExchangeError, ExchangeSource } from "../ExchangeSource.ts"
import { catalogExchange } from "./Catalog.ts"
import type { CatalogExchange } from "./Catalog.ts"
import { latestByIds } from "./IdPages.ts"
import type { Anchors } from "./IdSearch.ts"
import { sinceByIds } from "./IdSearch.ts"
import type { KnownMarket } from "./internal/CcxtExchange.ts"
import { lastCandle } from "./LastCandle.ts"
import type { Limits } from "./Limits.ts"
import { defaultLimits } from "./Limits.ts"
import { makeNewestPages } from "./NewestPages.ts"
import type { NewestPage } from "./NewestPages.ts"
import { makeSharedCalls } from "./SharedCalls.ts"
import { latestOfPage, sinceByTime, sinceOfPage } from "./TimePages.ts"
import { makeUpstream } from "./Upstream.ts"

/** An exchange of the configuration: one of ccxt's, or one that speaks like it at another address. */
export interface CcxtExchangeEntry {
  readonly id: string
  /** The ccxt id whose class speaks with it; the entry's own id if absent. */
  readonly driver?: string | undefined
  /** Scheme, host and port in place of those of every REST address. */
  readonly rest?: string | undefined
  /** Stands in for the exchange's list of markets, which is then never asked for. */
  readonly markets?: ReadonlyArray<KnownMarket> | undefined
}

interface TradesRequest {
  readonly limit: number
  readonly since: Option.Option<number>
}

interface Connection {
  readonly trades: (market: MarketPair, request: TradesRequest) => Effect.Effect<SourceTrades, ExchangeError>
  readonly lastCandle: (
    market: MarketPair,
    timeframe: Timeframe
  ) => Effect.Effect<Option.Option<SourceCandle>, ExchangeError>
}

// Polling for the last trade needs a short page; everything else may as well have a full one.
const shortPage = 100
const fullPage = 1000

const withStale = (found: SourceTrades, isStale: boolean): SourceTrades =>
  isStale ? { ...found, completeness: "incomplete" } : found

const connect = (
  entry: CcxtExchangeEntry,
  driver: CatalogExchange,
  limits: Limits
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.gen(function* () {
    const upstream = yield* makeUpstream({ ...entry, driver, limits })
    const latestPages = yield* makeSharedCalls<NewestPage, ExchangeError>()
    const newestPages = makeNewestPages()
    const runs = yield* makeSharedCalls<SourceTrades, ExchangeError>()
    const candles = yield* makeSharedCalls<Option.Option<SourceCandle>, ExchangeError>()
    const anchors = new Map<string, Anchors>()
    const { cursor } = upstream.quirk
    const pageCap = cursor?.pageCap ?? driver.adapter.pageCap ?? shortPage

    const within = <A>(ms: number, call: (deadline: number) => Effect.Effect<A, ExchangeError>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => call(now + ms)).pipe(
        Effect.timeoutOrElse({
          duration: ms,
          orElse: () => upstream.fail("Timeout", `The exchange "${entry.id}" did not answer within ${ms / 1000} s.`)
        })
      )

    const latestPage = (symbol: string, rows: number) => {
      const limit = Math.min(rows <= shortPage ? shortPage : fullPage, pageCap)
      return latestPages.get(
        `${symbol} ${limit}`,
        within(limits.pageMs, (deadline) => newestPages(symbol, upstream.trades({ symbol, limit }, deadline))),
        { freshMs: limits.freshMs }
      )
    }

    const read = (symbol: string, request: TradesRequest, deadline: number) =>
      Effect.gen(function* () {
        const since = Option.getOrUndefined(request.since)
        const { limit } = request
        const ascending =
          since !== undefined &&
          cursor === undefined &&
          driver.adapter.sinceOnWire &&
          upstream.quirk.sinceIsAscending === true
        if (ascending) return yield* sinceByTime({ upstream, symbol, pageCap, deadline }, { since, limit })
        const { page: newest, isStale } = yield* latestPage(symbol, since === undefined ? limit : fullPage)
        if (cursor === undefined) {
          return since === undefined ? latestOfPage(newest, limit) : sinceOfPage(newest, since, limit)
        }
        const tape = { upstream, cursor, symbol, deadline }
        if (since === undefined) return withStale(yield* latestByIds(tape, newest, limit), isStale)
        const known = anchors.get(symbol) ?? []
        anchors.set(symbol, known)
        const found = yield* sinceByIds(tape, newest, known, { since, limit })
        return withStale(found, isStale && found.trades.length < limit)
      })

    const symbolOf = (market: MarketPair) => within(limits.pageMs, () => upstream.symbol(market))

    const trades: Connection["trades"] = Effect.fnUntraced(function* (market, request) {
      if (!driver.hasTrades) {
        return yield* upstream.fail(
          "NotSupported",
          `The exchange "${entry.id}" does not show trades without an account.`
        )
      }
      const symbol = yield* symbolOf(market)
      const isOnePage = Option.isNone(request.since) && request.limit <= pageCap
      return yield* runs.get(
        `${symbol} ${request.limit} ${Option.getOrElse(request.since, () => "")}`,
        within(isOnePage ? limits.pageMs : limits.runMs, (deadline) => read(symbol, request, deadline)),
        { freshMs: 0 }
      )
    })

    const newestCandle: Connection["lastCandle"] = Effect.fnUntraced(function* (market, timeframe) {
      const symbol = yield* symbolOf(market)
      const lastTradeTime = driver.hasTrades
        ? Effect.map(latestPage(symbol, 1), ({ page }) => Option.fromNullishOr(page.trades.at(-1)?.timestamp))
        : Effect.succeedNone
      return yield* candles.get(
        `${symbol} ${timeframe}`,
        within(limits.pageMs, (deadline) => lastCandle({ upstream, symbol, deadline, lastTradeTime }, timeframe)),
        { freshMs: limits.freshMs }
      )
    })

    return { trades, lastCandle: newestCandle }
  })

/**
 * Trades and candles through ccxt's public endpoints. Ids without an entry are those of the catalog. `limits` are for
 * tests and for a private exchange that can take more.
 */
const layer = (
  exchanges: ReadonlyArray<CcxtExchangeEntry>,
  limits: Partial<Limits> = {}
): Layer.Layer<ExchangeSource> =>
  Layer.effect(
    ExchangeSource,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const entries = new Map(exchanges.map((entry) => [entry.id, entry]))
      const connections = yield* makeSharedCalls<Connection, ExchangeError>()
      const settings = { ...defaultLimits, ...limits }

      const open = (id: string) =>
        connections.get(
          id,
          Effect.suspend(() => {
            const entry = entries.get(id) ?? { id }
            const driver = catalogExchange(entry.driver ?? id)
            return driver === undefined
              ? Effect.fail(
                  new ExchangeError({ exchange: id, reason: "NotSupported", message: `There is no exchange "${id}".` })
                )
              : Effect.provideService(connect(entry, driver, settings), Scope.Scope, scope)
          }),
          { freshMs: Infinity, isKept: true }
        )

      return ExchangeSource.of({
        trades: Effect.fn("CcxtExchangeSource.trades")(function* (exchange, market, request) {
          return yield* (yield* open(exchange)).trades(market, request)
        }),
        lastCandle: Effect.fn("CcxtExchangeSource.lastCandle")(function* (exchange, market, timeframe) {
          return yield* (yield* open(exchange)).lastCandle(market, timeframe)
        })
      })
    })
  )

export const CcxtExchangeSource = { layer }
