/**
 * The operations on centralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 * import { Effect } from "effect"
 *
 * const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const known = yield* call(CexOperations.exchanges, {})
 *   const kraken = yield* call(CexOperations.exchange, { exchange: "kraken" })
 *   const listed = yield* call(CexOperations.markets, { exchange: "kraken" })
 *   const latest = yield* call(CexOperations.trades, { ...listing, limit: 1000 })
 *   const newest = yield* call(CexOperations.lastTrade, listing)
 *   const candle = yield* call(CexOperations.lastCandle, { ...listing, timeframe: "1h" })
 *   const hours = yield* call(CexOperations.candles, { ...listing, timeframe: "1h", limit: 24 })
 *   return [known, kraken, listed, latest, newest, candle, hours].map(({ requestId }) => requestId)
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Candle, CandleInText, Candles, CandlesInText } from "../cex/Candle.ts"
import { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "../cex/CexProblem.ts"
import { Exchange, ExchangeSummary } from "../cex/Exchange.ts"
import { ListedMarket } from "../cex/ListedMarket.ts"
import { LastTrade, LastTradeInText, Trades, TradesInText } from "../cex/Trade.ts"
import type { CallMode, Method } from "../client/CallMode.ts"
import { decodeExact } from "../internal/decode/exactNumbers.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { decodeTrades } from "../internal/decode/tradesText.ts"
import { proof } from "../operation/Answer.ts"
import * as Operation from "../operation/Operation.ts"
import * as Parameter from "../operation/Parameter.ts"
import { apiKeyProblems, upstreamProblems } from "../problem/Problem.ts"

const group = "cex"
const ofExchange = {
  /** The id of the exchange, such as `kraken`. */
  exchange: Parameter.exchange
}
const ofMarket = {
  /** The id of the exchange, such as `kraken`. */
  exchange: Parameter.exchange,
  /** The market as `BASE/QUOTE`, such as `BTC/USD`. */
  market: Parameter.market
}
const ofCandles = {
  /** The id of the exchange, such as `kraken`. */
  exchange: Parameter.exchange,
  /** The market as `BASE/QUOTE`, such as `BTC/USD`. */
  market: Parameter.market,
  /** The length of a candle. */
  timeframe: Parameter.timeframe
}

/**
 * Lists the centralized exchanges by name and id.
 *
 * @since 0.1.0
 * @category operations
 */
export const exchanges = /* @__PURE__ */ (() =>
  Operation.make({
    name: "exchanges",
    group,
    path: "/v2/cex/exchanges",
    success: Schema.Array(ExchangeSummary),
    problems: apiKeyProblems
  }))()

/**
 * Reads the properties of one exchange. Fails with `ExchangeNotFound`.
 *
 * @since 0.1.0
 * @category operations
 */
export const exchange = /* @__PURE__ */ (() =>
  Operation.make({
    name: "exchange",
    group,
    path: "/v2/cex/:exchange",
    params: ofExchange,
    success: Exchange,
    problems: [...apiKeyProblems, ExchangeNotFound]
  }))()

/**
 * Lists the markets of an exchange, by market. An addition beside the specified interface.
 *
 * @since 0.1.0
 * @category operations
 */
export const markets = /* @__PURE__ */ (() =>
  Operation.make({
    name: "markets",
    group,
    path: "/v2/cex/:exchange/markets",
    params: ofExchange,
    success: Schema.Array(ListedMarket),
    decoder: decodeInPlace,
    problems: [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, OperationNotSupported]
  }))()

/**
 * Reads trades of a market, oldest first: the latest `limit` (200 if not given, at most 50,000), or the first `limit`
 * since a time.
 *
 * @since 0.1.0
 * @category operations
 */
export const trades = /* @__PURE__ */ (() =>
  Operation.make({
    name: "trades",
    group,
    path: "/v2/cex/:exchange/:market/trades",
    params: ofMarket,
    query: {
      /** Trades at most: 1 to 50,000; 200 if not given. */
      limit: Parameter.limit(50_000, 200),
      /** Only trades executed then or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. */
      since: Parameter.time("Only trades executed then or later")
    },
    success: Trades,
    inText: TradesInText,
    decoder: decodeTrades,
    proof,
    problems: [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported]
  }))()

/**
 * Reads the newest trade of a market. Fails with `NoData` if there is none yet.
 *
 * @since 0.1.0
 * @category operations
 */
export const lastTrade = /* @__PURE__ */ (() =>
  Operation.make({
    name: "lastTrade",
    group,
    path: "/v2/cex/:exchange/:market/lasttrade",
    params: ofMarket,
    success: LastTrade,
    inText: LastTradeInText,
    decoder: decodeExact,
    problems: [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData]
  }))()

