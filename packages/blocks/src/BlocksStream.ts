/**
 * All blocks of a window as a stream. A separate module, so that programs without streams do not bundle it.
 *
 * @since 0.1.0
 */
import type * as Operations from "@chaintape/core/api/BlocksOperations"
import type * as Operation from "@chaintape/core/api/Operation"
import type { Block } from "@chaintape/core/blocks/Block"
import type { CallOptions } from "@chaintape/core/client/Client"
import type { ClientError } from "@chaintape/core/client/ClientError"
import * as CoreStream from "@chaintape/core/stream/BlocksStream"
import type { ListError, ListPage } from "@chaintape/core/stream/ListPage"
import * as Live from "@chaintape/core/stream/LiveBlocks"
import type { LivePage, Reorg } from "@chaintape/core/stream/LivePage"
import type { InvalidCursor } from "@chaintape/core/stream/StreamError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Blocks } from "./Blocks.ts"

export type { BlocksRequest } from "@chaintape/core/stream/BlocksStream"
export type { ListPage } from "@chaintape/core/stream/ListPage"
export type { LiveBlocksRequest, NewBlock } from "@chaintape/core/stream/LiveBlocks"
export type { LivePage, Reorg } from "@chaintape/core/stream/LivePage"
export { BlockReplaced, InvalidCursor } from "@chaintape/core/stream/StreamError"

/**
 * The errors of a stream of blocks: those of reading a page, `InvalidCursor`, and `BlockReplaced`.
 *
 * @example
 * ```ts
 * import type { BlocksStreamError } from "@chaintape/blocks/stream"
 *
 * const beginAnew = (error: BlocksStreamError): boolean => error._tag === "BlockReplaced"
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type BlocksStreamError = Operation.Problem<typeof Operations.blocks> | ClientError | ListError

/**
 * The errors of a live stream: those of reading a page, and `InvalidCursor`. A reorg is not an error.
 *
 * @example
 * ```ts
 * import type { LiveBlocksError } from "@chaintape/blocks/stream"
 *
 * const isWorthAnotherTry = (error: LiveBlocksError): boolean => error.isRetryable
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type LiveBlocksError = Operation.Problem<typeof Operations.blocks> | ClientError | InvalidCursor

const over = <A, E>(
  make: (read: Blocks["Service"]["withResponse"]) => Stream.Stream<A, E>
): Stream.Stream<A, E, Blocks> => Stream.unwrap(Effect.map(Blocks, ({ withResponse }) => make(withResponse)))

/**
 * Blocks, newest first unless sorted otherwise, each once: those of `from`, `to` and `block`, all on one branch of the
 * chain. If a reorg replaces the branch, it fails with `BlockReplaced`. `options` apply to each request.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import * as BlocksStream from "@chaintape/blocks/stream"
 * import { DateTime, Effect, Stream } from "effect"
 *
 * const gasOfDay = BlocksStream.blocks({
 *   blockchain: "ethereum",
 *   from: DateTime.makeUnsafe("2026-01-02T00:00:00Z"),
 *   to: DateTime.makeUnsafe("2026-01-02T23:59:59.999Z")
 * }).pipe(Stream.runFold(() => 0n, (sum, { gasUsed }) => sum + gasUsed))
 *
 * const runnable = Effect.provide(gasOfDay, Blocks.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blocks = (
  request: CoreStream.BlocksRequest,
  options?: CallOptions
): Stream.Stream<Block, BlocksStreamError, Blocks> =>
  over((read) => CoreStream.blocks((page) => read.blocks(page, options), request))

/**
 * The same blocks page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import * as BlocksStream from "@chaintape/blocks/stream"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = BlocksStream.blockPages({ blockchain: "ethereum", block: 1000, pageSize: 100 }).pipe(
 *   Stream.runForEach(({ asOf, items }) => Console.log(`${items.length} blocks up to ${asOf.number}`))
 * )
 *
 * const runnable = Effect.provide(program, Blocks.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blockPages = (
  request: CoreStream.BlocksRequest,
  options?: CallOptions
): Stream.Stream<ListPage<Block>, BlocksStreamError, Blocks> =>
  over((read) => CoreStream.blockPages((page) => read.blocks(page, options), request))

/**
 * The new blocks of a chain, live, from now on or after a `cursor`, each once and in order. If the chain replaces
 * blocks, a `Reorg` says from which number on to discard them, and those of the new branch follow. `options` apply to
 * each request.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import * as BlocksStream from "@chaintape/blocks/stream"
 * import { Console, Effect, Stream } from "effect"
 *
 * const program = BlocksStream.liveBlocks({ blockchain: "ethereum" }).pipe(
 *   Stream.runForEach((event) =>
 *     Console.log(event._tag === "Block" ? `block ${event.block.number}` : `replaced from ${event.from} on`)
 *   )
 * )
 *
 * const runnable = Effect.provide(program, Blocks.layerConfig())
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlocks = (
  request: Live.LiveBlocksRequest,
  options?: CallOptions
): Stream.Stream<Live.NewBlock | Reorg, LiveBlocksError, Blocks> =>
  over((read) => Live.liveBlocks((page) => read.blocks(page, options), request))

/**
 * The same blocks and reorgs page by page, with a `cursor` that resumes after each page.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import * as BlocksStream from "@chaintape/blocks/stream"
 * import { Effect, Stream } from "effect"
 *
 * const readOn = (
 *   cursor: string | undefined,
 *   save: (page: BlocksStream.LivePage<BlocksStream.NewBlock>) => Effect.Effect<void>
 * ) =>
 *   BlocksStream.liveBlockPages({ blockchain: "ethereum", cursor }).pipe(
 *     Stream.runForEach(save),
 *     Effect.provide(Blocks.layerConfig())
 *   )
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlockPages = (
  request: Live.LiveBlocksRequest,
  options?: CallOptions
): Stream.Stream<LivePage<Live.NewBlock>, LiveBlocksError, Blocks> =>
  over((read) => Live.liveBlockPages((page) => read.blocks(page, options), request))
