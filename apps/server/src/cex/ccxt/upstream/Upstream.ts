import { Clock, Effect, Result } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import type { MarketName, SourceCandle, SourceMarket } from "../../ExchangeSource.ts"
import { ExchangeError } from "../../ExchangeSource.ts"
import type { CallLimits } from "../calls/CallLimits.ts"
import { makeGuardedCalls } from "../calls/GuardedCalls.ts"
import type { GuardedCalls } from "../calls/GuardedCalls.ts"
import { makeOutageBreaker } from "../calls/OutageBreaker.ts"
import { makeRequestGate } from "../calls/RequestGate.ts"
import type { RequestGate } from "../calls/RequestGate.ts"
import { makeSharedCalls } from "../calls/SharedCalls.ts"
import type { CatalogExchange } from "../catalog/Catalog.ts"
import { getQuirk } from "../catalog/Quirks.ts"
import type { Quirk } from "../catalog/Quirks.ts"
import type { CandlesRequest, CcxtExchange, ParsedPage, TradesRequest } from "../class/CcxtExchange.ts"
import { openCcxtExchange } from "../class/CcxtExchange.ts"
import type { ExchangeAddresses } from "../class/CcxtOptions.ts"
import { decodeCandles } from "../rows/CandleRows.ts"
import { isEmptyBody } from "../rows/EmptyBody.ts"
import { indexMarkets, marketKey } from "../rows/MarketRows.ts"
import type { MarketIndex } from "../rows/MarketRows.ts"
import { decodeTrades } from "../rows/TradeRows.ts"
import type { TradePage } from "../rows/TradeRows.ts"
import { openTradeStream } from "./TradeStream.ts"
import type { TradeStream } from "./TradeStream.ts"

export interface UpstreamOptions extends ExchangeAddresses {
  readonly id: string
  readonly driver: CatalogExchange
  readonly limits: CallLimits
}

/**
 * One exchange behind its queue, its circuit breaker and its retries. `deadline` (ms of `monotonicMillis`) is the
 * latest start of a retry.
 */
export interface Upstream {
  readonly id: string
  readonly driver: CatalogExchange
  readonly quirk: Quirk
  /** The most trades of a page. */
  readonly pageCap: number
  /** The exchange's list of markets, at most `marketsFreshMs` old. */
  readonly markets: Effect.Effect<ReadonlyArray<SourceMarket>, ExchangeError>
  /** ccxt's symbol of a market. */
  readonly symbol: (market: MarketName) => Effect.Effect<string, ExchangeError>
  readonly trades: (request: TradesRequest, deadline: number) => Effect.Effect<TradePage, ExchangeError>
  readonly candles: (
    request: CandlesRequest,
    deadline: number
  ) => Effect.Effect<ReadonlyArray<SourceCandle>, ExchangeError>
  /** Whether there is a stream of trades. */
  readonly hasStream: Effect.Effect<boolean>
  /** A stream of a market whose symbol is known; it ends with the scope. */
  readonly stream: (symbol: string) => Effect.Effect<TradeStream, ExchangeError, Scope.Scope>
  /** The same exchange with calls of lower priority than those of callers. */
  readonly background: Omit<Upstream, "background">
  readonly limits: CallLimits
  readonly fail: (reason: ExchangeError["reason"], message: string) => ExchangeError
}

/** The most trades of a page, if the exchange does not state it; a poll for the last trade reads no more. */
export const shortPage = 100
/** The most trades that are requested with one page. */
export const fullPage = 1000

interface ExchangeClient {
  readonly exchange: CcxtExchange
  readonly calls: GuardedCalls
  readonly gate: RequestGate
}

