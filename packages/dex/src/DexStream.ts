/**
 * All tokens, pools and trades of a decentralized exchange as streams. A separate module, so that programs without
 * streams do not bundle it.
 *
 * @since 0.1.0
 */
import type { BlockReplaced, CallOptions, ClientError, InvalidCursor, Pool, Token } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/dex"
import {
  DexStream as CoreStream,
  DexTradeStream as Trades,
  type ListPage,
  type LivePage,
  LiveSwaps as Live,
  type Reorg
} from "@chaintape/core/streams"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Dex } from "./Dex.ts"

export type { ListPage, LivePage, Reorg } from "@chaintape/core/streams"

/**
 * A swap of a live stream.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/dex"
 *
 * const amount = ({ swap }: DexStream.NewSwap): string => swap.amountUSD
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewSwap extends Live.NewSwap {}

/**
 * The errors of a list stream: those of reading a page, `InvalidCursor`, and `BlockReplaced`.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/dex"
 *
 * const mustRestart = (error: DexStream.DexStreamError<"pools">): boolean => error._tag === "BlockReplaced"
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type DexStreamError<Name extends keyof typeof Operations> =
  | Operation.Problem<(typeof Operations)[Name]>
  | ClientError
  | InvalidCursor
  | BlockReplaced

/**
 * The errors of a live stream: those of reading a page of a pool's trades, and `InvalidCursor`. A reorg is not an
 * error.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/dex"
 *
 * const isWorthAnotherTry = (error: DexStream.LiveSwapsError): boolean => error.isRetryable
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type LiveSwapsError = Operation.Problem<typeof Operations.poolTrades> | ClientError | InvalidCursor

const withClient = <A, E>(
  make: (read: Dex["Service"]["withResponse"]) => Stream.Stream<A, E>
): Stream.Stream<A, E, Dex> => Stream.unwrap(Effect.map(Dex, ({ withResponse }) => make(withResponse)))

/**
 * Tokens by locked value, largest first, unless sorted otherwise, each once, as of one block (see `ListPage`). `options`
 * apply to each request. Alpha: this operation may change.
 *
 * @example
 * ```ts
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.tokens({ exchange: "uniswap-v3", blockchain: "ethereum" }).pipe(
 *   Stream.runForEach(({ symbol, volumeUSD }) => Console.log(`${symbol} ${volumeUSD}`))
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokens = (
  request: CoreStream.TokensRequest,
  options?: CallOptions
): Stream.Stream<Token, DexStreamError<"tokens">, Dex> =>
  withClient((read) => CoreStream.tokens((page) => read.tokens(page, options), request))

/**
 * The same tokens page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.tokenPages({ exchange: "uniswap-v3", blockchain: "ethereum" }).pipe(
 *   Stream.runForEach(({ asOf, items }) => Console.log(`${items.length} tokens as of block ${asOf.number}`))
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenPages = (
  request: CoreStream.TokensRequest,
  options?: CallOptions
): Stream.Stream<ListPage<Token>, DexStreamError<"tokens">, Dex> =>
  withClient((read) => CoreStream.tokenPages((page) => read.tokens(page, options), request))

/**
 * Pools by locked value, largest first, unless sorted otherwise, each once, as of one block (see `ListPage`). `options`
 * apply to each request.
 *
 * @example
 * ```ts
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.pools({ exchange: "uniswap-v3", blockchain: "ethereum", block: 20_000_000 }).pipe(
 *   Stream.runForEach(({ id, totalValueLockedUSD }) => Console.log(`${id} ${totalValueLockedUSD}`))
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const pools = (
  request: CoreStream.PoolsRequest,
  options?: CallOptions
): Stream.Stream<Pool, DexStreamError<"pools">, Dex> =>
  withClient((read) => CoreStream.pools((page) => read.pools(page, options), request))

/**
 * The same pools page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.poolPages({ exchange: "uniswap-v3", blockchain: "ethereum" }).pipe(
 *   Stream.runForEach(({ asOf, items }) => Console.log(`${items.length} pools as of block ${asOf.number}`))
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolPages = (
  request: CoreStream.PoolsRequest,
  options?: CallOptions
): Stream.Stream<ListPage<Pool>, DexStreamError<"pools">, Dex> =>
  withClient((read) => CoreStream.poolPages((page) => read.pools(page, options), request))

/**
 * The swaps, mints or burns of a pool, newest first unless sorted otherwise, each once, as of one block (see
 * `ListPage`). A stream has one `kind`, because the service pages each kind separately. `options` apply to each request.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.poolTrades({
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *   kind: "swap"
 * }).pipe(
 *   Stream.take(5000),
 *   Stream.runForEach(({ amountUSD, recipient }) => Console.log(`${recipient} ${amountUSD}`))
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTrades = <K extends Trades.TradeKind>(
  request: Trades.PoolTradesRequest<K>,
  options?: CallOptions
): Stream.Stream<Trades.TradeOfKind[K], DexStreamError<"poolTrades">, Dex> =>
  withClient((read) => Trades.poolTrades((page) => read.poolTrades(page, options), request))

/**
 * The same trades of a pool page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.poolTradePages({
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *   kind: "mint"
 * }).pipe(Stream.runForEach(({ asOf, items }) => Console.log(`${items.length} mints as of block ${asOf.number}`)))
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTradePages = <K extends Trades.TradeKind>(
  request: Trades.PoolTradesRequest<K>,
  options?: CallOptions
): Stream.Stream<ListPage<Trades.TradeOfKind[K]>, DexStreamError<"poolTrades">, Dex> =>
  withClient((read) => Trades.poolTradePages((page) => read.poolTrades(page, options), request))

/**
 * The swaps, mints or burns of a token in the pools where it is token 0, or token 1 (`as`): newest first unless sorted
 * otherwise, each once, as of one block (see `ListPage`). `options` apply to each request.
 *
 * @example
 * ```ts
 * import { TokenAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.tokenTrades({
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   token: TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
 *   kind: "burn",
 *   as: "token1"
 * }).pipe(Stream.runForEach(({ amountUSD, owner }) => Console.log(`${owner} ${amountUSD}`)))
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTrades = <K extends Trades.TradeKind>(
  request: Trades.TokenTradesRequest<K>,
  options?: CallOptions
): Stream.Stream<Trades.TradeOfKind[K], DexStreamError<"tokenTrades">, Dex> =>
  withClient((read) => Trades.tokenTrades((page) => read.tokenTrades(page, options), request))

/**
 * The same trades of a token page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { TokenAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.tokenTradePages({
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   token: TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
 *   kind: "swap",
 *   as: "token0"
 * }).pipe(Stream.runForEach(({ asOf, items }) => Console.log(`${items.length} swaps as of block ${asOf.number}`)))
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTradePages = <K extends Trades.TradeKind>(
  request: Trades.TokenTradesRequest<K>,
  options?: CallOptions
): Stream.Stream<ListPage<Trades.TradeOfKind[K]>, DexStreamError<"tokenTrades">, Dex> =>
  withClient((read) => Trades.tokenTradePages((page) => read.tokenTrades(page, options), request))

/**
 * The new swaps of a pool, live, from now on or after a `cursor`, and a `Reorg` where the chain replaces blocks. `options`
 * apply to each request. `LiveSwaps.liveSwapPages` of `@chaintape/core/streams` states the guarantees.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = DexStream.liveSwaps({
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 * }).pipe(
 *   Stream.runForEach((event) =>
 *     Console.log(event._tag === "Swap" ? `${event.swap.amount0} for ${event.swap.amount1}` : `replaced from ${event.from} on`)
 *   )
 * )
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwaps = (
  request: Live.LiveSwapsRequest,
  options?: CallOptions
): Stream.Stream<NewSwap | Reorg, LiveSwapsError, Dex> =>
  withClient((read) => Live.liveSwaps((page) => read.poolTrades(page, options), request))

/**
 * The same swaps and reorgs page by page, with a `cursor` that resumes after each page.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import { Dex, DexStream } from "@chaintape/dex"
 * import { Effect, Stream } from "effect"
 *
 * const readOn = (
 *   cursor: string | undefined,
 *   save: (page: DexStream.LivePage<DexStream.NewSwap>) => Effect.Effect<void>
 * ) =>
 *   DexStream.liveSwapPages({
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *     cursor
 *   }).pipe(Stream.runForEach(save), Effect.provide(Dex.layerConfig()))
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveSwapPages = (
  request: Live.LiveSwapsRequest,
  options?: CallOptions
): Stream.Stream<LivePage<NewSwap>, LiveSwapsError, Dex> =>
  withClient((read) => Live.liveSwapPages((page) => read.poolTrades(page, options), request))
