/**
 * The operations on centralized exchanges.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Candle } from "../cex/Candle.ts"
import { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "../cex/CexProblem.ts"
import { Exchange, ExchangeSummary } from "../cex/Exchange.ts"
import { LastTrade, Trades } from "../cex/Trade.ts"
import { keyedProblems, upstreamProblems } from "../problem/Problem.ts"
import * as Operation from "./Operation.ts"
import * as Parameter from "./Parameter.ts"

const group = "cex"

/**
 * @since 0.1.0
 * @category operations
 */
export const exchanges = Operation.make({
  name: "exchanges",
  group,
  path: "/v2/cex/exchanges",
  success: Schema.Array(ExchangeSummary),
  problems: keyedProblems,
  summary: "List the exchanges",
  description: "Every centralized exchange that can be asked, by name and id."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const exchange = Operation.make({
  name: "exchange",
  group,
  path: "/v2/cex/:exchange",
  params: { exchange: Parameter.exchange },
  success: Exchange,
  problems: [...keyedProblems, ExchangeNotFound],
  summary: "Read an exchange",
  description: "The properties of one exchange, and which operations and timeframes it offers."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const trades = Operation.make({
  name: "trades",
  group,
  path: "/v2/cex/:exchange/:market/trades",
  params: { exchange: Parameter.exchange, market: Parameter.market },
  query: {
    limit: Parameter.limit(50_000, 200),
    since: Parameter.time("Only trades executed then or later")
  },
  success: Trades,
  problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported],
  summary: "Read the trades of a market",
  description:
    "Trades, oldest first: the latest ones, or with `since` the first ones from there on. The header " +
    "`Chaintape-Coverage` says whether none is missing between the first and the last."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const lastTrade = Operation.make({
  name: "lastTrade",
  group,
  path: "/v2/cex/:exchange/:market/lasttrade",
  params: { exchange: Parameter.exchange, market: Parameter.market },
  success: LastTrade,
  problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData],
  summary: "Read the last trade of a market",
  description: "The newest trade of the market."
})

/**
 * @since 0.1.0
 * @category operations
 */
export const lastCandle = Operation.make({
  name: "lastCandle",
  group,
  path: "/v2/cex/:exchange/:market/lastaggregate/:timeframe",
  params: { exchange: Parameter.exchange, market: Parameter.market, timeframe: Parameter.timeframe },
  success: Candle,
  problems: [...keyedProblems, ...upstreamProblems, ExchangeNotFound, MarketNotFound, OperationNotSupported, NoData],
  summary: "Read the last candle of a market",
  description: "The newest candle that holds a trade, open or closed: the header `Chaintape-Candle` says which."
})
