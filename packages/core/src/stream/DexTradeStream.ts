/**
 * All swaps, mints or burns of a pool or of a token as streams, as of one block.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Operations from "../api/DexOperations.ts"
import type { Burn, Mint, PoolTrades, Swap, TokenTrades } from "../dex/PoolTrade.ts"
import { type ListSource, listReading } from "../internal/pagination/listReading.ts"
import { checkRequest, kindOptions, sideOptions } from "../internal/pagination/streamRequest.ts"
import type { Answer } from "../operation/Answer.ts"
import type * as Operation from "../operation/Operation.ts"
import type { ListError, ListPage, PageOptions } from "../page/ListPage.ts"

/**
 * The trades of a decentralized exchange by kind.
 *
 * @example
 * ```ts
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * const recipient = (swap: DexTradeStream.TradeOfKind["swap"]): string => swap.recipient
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TradeOfKind {
  /** An exchange of one token of a pool for the other. */
  readonly swap: Swap
  /** Liquidity that was added to a pool. */
  readonly mint: Mint
  /** Liquidity that was removed from a pool. */
  readonly burn: Burn
}

/**
 * The kind of trades in a stream: the service pages each kind separately.
 *
 * @example
 * ```ts
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * const kinds: ReadonlyArray<DexTradeStream.TradeKind> = ["swap", "mint", "burn"]
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type TradeKind = keyof TradeOfKind

type Paging = "limit" | "skip" | "swap" | "mint" | "burn" | "base" | "quote"
type Options = "kind" | "as" | "pageSize" | "cursor"

/**
 * The trades of a pool in a stream.
 *
 * @example
 * ```ts
 * import { PoolAddress } from "@chaintape/core"
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * const request: DexTradeStream.PoolTradesRequest<"swap"> = {
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *   kind: "swap"
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface PoolTradesRequest<K extends TradeKind>
  extends Omit<Operation.Input<typeof Operations.poolTrades>, Paging>, PageOptions {
  /** The kind of the trades: `"swap"`, `"mint"` or `"burn"`. */
  readonly kind: K
}

/**
 * The trades of a token in a stream.
 *
 * @example
 * ```ts
 * import { TokenAddress } from "@chaintape/core"
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * const request: DexTradeStream.TokenTradesRequest<"mint"> = {
 *   exchange: "uniswap-v3",
 *   blockchain: "ethereum",
 *   token: TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
 *   kind: "mint",
 *   as: "token1"
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenTradesRequest<K extends TradeKind>
  extends Omit<Operation.Input<typeof Operations.tokenTrades>, Paging>, PageOptions {
  /** The kind of the trades: `"swap"`, `"mint"` or `"burn"`. */
  readonly kind: K
  /** Only trades of pools in which the token is this one of the two. */
  readonly as: "token0" | "token1"
}

/**
 * Reads one page of a pool's trades: `dex.withResponse.poolTrades`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<DexTradeStream.ReadPoolTrades<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(DexOperations.poolTrades, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadPoolTrades<E, R> = (
  request: Operation.Request<typeof Operations.poolTrades>
) => Effect.Effect<Answer<PoolTrades>, E, R>

/**
 * Reads one page of a token's trades: `dex.withResponse.tokenTrades`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import type { DexTradeStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<DexTradeStream.ReadTokenTrades<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(DexOperations.tokenTrades, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTokenTrades<E, R> = (
  request: Operation.Request<typeof Operations.tokenTrades>
) => Effect.Effect<Answer<TokenTrades>, E, R>

type Select<A> = { readonly [K in TradeKind]: (trades: A) => ReadonlyArray<TradeOfKind[K]> | undefined }

const ofPool: Select<PoolTrades> = {
  swap: ({ swaps }) => swaps,
  mint: ({ mints }) => mints,
  burn: ({ burns }) => burns
}

const ofToken: { readonly [Side in "token0" | "token1"]: Select<TokenTrades> } = {
  token0: {
    swap: ({ swapsAs0 }) => swapsAs0,
    mint: ({ mintsAs0 }) => mintsAs0,
    burn: ({ burnsAs0 }) => burnsAs0
  },
  token1: {
    swap: ({ swapsAs1 }) => swapsAs1,
    mint: ({ mintsAs1 }) => mintsAs1,
    burn: ({ burnsAs1 }) => burnsAs1
  }
}

const paging = ["limit", "skip", "swap", "mint", "burn", "base", "quote"] as const

/** The parameters of the operation as values, and the options of the stream. */
type Checked<Op extends Operation.Any, R> = Omit<Operation.Request<Op>, Paging> & Pick<R, keyof R & Options>

const checkPoolRequest = <K extends TradeKind>(request: PoolTradesRequest<K>) =>
  checkRequest<Checked<typeof Operations.poolTrades, PoolTradesRequest<K>>>(Operations.poolTrades, request, {
    options: kindOptions,
    without: paging,
    required: ["kind"]
  })

