/**
 * Schemas, problems, operations and the HTTP client of the Chaintape interface.
 *
 * @since 0.1.0
 */
export { Block } from "./blocks/Block.ts"
export { Blockchain } from "./blocks/Blockchain.ts"
export { BlockchainNotFound, BlockNotFound } from "./blocks/BlocksProblem.ts"
export { Candle, candleEnd, Candles, isCandleClosed } from "./cex/Candle.ts"
export { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "./cex/CexProblem.ts"
export { Exchange, ExchangeSummary } from "./cex/Exchange.ts"
export { ListedMarket } from "./cex/ListedMarket.ts"
export { Market } from "./cex/Market.ts"
export { Timeframe, timeframeSeconds, timeframeStart } from "./cex/Timeframe.ts"
export { LastTrade, signedSize, Trade, Trades } from "./cex/Trade.ts"
export { PoolAddress, TokenAddress } from "./dex/Address.ts"
export { Deployment } from "./dex/Deployment.ts"
export { PoolNotFound, TokenNotFound } from "./dex/DexProblem.ts"
export { Pool } from "./dex/Pool.ts"
export { PoolCandle, PoolCandles } from "./dex/PoolCandle.ts"
export { PoolTick } from "./dex/PoolTick.ts"
export { Burn, Mint, PoolTrades, Swap, TokenTrades } from "./dex/PoolTrade.ts"
export * as PoolMath from "./dex/PoolMath.ts"
export { PoolToken, Token } from "./dex/Token.ts"
export * as Decimal from "./number/Decimal.ts"
export {
  Internal,
  InvalidApiKey,
  InvalidParameter,
  KeyNotAllowed,
  MissingApiKey,
  NotReady,
  Overloaded,
  QuotaExceeded,
  RateLimited,
  UpstreamBusy,
  UpstreamFailed,
  UpstreamTimeout
} from "./problem/Problem.ts"
export * as AnswerCache from "./client/AnswerCache.ts"
export type { Answer, AsOf, Coverage } from "./operation/Answer.ts"
export { Client, type CallOptions, type ClientOptions } from "./client/Client.ts"
export { type ClientError, RequestTimeout, TransportError, UnexpectedResponse } from "./problem/ClientError.ts"
export * as RetryPolicy from "./options/RetryPolicy.ts"
export { ChaintapeError } from "./problem/ChaintapeError.ts"
export { BlockReplaced, InvalidCursor, TradesTooDense } from "./problem/StreamError.ts"
export type { TimeInput } from "./time/Timestamp.ts"
