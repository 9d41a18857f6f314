/**
 * All blocks of a window as a stream, on one branch of the chain.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Operations from "../api/BlocksOperations.ts"
import type { Block } from "../blocks/Block.ts"
import { type ListSource, listReading } from "../internal/pagination/listReading.ts"
import { checkRequest, pageOptions } from "../internal/pagination/streamRequest.ts"
import type { Answer } from "../operation/Answer.ts"
import type * as Operation from "../operation/Operation.ts"
import type { ListError, ListPage, PageOptions } from "../page/ListPage.ts"

type BlocksOperation = typeof Operations.blocks

/**
 * The blocks of a stream: the parameters of the operation without `limit` and `skip`.
 *
 * @example
 * ```ts
 * import type { BlocksStream } from "@chaintape/core/streams"
 * import * as DateTime from "effect/DateTime"
 *
 * const request: BlocksStream.BlocksRequest = { blockchain: "ethereum", from: DateTime.makeUnsafe("2026-01-02T00:00:00Z") }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksRequest extends Omit<Operation.Input<BlocksOperation>, "limit" | "skip">, PageOptions {}

/**
 * Reads one page: `blocks.withResponse.blocks`.
 *
 * @example
 * ```ts
 * import type { Client } from "@chaintape/core"
 * import * as BlocksOperations from "@chaintape/core/operations/blocks"
 * import type { BlocksStream } from "@chaintape/core/streams"
 *
 * type Request = Parameters<BlocksStream.ReadBlocks<never, never>>[0]
 * const reading = ({ call }: Client["Service"]) => (request: Request) => call(BlocksOperations.blocks, request)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type ReadBlocks<E, R> = (
  request: Operation.Request<BlocksOperation>
) => Effect.Effect<Answer<ReadonlyArray<Block>>, E, R>

interface Checked extends Omit<Operation.Request<BlocksOperation>, "limit" | "skip">, PageOptions {}

const check = (request: BlocksRequest) =>
  checkRequest<Checked>(Operations.blocks, request, { options: pageOptions, without: ["limit", "skip"] })

const getList = <E, R>(
  read: ReadBlocks<E, R>,
  { cursor, pageSize, ...request }: Checked
): ListSource<ReadonlyArray<Block>, Block, E, R> => ({
  operation: "blocks.blocks",
  request,
  cursor,
  pageSize,
  read: (page) => read({ ...request, ...page }),
  items: (blocks) => blocks
})

/**
 * Pages of blocks, newest first unless sorted otherwise, all on the branch of one block and up to it (see `ListPage`).
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as BlocksOperations from "@chaintape/core/operations/blocks"
 * import { BlocksStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const pages = BlocksStream.blockPages((request) => call(BlocksOperations.blocks, request), { blockchain: "ethereum", block: 1000 })
 *   return yield* Stream.runFold(pages, () => 0, (count, page) => count + page.items.length)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blockPages = <E, R>(
  read: ReadBlocks<E, R>,
  request: BlocksRequest
): Stream.Stream<ListPage<Block>, E | ListError, R> =>
  listReading(
    check(request),
    (checked) => getList(read, checked),
    (page) => [page]
  )

/**
 * The blocks of {@link blockPages}, one by one.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as Operations from "@chaintape/core/operations/blocks"
 * import { BlocksStream } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const all = BlocksStream.blocks((request) => call(Operations.blocks, request), { blockchain: "ethereum", block: 1000 })
 *   return yield* Stream.runFold(all, () => 0n, (gas, block) => gas + block.gasUsed)
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blocks = <E, R>(read: ReadBlocks<E, R>, request: BlocksRequest): Stream.Stream<Block, E | ListError, R> =>
  listReading(
    check(request),
    (checked) => getList(read, checked),
    (page) => page.items
  )