export const makeUpstream = Effect.fnUntraced(function* (
  options: UpstreamOptions
): Effect.fn.Return<Upstream, never, Scope.Scope> {
  const { id, driver, limits } = options
  const quirk = getQuirk(driver.id)
  const client = yield* openClient(options, quirk)
  const { calls, exchange, gate } = client
  const fail: Upstream["fail"] = (reason, message) => new ExchangeError({ exchange: id, reason, message })

  /**
   * Decodes a page. It fails if no row can be read: the exchange is out of order. If some can, the result states it,
   * which says nothing of the exchange's other markets.
   */
  const decodePage = <A>(decode: (rows: ParsedPage["rows"], now: number) => Result.Result<A, string>) =>
    Effect.fnUntraced(function* ({ body, rows }: ParsedPage) {
      const now = yield* Clock.currentTimeMillis
      const isUnknown = rows.length === 0 && !isEmptyBody(body)
      const decoded = isUnknown
        ? Result.fail("no row could be read from a body that is not an empty list")
        : decode(rows, now)
      const page = Result.mapError(decoded, (defect) =>
        fail("BadResponse", `The exchange "${id}" sent an answer that cannot be used: ${defect}.`)
      )
      const isReadable = Result.isSuccess(page) || rows.some((row) => Result.isSuccess(decode([row], now)))
      return isReadable ? page : yield* Effect.fail(page.failure)
    })

  const warnOfConflicts = ({ conflicts }: TradePage, symbol: string) =>
    conflicts === 0
      ? Effect.void
      : Effect.logWarning("Trades with the same id differ: the first one is used.", { exchange: id, symbol, conflicts })

  const { markets, symbol } = yield* makeMarkets(options, client, fail)
  const hasStream = Effect.promise(() => exchange.hasStream())
  const stream = (symbol: string) => openTradeStream({ id, quirk, limits, exchange, gate, symbol })
  const pageCap = quirk.cursor?.pageCap ?? driver.adapter.pageCap ?? shortPage
  const shared = { id, driver, quirk, pageCap, markets, symbol, hasStream, stream, limits, fail }
  const { rawTrade } = quirk
  const pages = (run: "run" | "runInBackground"): Pick<Upstream, "trades" | "candles"> => ({
    trades: (request, deadline) => {
      const { symbol } = request
      const decode = decodePage((rows, now) => decodeTrades(rows, { symbol, now, rawTrade }))
      return calls[run](deadline, (context) => exchange.trades(context, request), decode).pipe(
        Effect.flatMap(Effect.fromResult),
        Effect.tap((page) => warnOfConflicts(page, symbol))
      )
    },
    candles: (request, deadline) =>
      calls[run](deadline, (context) => exchange.candles(context, request), decodePage(decodeCandles)).pipe(
        Effect.flatMap(Effect.fromResult)
      )
  })
  return { ...shared, ...pages("run"), background: { ...shared, ...pages("runInBackground") } }
})

/** Loads the class. Failing to load it is a defect: nothing a caller does can change it. */
const openClient = Effect.fnUntraced(function* (
  { id, driver, rest, websocket, markets, limits }: UpstreamOptions,
  quirk: Quirk
): Effect.fn.Return<ExchangeClient> {
  const exchange = yield* Effect.promise(() =>
    openCcxtExchange({
      driver: driver.id,
      rest,
      websocket,
      markets,
      quoteNumbers: quirk.quoteNumbers ?? false,
      requestTimeoutMs: limits.requestMs
    })
  )
  const { concurrency, waiting, paceMs = exchange.rateLimit } = limits
  const gate = yield* makeRequestGate({ concurrency, waiting, paceMs })
  const breaker = makeOutageBreaker(limits)
  return { exchange, gate, calls: makeGuardedCalls({ id, limits, gate, breaker }) }
})

interface Loaded {
  readonly index: MarketIndex
  /** By `monotonicMillis`. */
  readonly at: number
}

/** The exchange's list of markets. It is read once, and again when it is stale and requested, or lacks a market. */
const makeMarkets = Effect.fnUntraced(function* (
  { id, limits }: UpstreamOptions,
  { calls, exchange }: ExchangeClient,
  fail: Upstream["fail"]
): Effect.fn.Return<Pick<Upstream, "markets" | "symbol">, never, Scope.Scope> {
  const lists = yield* makeSharedCalls<Loaded, ExchangeError>()
  let loaded: Loaded | undefined

  const load = lists.get(
    "",
    Effect.gen(function* () {
      const deadline = (yield* monotonicMillis) + limits.marketsMs
      const index = yield* calls
        .run(deadline, exchange.loadMarkets, (markets) => {
          const index = indexMarkets(markets)
          return index === undefined
            ? fail("BadResponse", `The exchange "${id}" sent a list of markets that cannot be used.`)
            : Effect.succeed(index)
        })
        .pipe(
          Effect.timeoutOrElse({
            duration: limits.marketsMs,
            orElse: () => fail("Timeout", `The exchange "${id}" did not send its list of markets in time.`)
          })
        )
      loaded = { index, at: yield* monotonicMillis }
      return loaded
    }),
    { freshMs: 0, survivesCallers: true }
  )

  const isOld = ({ at }: Loaded) => Effect.map(monotonicMillis, (now) => now - at > limits.marketsFreshMs)

  const symbol: Upstream["symbol"] = Effect.fnUntraced(function* (market) {
    const key = marketKey(market)
    const known = loaded ?? (yield* load)
    const found = known.index.get(key) ?? ((yield* isOld(known)) ? (yield* load).index.get(key) : undefined)
    return found?.symbol ?? (yield* fail("MarketNotFound", `The exchange "${id}" does not list the market "${key}".`))
  })
  const markets = Effect.gen(function* () {
    const known = loaded ?? (yield* load)
    const { index } = (yield* isOld(known)) ? yield* load : known
    return [...index.values()]
  })
  return { markets, symbol }
})
