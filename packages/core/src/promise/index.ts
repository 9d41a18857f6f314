/**
 * The client for programs without Effect: promises, `Date`s, errors as classes, and an `AbortSignal` for each call.
 *
 * @since 0.1.0
 */
export * from "../blocks/BlocksProblem.ts"
export * from "../cex/CexProblem.ts"
export { type ClientError, TimeoutError, TransportError, UnexpectedAnswer } from "../client/ClientError.ts"
export * from "../dex/DexProblem.ts"
export * from "../problem/Problem.ts"
export { BlockReplaced, InvalidCursor, TradesTooDense } from "../stream/StreamError.ts"
export type { BlocksCalls } from "./BlocksCalls.ts"
export type { BlocksStreams } from "./BlocksStreams.ts"
export type { AnswerCall, Asking, Call, CallOptions, PlainRequest, PlainStreamRequest } from "./Call.ts"
export type { CexCalls } from "./CexCalls.ts"
export type { CexStreams } from "./CexStreams.ts"
export { type Chaintape, createClient, type ChaintapeOptions } from "./Chaintape.ts"
export type { DexCalls } from "./DexCalls.ts"
export type { DexStreams } from "./DexStreams.ts"
export type { Plain, PlainInput } from "./Plain.ts"
export type { PlainCallPolicy, PlainRetryPolicy } from "./PlainRetryPolicy.ts"
