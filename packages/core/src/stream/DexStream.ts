/**
 * All tokens and pools of a decentralized exchange as streams, as of one block.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Operations from "../api/DexOperations.ts"
import type { Pool } from "../dex/Pool.ts"
import type { Token } from "../dex/Token.ts"
import { type ListSource, listReading } from "../internal/pagination/listReading.ts"
import { checkRequest, pageOptions } from "../internal/pagination/streamRequest.ts"
import type { Answer } from "../operation/Answer.ts"
import type * as Operation from "../operation/Operation.ts"
import type { ListError, ListPage, PageOptions } from "../page/ListPage.ts"

/**
 * The tokens of a stream: the parameters of the operation without `limit` and `skip`.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/core/streams"
 *
 * const request: DexStream.TokensRequest = { exchange: "uniswap-v3", blockchain: "ethereum", tokenSymbol: "WETH" }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface TokensRequest extends Omit<Operation.Input<typeof Operations.tokens>, "limit" | "skip">, PageOptions {}

/**
 * The pools of a stream: the parameters of the operation without `limit` and `skip`.
 *
 * @example
 * ```ts
 * import type { DexStream } from "@chaintape/core/streams"
 *
 * const request: DexStream.PoolsRequest = { exchange: "uniswap-v3", blockchain: "ethereum", block: 20_000_000 }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface PoolsRequest extends Omit<Operation.Input<typeof Operations.pools>, "limit" | "skip">, PageOptions {}

/**
 * Reads one page of tokens: `dex.withResponse.tokens`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import type { DexStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<DexStream.ReadTokens<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(DexOperations.tokens, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadTokens<E, R> = (
  request: Operation.Request<typeof Operations.tokens>
) => Effect.Effect<Answer<ReadonlyArray<Token>>, E, R>

/**
 * Reads one page of pools: `dex.withResponse.pools`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as DexOperations from "@chaintape/core/operations/dex"
 * import type { DexStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<DexStream.ReadPools<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(DexOperations.pools, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadPools<E, R> = (
  request: Operation.Request<typeof Operations.pools>
) => Effect.Effect<Answer<ReadonlyArray<Pool>>, E, R>

type Checked<Op extends Operation.Any> = Omit<Operation.Request<Op>, "limit" | "skip"> & PageOptions

const check = <Op extends Operation.Any>(operation: Op, request: object) =>
  checkRequest<Checked<Op>>(operation, request, { options: pageOptions, without: ["limit", "skip"] })

const getTokens = <E, R>(
  read: ReadTokens<E, R>,
  { cursor, pageSize, ...request }: Checked<typeof Operations.tokens>
): ListSource<ReadonlyArray<Token>, Token, E, R> => ({
  operation: "dex.tokens",
  request,
  cursor,
  pageSize,
  read: (page) => read({ ...request, ...page }),
  items: (tokens) => tokens
})

const getPools = <E, R>(
  read: ReadPools<E, R>,
  { cursor, pageSize, ...request }: Checked<typeof Operations.pools>
): ListSource<ReadonlyArray<Pool>, Pool, E, R> => ({
  operation: "dex.pools",
  request,
  cursor,
  pageSize,
  read: (page) => read({ ...request, ...page }),
  items: (pools) => pools
})

/**
 * Pages of tokens by locked value, largest first, unless sorted otherwise, as of one block (see `ListPage`).
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const deployment = { exchange: "uniswap-v3", blockchain: "ethereum" }
 *   const pages = DexStream.tokenPages((request) => call(Operations.tokens, request), deployment)
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.items.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokenPages = <E, R>(
  read: ReadTokens<E, R>,
  request: TokensRequest
): Stream.Stream<ListPage<Token>, E | ListError, R> =>
  listReading(
    check(Operations.tokens, request),
    (checked) => getTokens(read, checked),
    (page) => [page]
  )

/**
 * The tokens of {@link tokenPages}, one by one.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const deployment = { exchange: "uniswap-v3", blockchain: "ethereum" }
 *   const all = DexStream.tokens((request) => call(Operations.tokens, request), deployment)
 *   yield* Stream.runForEach(all, (token) => Effect.log(token.symbol))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const tokens = <E, R>(read: ReadTokens<E, R>, request: TokensRequest): Stream.Stream<Token, E | ListError, R> =>
  listReading(
    check(Operations.tokens, request),
    (checked) => getTokens(read, checked),
    (page) => page.items
  )

/**
 * Pages of pools by locked value, largest first, unless sorted otherwise, as of one block (see `ListPage`).
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const deployment = { exchange: "uniswap-v3", blockchain: "ethereum", block: 20_000_000 }
 *   const pages = DexStream.poolPages((request) => call(Operations.pools, request), deployment)
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.items.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const poolPages = <E, R>(
  read: ReadPools<E, R>,
  request: PoolsRequest
): Stream.Stream<ListPage<Pool>, E | ListError, R> =>
  listReading(
    check(Operations.pools, request),
    (checked) => getPools(read, checked),
    (page) => [page]
  )

/**
 * The pools of {@link poolPages}, one by one.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/dex"
 * import { DexStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const deployment = { exchange: "uniswap-v3", blockchain: "ethereum", block: 20_000_000 }
 *   const all = DexStream.pools((request) => call(Operations.pools, request), deployment)
 *   yield* Stream.runForEach(all, (pool) => Effect.log(pool.totalValueLockedUSD))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const pools = <E, R>(read: ReadPools<E, R>, request: PoolsRequest): Stream.Stream<Pool, E | ListError, R> =>
  listReading(
    check(Operations.pools, request),
    (checked) => getPools(read, checked),
    (page) => page.items
  )
