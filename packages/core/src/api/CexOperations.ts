/**
 * The operations on centralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import { candles, exchange, exchanges, lastCandle, lastTrade, markets, trades } from "@chaintape/core/api/CexOperations"
 * import { Effect } from "effect"
 *
 * const listing = { exchange: "kraken", market: Market.make("BTC/USD") }
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const known = yield* call(exchanges, {})
 *   const kraken = yield* call(exchange, { exchange: "kraken" })
 *   const listed = yield* call(markets, { exchange: "kraken" })
 *   const latest = yield* call(trades, { ...listing, limit: 1000 })
 *   const newest = yield* call(lastTrade, listing)
 *   const candle = yield* call(lastCandle, { ...listing, timeframe: "1h" })
 *   const hours = yield* call(candles, { ...listing, timeframe: "1h", limit: 24 })
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
import { proof } from "../client/Answer.ts"
import { decodeExact } from "../internal/decode/exactNumbers.ts"
import { decodeInPlace } from "../internal/decode/jsonDecoder.ts"
import { decodeTrades } from "../internal/decode/tradesText.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "cex"

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
    problems: keyedProblems
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
    params: { exchange: Parameter.exchange },
    success: Exchange,
    problems: [...keyedProblems, ExchangeNotFound]
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
    params: { exchange: Parameter.exchange },
    success: Schema.Array(ListedMarket),
    decoder: decodeInPlace,
    problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, OperationNotSupported]
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
    params: { exchange: Parameter.exchange, market: Parameter.market },
    query: {
      limit: Parameter.limit(50_000, 200),
      since: Parameter.time("Only trades executed then or later")
    },
    success: Trades,
    inText: TradesInText,
    decoder: decodeTrades,
    proof,
    problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported]
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
    params: { exchange: Parameter.exchange, market: Parameter.market },
    success: LastTrade,
    inText: LastTradeInText,
    decoder: decodeExact,
    problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData]
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
    params: { exchange: Parameter.exchange, market: Parameter.market, timeframe: Parameter.timeframe },
    success: Candle,
    inText: CandleInText,
    decoder: decodeExact,
    proof,
    problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData]
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
    params: { exchange: Parameter.exchange, market: Parameter.market, timeframe: Parameter.timeframe },
    query: {
      since: Parameter.time("Only candles that start then or later"),
      until: Parameter.time("Only candles that start then or earlier"),
      limit: Parameter.limit(10_000, 200)
    },
    relations: [Parameter.sinceIsFirst],
    success: Candles,
    inText: CandlesInText,
    decoder: decodeExact,
    proof,
    problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported]
  }))()
