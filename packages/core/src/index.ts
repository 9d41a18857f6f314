/**
 * Schemas, problems, operations and the HTTP client of the Chaintape interface.
 *
 * @since 0.1.0
 */
export { Ping } from "./api/Ping.ts"
export { Block } from "./blocks/Block.ts"
export { Blockchain } from "./blocks/Blockchain.ts"
export * from "./blocks/BlocksProblem.ts"
export { Candle } from "./cex/Candle.ts"
export * from "./cex/CexProblem.ts"
export { Exchange, ExchangeSummary } from "./cex/Exchange.ts"
export { Market } from "./cex/Market.ts"
export { Timeframe, timeframeSeconds } from "./cex/Timeframe.ts"
export { LastTrade, Side, Trade, Trades } from "./cex/Trade.ts"
export { PoolAddress, TokenAddress } from "./dex/Address.ts"
export { Deployment } from "./dex/Deployment.ts"
export * from "./dex/DexProblem.ts"
export { Pool } from "./dex/Pool.ts"
export { Burn, Mint, PoolTrades, Swap, TokenTrades } from "./dex/PoolTrade.ts"
export { PoolToken, Token } from "./dex/Token.ts"
export * as Decimal from "./number/Decimal.ts"
export * from "./problem/Problem.ts"
export type { Answer, AsOf, Coverage } from "./client/Answer.ts"
export { Client, type CallOptions, type ClientOptions } from "./client/Client.ts"
export { type ClientError, TimeoutError, TransportError, UnexpectedAnswer } from "./client/ClientError.ts"
export * as RetryPolicy from "./client/RetryPolicy.ts"
