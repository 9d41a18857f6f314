/**
 * The client for programs without Effect: promises, `Date`s, errors as classes, and an `AbortSignal` for each call.
 *
 * @since 0.1.0
 */
export { BlockchainNotFound, BlockNotFound } from "../blocks/BlocksProblem.ts"
export { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "../cex/CexProblem.ts"
export { type ClientError, RequestTimeout, TransportError, UnexpectedResponse } from "../problem/ClientError.ts"
export { PoolNotFound, TokenNotFound } from "../dex/DexProblem.ts"
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
} from "../problem/Problem.ts"
export { ChaintapeError } from "../problem/ChaintapeError.ts"
export { BlockReplaced, InvalidCursor, TradesTooDense } from "../problem/StreamError.ts"
export * as BlocksStream from "./BlocksStream.ts"
export type { ListPage } from "../page/ListPage.ts"
export type { LivePage, Reorg } from "../page/LivePage.ts"
export type { CallOptions } from "./call/Call.ts"
export * as CexStream from "./CexStream.ts"
export { type Chaintape, createClient, type ChaintapeOptions } from "./Chaintape.ts"
export * as DexStream from "./DexStream.ts"
export type { Plain, PlainInput } from "./call/Plain.ts"
