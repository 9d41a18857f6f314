/**
 * The operations on centralized exchanges.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client, Market } from "@chaintape/core"
 * import { exchange, exchanges, lastCandle, lastTrade, markets, trades } from "@chaintape/core/api/CexOperations"
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
 *   return [known, kraken, listed, latest, newest, candle].map(({ requestId }) => requestId)
 * })
 * ```
 */
import * as Schema from "effect/Schema"
import { Candle, CandleInText } from "../cex/Candle.ts"
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
