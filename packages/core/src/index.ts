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
export * from "./problem/Problem.ts"
export type { Answer, AsOf, Coverage } from "./client/Answer.ts"
export { Client, type CallOptions, type ClientOptions } from "./client/Client.ts"
export { type ClientError, TimeoutError, TransportError, UnexpectedAnswer } from "./client/ClientError.ts"
export * as RetryPolicy from "./client/RetryPolicy.ts"