/**
 * Reads the newest candle of a market with a trade. It may still be open: `Answer` says so.
 *
 * @since 0.1.0
 * @category operations
 */
export const lastCandle = /* @__PURE__ */ (() =>
  Operation.make({
    name: "lastCandle",
    group,
    path: "/v2/cex/:exchange/:market/lastaggregate/:timeframe",
    params: ofCandles,
    success: Candle,
    inText: CandleInText,
    decoder: decodeExact,
    proof,
    problems: [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData]
  }))()

/**
 * Reads candles of a market, oldest first: the latest `limit` (200 if not given, at most 10,000) that start up to `until`
 * or now, or with `since` the first `limit` from there on. An interval without a trade has no candle. `Answer` says
 * which candles are proven, and whether the last one may still change. An addition beside the specified interface.
 *
 * @since 0.1.0
 * @category operations
 */
export const candles = /* @__PURE__ */ (() =>
  Operation.make({
    name: "candles",
    group,
    path: "/v2/cex/:exchange/:market/aggregates/:timeframe",
    params: ofCandles,
    query: {
      /** Only candles that start then or later: a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. */
      since: Parameter.time("Only candles that start then or later"),
      /** Only candles that start then or earlier; now if not given. */
      until: Parameter.time("Only candles that start then or earlier"),
      /** Candles at most: 1 to 10,000; 200 if not given. */
      limit: Parameter.limit(10_000, 200)
    },
    relations: [Parameter.sinceIsFirst],
    success: Candles,
    inText: CandlesInText,
    decoder: decodeExact,
    proof,
    problems: [...apiKeyProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported]
  }))()

/**
 * Reads centralized exchanges: the methods of `Cex`, and of the promise client. Every method fails with `ClientError` and the
 * problems of every operation that requires a key (`InvalidApiKey`, `RateLimited` and so on) besides those that it names.
 *
 * @example
 * ```ts
 * import { Market } from "@chaintape/core"
 * import type { CexMethods } from "@chaintape/core/operations/cex"
 *
 * const price = (cex: CexMethods<"effect">) => cex.lastTrade({ exchange: "kraken", market: Market.make("BTC/USD") })
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface CexMethods<Mode extends CallMode> {
  /** Every exchange by name and id. */
  readonly exchanges: Method<Mode, typeof exchanges>
  /** The properties of one exchange, and which operations and timeframes it offers. Fails with `ExchangeNotFound`. */
  readonly exchange: Method<Mode, typeof exchange>
  /**
   * Every market of an exchange, and whether it is recorded. Fails with `ExchangeNotFound`, `OperationNotSupported`,
   * `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`. An addition beside the specified interface.
   */
  readonly markets: Method<Mode, typeof markets>
  /**
   * Trades, oldest first: the latest `limit`, or with `since` the first `limit` of that time or later. `limit` is 1 to
   * 50,000, by default 200; `since` is a `Date`, Unix milliseconds, an ISO 8601 text or a `DateTime`. Prices are in the
   * quote, sizes in the base. Fails with `ExchangeNotFound`, `MarketNotFound`, `OperationNotSupported`, `UpstreamFailed`,
   * `UpstreamBusy` or `UpstreamTimeout`.
   */
  readonly trades: Method<Mode, typeof trades>
  /**
   * The newest trade: `price` in the quote, `size` in the base, `cost` their product, `timestamp` when it was executed,
   * to the millisecond. Fails with `NoData` if there is none yet, and with `ExchangeNotFound`, `MarketNotFound`,
   * `OperationNotSupported`, `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`.
   */
  readonly lastTrade: Method<Mode, typeof lastTrade>
  /**
   * The newest candle that has a trade, open or closed. Fails with `NoData` if there is none yet, and with
   * `ExchangeNotFound`, `MarketNotFound`, `OperationNotSupported`, `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`.
   */
  readonly lastCandle: Method<Mode, typeof lastCandle>
  /**
   * Candles, oldest first: the latest `limit` that start up to `until` or now, or with `since` the first `limit` from
   * there on. `limit` is 1 to 10,000, by default 200. An interval without a trade has no candle. Fails with
   * `ExchangeNotFound`, `MarketNotFound`, `OperationNotSupported`, `UpstreamFailed`, `UpstreamBusy` or `UpstreamTimeout`.
   * An addition beside the specified interface.
   */
  readonly candles: Method<Mode, typeof candles>
}
