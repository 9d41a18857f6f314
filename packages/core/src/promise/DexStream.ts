/**
 * Tokens, pools and trades of a decentralized exchange as async iterables, with the guarantees of the streams
 * of `@chaintape/core/streams`. Functions of a client and not its methods, so that programs without streams do not bundle
 * them.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/DexOperations.ts"
import type { Pool } from "../dex/Pool.ts"
import type { Token } from "../dex/Token.ts"
import { iterate } from "../internal/promise/iterate.ts"
import type { ListPage } from "../page/ListPage.ts"
import type { LivePage, Reorg } from "../page/LivePage.ts"
import * as Stream from "../stream/DexStream.ts"
import type { TradeKind, TradeOfKind } from "../stream/DexTradeStream.ts"
import * as Trades from "../stream/DexTradeStream.ts"
import * as LiveSwaps from "../stream/LiveSwaps.ts"
import type { CallOptions, PlainRequest } from "./call/Call.ts"
import type { Plain } from "./call/Plain.ts"
import type { Chaintape } from "./Chaintape.ts"

/**
 * A swap of a live stream.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/core/promise"
 *
 * const amount = ({ swap }: DexStream.NewSwap): string => swap.amountUSD
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewSwap extends Plain<LiveSwaps.NewSwap> {}

type Tokens = PlainRequest<Stream.TokensRequest>
type Pools = PlainRequest<Stream.PoolsRequest>
type SwapsOfPool = PlainRequest<LiveSwaps.LiveSwapsRequest>
type OfPool<K extends TradeKind> = PlainRequest<Trades.PoolTradesRequest<K>>
type OfToken<K extends TradeKind> = PlainRequest<Trades.TokenTradesRequest<K>>

/**
 * Tokens, by locked value unless sorted otherwise. Alpha: this operation may change.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.tokens(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokens = (chaintape: Chaintape, request: Tokens, options?: CallOptions): AsyncIterable<Plain<Token>> =>
  iterate(chaintape, Operations.tokens, request, options, Stream.tokens)

/**
 * The same tokens page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.tokenPages(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenPages = (
  chaintape: Chaintape,
  request: Tokens,
  options?: CallOptions
): AsyncIterable<Plain<ListPage<Token>>> => iterate(chaintape, Operations.tokens, request, options, Stream.tokenPages)

/**
 * Pools, by locked value unless sorted otherwise.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.pools(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const pools = (chaintape: Chaintape, request: Pools, options?: CallOptions): AsyncIterable<Plain<Pool>> =>
  iterate(chaintape, Operations.pools, request, options, Stream.pools)

/**
 * The same pools page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.poolPages(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolPages = (
  chaintape: Chaintape,
  request: Pools,
  options?: CallOptions
): AsyncIterable<Plain<ListPage<Pool>>> => iterate(chaintape, Operations.pools, request, options, Stream.poolPages)

/**
 * New swaps of one pool, live, and reorgs, which say which swaps to discard.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.liveSwaps(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwaps = (
  chaintape: Chaintape,
  request: SwapsOfPool,
  options?: CallOptions
): AsyncIterable<NewSwap | Plain<Reorg>> =>
  iterate(chaintape, Operations.poolTrades, request, options, LiveSwaps.liveSwaps)

/**
 * The same page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.liveSwapPages(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwapPages = (
  chaintape: Chaintape,
  request: SwapsOfPool,
  options?: CallOptions
): AsyncIterable<Plain<LivePage<NewSwap>>> =>
  iterate(chaintape, Operations.poolTrades, request, options, LiveSwaps.liveSwapPages)

/**
 * The swaps, mints or burns (`kind`) of one pool.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.poolTrades(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", kind: "swap" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTrades = <K extends TradeKind>(
  chaintape: Chaintape,
  request: OfPool<K>,
  options?: CallOptions
): AsyncIterable<Plain<TradeOfKind[K]>> =>
  iterate<typeof Operations.poolTrades, Trades.PoolTradesRequest<K>, TradeOfKind[K], unknown>(
    chaintape,
    Operations.poolTrades,
    request,
    options,
    Trades.poolTrades
  )

/**
 * The same trades page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.poolTradePages(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", kind: "swap" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTradePages = <K extends TradeKind>(
  chaintape: Chaintape,
  request: OfPool<K>,
  options?: CallOptions
): AsyncIterable<Plain<ListPage<TradeOfKind[K]>>> =>
  iterate<typeof Operations.poolTrades, Trades.PoolTradesRequest<K>, ListPage<TradeOfKind[K]>, unknown>(
    chaintape,
    Operations.poolTrades,
    request,
    options,
    Trades.poolTradePages
  )

/**
 * The swaps, mints or burns of every pool with the token on the side given by `as`.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.tokenTrades(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", token: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", kind: "swap", as: "token0" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTrades = <K extends TradeKind>(
  chaintape: Chaintape,
  request: OfToken<K>,
  options?: CallOptions
): AsyncIterable<Plain<TradeOfKind[K]>> =>
  iterate<typeof Operations.tokenTrades, Trades.TokenTradesRequest<K>, TradeOfKind[K], unknown>(
    chaintape,
    Operations.tokenTrades,
    request,
    options,
    Trades.tokenTrades
  )

/**
 * The same trades page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { DexStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = DexStream.tokenTradePages(chaintape, { exchange: "uniswap-v3", blockchain: "ethereum", token: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", kind: "swap", as: "token0" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTradePages = <K extends TradeKind>(
  chaintape: Chaintape,
  request: OfToken<K>,
  options?: CallOptions
): AsyncIterable<Plain<ListPage<TradeOfKind[K]>>> =>
  iterate<typeof Operations.tokenTrades, Trades.TokenTradesRequest<K>, ListPage<TradeOfKind[K]>, unknown>(
    chaintape,
    Operations.tokenTrades,
    request,
    options,
    Trades.tokenTradePages
  )
