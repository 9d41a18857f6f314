/**
 * Decentralized exchanges, as promises.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { type DexCalls, makeDexCalls } from "@chaintape/core/promise/DexCalls"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = (calls: PromiseCalls): DexCalls => makeDexCalls(calls)
 * ```
 */
import * as Operations from "../api/DexOperations.ts"
import type { AnswerCall, Call } from "./Call.ts"
import { type DexStreams, makeDexStreams } from "./DexStreams.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

/**
 * Reads decentralized exchanges.
 *
 * @since 0.1.0
 * @category models
 */
export interface DexCalls {
  /** The blockchains on which an exchange is available. */
  readonly blockchains: Call<typeof Operations.blockchains>
  /** The totals of each factory. */
  readonly deployments: Call<typeof Operations.deployments>
  /** Tokens, by locked value unless sorted otherwise. Alpha: this operation may change. */
  readonly tokens: Call<typeof Operations.tokens>
  /** Mints, burns and swaps of every pool that contains a token. */
  readonly tokenTrades: Call<typeof Operations.tokenTrades>
  /** Pools, by locked value unless sorted otherwise. */
  readonly pools: Call<typeof Operations.pools>
  /** One pool. */
  readonly pool: Call<typeof Operations.pool>
  /** Mints, burns and swaps of one pool. */
  readonly poolTrades: Call<typeof Operations.poolTrades>
  /** Candles of one pool, from its swaps, oldest first. An addition beside the specified interface. */
  readonly candles: Call<typeof Operations.candles>
  /** The initialized ticks of one pool, by tick. An addition beside the specified interface. */
  readonly ticks: Call<typeof Operations.ticks>
  /** The same operations, which also return what the headers say about the value: as of which block, and its source. */
  readonly withResponse: {
    readonly blockchains: AnswerCall<typeof Operations.blockchains>
    readonly deployments: AnswerCall<typeof Operations.deployments>
    readonly tokens: AnswerCall<typeof Operations.tokens>
    readonly tokenTrades: AnswerCall<typeof Operations.tokenTrades>
    readonly pools: AnswerCall<typeof Operations.pools>
    readonly pool: AnswerCall<typeof Operations.pool>
    readonly poolTrades: AnswerCall<typeof Operations.poolTrades>
    readonly candles: AnswerCall<typeof Operations.candles>
    readonly ticks: AnswerCall<typeof Operations.ticks>
  }
  /** Whole lists as of one block, for `for await`: leaving the loop ends the stream. */
  readonly stream: DexStreams
}

/**
 * The calls on decentralized exchanges with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeDexCalls = ({ answer, read, stream }: PromiseCalls): DexCalls => ({
  blockchains: (request, options) => read(Operations.blockchains, request, options),
  deployments: (request, options) => read(Operations.deployments, request, options),
  tokens: (request, options) => read(Operations.tokens, request, options),
  tokenTrades: (request, options) => read(Operations.tokenTrades, request, options),
  pools: (request, options) => read(Operations.pools, request, options),
  pool: (request, options) => read(Operations.pool, request, options),
  poolTrades: (request, options) => read(Operations.poolTrades, request, options),
  candles: (request, options) => read(Operations.candles, request, options),
  ticks: (request, options) => read(Operations.ticks, request, options),
  withResponse: {
    blockchains: (request, options) => answer(Operations.blockchains, request, options),
    deployments: (request, options) => answer(Operations.deployments, request, options),
    tokens: (request, options) => answer(Operations.tokens, request, options),
    tokenTrades: (request, options) => answer(Operations.tokenTrades, request, options),
    pools: (request, options) => answer(Operations.pools, request, options),
    pool: (request, options) => answer(Operations.pool, request, options),
    poolTrades: (request, options) => answer(Operations.poolTrades, request, options),
    candles: (request, options) => answer(Operations.candles, request, options),
    ticks: (request, options) => answer(Operations.ticks, request, options)
  },
  stream: makeDexStreams(stream)
})
