/**
 * All tokens, pools and trades of a decentralized exchange as of one block, as async iterables.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/DexOperations.ts"
import type { Pool } from "../dex/Pool.ts"
import type { Token } from "../dex/Token.ts"
import * as DexStream from "../stream/DexStream.ts"
import * as DexTradeStream from "../stream/DexTradeStream.ts"
import type { PoolTradesRequest, TokenTradesRequest, TradeKind, TradeOfKind } from "../stream/DexTradeStream.ts"
import type { ListPage } from "../stream/ListPage.ts"
import type { LivePage, Reorg } from "../stream/LivePage.ts"
import * as LiveSwaps from "../stream/LiveSwaps.ts"
import type { CallOptions, PlainStreamRequest } from "./Call.ts"
import type { Plain } from "./Plain.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

type Tokens = PlainStreamRequest<DexStream.TokensRequest>
type Pools = PlainStreamRequest<DexStream.PoolsRequest>
type SwapsOfPool = PlainStreamRequest<LiveSwaps.LiveSwapsRequest>
type OfPool<K extends TradeKind> = PlainStreamRequest<Omit<PoolTradesRequest<TradeKind>, "kind">> & { readonly kind: K }
type OfToken<K extends TradeKind> = PlainStreamRequest<Omit<TokenTradesRequest<TradeKind>, "kind">> & {
  readonly kind: K
}

/**
 * Streams of lists as of one block.
 *
 * @example
 * ```ts
 * import type { DexStreams } from "@chaintape/core/promise"
 *
 * const addresses = async (stream: DexStreams): Promise<ReadonlyArray<string>> => {
 *   const ids: Array<string> = []
 *   for await (const { id } of stream.pools({ exchange: "uniswap-v3", blockchain: "ethereum" })) ids.push(id)
 *   return ids
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface DexStreams {
  /** Tokens, by locked value unless sorted otherwise. Alpha: this operation may change. */
  readonly tokens: (request: Tokens, options?: CallOptions) => AsyncIterable<Plain<Token>>
  /** The same tokens page by page, with a cursor from which the stream can be resumed. */
  readonly tokenPages: (request: Tokens, options?: CallOptions) => AsyncIterable<Plain<ListPage<Token>>>
  /** Pools, by locked value unless sorted otherwise. */
  readonly pools: (request: Pools, options?: CallOptions) => AsyncIterable<Plain<Pool>>
  /** The same pools page by page, with a cursor from which the stream can be resumed. */
  readonly poolPages: (request: Pools, options?: CallOptions) => AsyncIterable<Plain<ListPage<Pool>>>
  /** The swaps, mints or burns (`kind`) of one pool. */
  readonly poolTrades: <K extends TradeKind>(
    request: OfPool<K>,
    options?: CallOptions
  ) => AsyncIterable<Plain<TradeOfKind[K]>>
  /** The same trades page by page, with a cursor from which the stream can be resumed. */
  readonly poolTradePages: <K extends TradeKind>(
    request: OfPool<K>,
    options?: CallOptions
  ) => AsyncIterable<Plain<ListPage<TradeOfKind[K]>>>
  /** The swaps, mints or burns of every pool with the token on the side given by `as`. */
  readonly tokenTrades: <K extends TradeKind>(
    request: OfToken<K>,
    options?: CallOptions
  ) => AsyncIterable<Plain<TradeOfKind[K]>>
  /** The same trades page by page, with a cursor from which the stream can be resumed. */
  readonly tokenTradePages: <K extends TradeKind>(
    request: OfToken<K>,
    options?: CallOptions
  ) => AsyncIterable<Plain<ListPage<TradeOfKind[K]>>>
  /** New swaps of one pool, live, and reorgs, which say which swaps to discard. */
  readonly liveSwaps: (request: SwapsOfPool, options?: CallOptions) => AsyncIterable<Plain<LiveSwaps.NewSwap | Reorg>>
  /** The same page by page, with a cursor from which the stream can be resumed. */
  readonly liveSwapPages: (
    request: SwapsOfPool,
    options?: CallOptions
  ) => AsyncIterable<Plain<LivePage<LiveSwaps.NewSwap>>>
}

/**
 * The streams of decentralized exchanges with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { type DexStreams, makeDexStreams } from "@chaintape/core/promise/DexStreams"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = ({ stream }: PromiseCalls): DexStreams => makeDexStreams(stream)
 * ```
 */
export const makeDexStreams = (stream: PromiseCalls["stream"]): DexStreams => ({
  tokens: (request, options) =>
    stream<typeof Operations.tokens, DexStream.TokensRequest, Token, unknown>(
      Operations.tokens,
      request,
      options,
      DexStream.tokens
    ),
  tokenPages: (request, options) =>
    stream<typeof Operations.tokens, DexStream.TokensRequest, ListPage<Token>, unknown>(
      Operations.tokens,
      request,
      options,
      DexStream.tokenPages
    ),
  pools: (request, options) =>
    stream<typeof Operations.pools, DexStream.PoolsRequest, Pool, unknown>(
      Operations.pools,
      request,
      options,
      DexStream.pools
    ),
  poolPages: (request, options) =>
    stream<typeof Operations.pools, DexStream.PoolsRequest, ListPage<Pool>, unknown>(
      Operations.pools,
      request,
      options,
      DexStream.poolPages
    ),
  poolTrades: ({ kind, ...request }, options) =>
    stream(Operations.poolTrades, request, options, (read, rest: Omit<PoolTradesRequest<TradeKind>, "kind">) =>
      DexTradeStream.poolTrades(read, { ...rest, kind })
    ),
  poolTradePages: ({ kind, ...request }, options) =>
    stream(Operations.poolTrades, request, options, (read, rest: Omit<PoolTradesRequest<TradeKind>, "kind">) =>
      DexTradeStream.poolTradePages(read, { ...rest, kind })
    ),
  tokenTrades: ({ kind, ...request }, options) =>
    stream(Operations.tokenTrades, request, options, (read, rest: Omit<TokenTradesRequest<TradeKind>, "kind">) =>
      DexTradeStream.tokenTrades(read, { ...rest, kind })
    ),
  tokenTradePages: ({ kind, ...request }, options) =>
    stream(Operations.tokenTrades, request, options, (read, rest: Omit<TokenTradesRequest<TradeKind>, "kind">) =>
      DexTradeStream.tokenTradePages(read, { ...rest, kind })
    ),
  liveSwaps: (request, options) =>
    stream<typeof Operations.poolTrades, LiveSwaps.LiveSwapsRequest, LiveSwaps.NewSwap | Reorg, unknown>(
      Operations.poolTrades,
      request,
      options,
      LiveSwaps.liveSwaps
    ),
  liveSwapPages: (request, options) =>
    stream<typeof Operations.poolTrades, LiveSwaps.LiveSwapsRequest, LivePage<LiveSwaps.NewSwap>, unknown>(
      Operations.poolTrades,
      request,
      options,
      LiveSwaps.liveSwapPages
    )
})