const checkTokenRequest = <K extends TradeKind>(request: TokenTradesRequest<K>) =>
  checkRequest<Checked<typeof Operations.tokenTrades, TokenTradesRequest<K>>>(Operations.tokenTrades, request, {
    options: sideOptions,
    without: paging,
    required: ["kind", "as"]
  })

const toFlags = (kind: TradeKind) => ({ swap: kind === "swap", mint: kind === "mint", burn: kind === "burn" })

const getPoolList = <K extends TradeKind, E, R>(
  read: ReadPoolTrades<E, R>,
  { cursor, kind, pageSize, ...rest }: Checked<typeof Operations.poolTrades, PoolTradesRequest<K>>
): ListSource<PoolTrades, TradeOfKind[K], E, R> => {
  const request = { ...rest, ...toFlags(kind) }
  return {
    operation: "dex.poolTrades",
    request,
    cursor,
    pageSize,
    read: (page) => read({ ...request, ...page }),
    items: (trades) => ofPool[kind](trades)
  }
}

const getTokenList = <K extends TradeKind, E, R>(
  read: ReadTokenTrades<E, R>,
  { as, cursor, kind, pageSize, ...rest }: Checked<typeof Operations.tokenTrades, TokenTradesRequest<K>>
): ListSource<TokenTrades, TradeOfKind[K], E, R> => {
  const request = { ...rest, ...toFlags(kind), base: as === "token0", quote: as === "token1" }
  return {
    operation: "dex.tokenTrades",
    request,
    cursor,
    pageSize,
    read: (page) => read({ ...request, ...page }),
    items: (trades) => ofToken[as][kind](trades)
  }
}

/**
 * Pages of a pool's swaps, mints or burns, newest first unless sorted otherwise, as of one block (see `ListPage`).
 *
 * @example
 * ```ts
 * import { Client, PoolAddress } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexTradeStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const pages = DexTradeStream.poolTradePages((request) => call(Operations.poolTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *     kind: "burn"
 *   })
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.items.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTradePages = <K extends TradeKind, E, R>(
  read: ReadPoolTrades<E, R>,
  request: PoolTradesRequest<K>
): Stream.Stream<ListPage<TradeOfKind[K]>, E | ListError, R> =>
  listReading(
    checkPoolRequest(request),
    (checked) => getPoolList(read, checked),
    (page) => [page]
  )

/**
 * The trades of {@link poolTradePages}, one by one.
 *
 * @example
 * ```ts
 * import { Client, PoolAddress } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexTradeStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const swaps = DexTradeStream.poolTrades((request) => call(Operations.poolTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     pool: PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"),
 *     kind: "swap"
 *   })
 *   yield* Stream.runForEach(Stream.take(swaps, 10), (swap) => Effect.log(swap.recipient))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolTrades = <K extends TradeKind, E, R>(
  read: ReadPoolTrades<E, R>,
  request: PoolTradesRequest<K>
): Stream.Stream<TradeOfKind[K], E | ListError, R> =>
  listReading(
    checkPoolRequest(request),
    (checked) => getPoolList(read, checked),
    (page) => page.items
  )

/**
 * Pages of a token's swaps, mints or burns in the pools that contain it, newest first unless sorted otherwise, as of one
 * block (see `ListPage`).
 *
 * @example
 * ```ts
 * import { Client, TokenAddress } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexTradeStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const pages = DexTradeStream.tokenTradePages((request) => call(Operations.tokenTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     token: TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
 *     kind: "mint",
 *     as: "token0"
 *   })
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.items.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTradePages = <K extends TradeKind, E, R>(
  read: ReadTokenTrades<E, R>,
  request: TokenTradesRequest<K>
): Stream.Stream<ListPage<TradeOfKind[K]>, E | ListError, R> =>
  listReading(
    checkTokenRequest(request),
    (checked) => getTokenList(read, checked),
    (page) => [page]
  )

/**
 * The trades of {@link tokenTradePages}, one by one.
 *
 * @example
 * ```ts
 * import { Client, TokenAddress } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexTradeStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const swaps = DexTradeStream.tokenTrades((request) => call(Operations.tokenTrades, request), {
 *     exchange: "uniswap-v3",
 *     blockchain: "ethereum",
 *     token: TokenAddress.make("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"),
 *     kind: "swap",
 *     as: "token1"
 *   })
 *   yield* Stream.runForEach(Stream.take(swaps, 10), (swap) => Effect.log(swap.amountUSD))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenTrades = <K extends TradeKind, E, R>(
  read: ReadTokenTrades<E, R>,
  request: TokenTradesRequest<K>
): Stream.Stream<TradeOfKind[K], E | ListError, R> =>
  listReading(
    checkTokenRequest(request),
    (checked) => getTokenList(read, checked),
    (page) => page.items
  )
