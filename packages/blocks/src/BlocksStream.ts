/**
 * All blocks of a window as a stream. A separate module, so that programs without streams do not bundle it.
 *
 * @since 0.1.0
 */
import type { BlockReplaced, Block, CallOptions, ClientError, InvalidCursor } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/blocks"
import {
  BlocksStream as CoreStream,
  type ListPage,
  LiveBlocks as Live,
  type LivePage,
  type Reorg
} from "@chaintape/core/streams"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Blocks } from "./Blocks.ts"

export type { ListPage, LivePage, Reorg } from "@chaintape/core/streams"

/**
 * A block of a live stream.
 *
 * @example
 * ```ts
 * import type { BlocksStream } from "@chaintape/blocks"
 *
 * const number = ({ block }: BlocksStream.NewBlock): bigint => block.number
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewBlock extends Live.NewBlock {}

/**
 * The errors of a stream of blocks: those of reading a page, `InvalidCursor`, and `BlockReplaced`.
 *
 * @example
 * ```ts
 * import type { BlocksStream } from "@chaintape/blocks"
 *
 * const mustRestart = (error: BlocksStream.BlocksStreamError): boolean => error._tag === "BlockReplaced"
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type BlocksStreamError =
  | Operation.Problem<typeof Operations.blocks>
  | ClientError
  | InvalidCursor
  | BlockReplaced

/**
 * The errors of a live stream: those of reading a page, and `InvalidCursor`. A reorg is not an error.
 *
 * @example
 * ```ts
 * import type { BlocksStream } from "@chaintape/blocks"
 *
 * const isWorthAnotherTry = (error: BlocksStream.LiveBlocksError): boolean => error.isRetryable
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export type LiveBlocksError = Operation.Problem<typeof Operations.blocks> | ClientError | InvalidCursor

const withClient = <A, E>(
  make: (read: Blocks["Service"]["withResponse"]) => Stream.Stream<A, E>
): Stream.Stream<A, E, Blocks> => Stream.unwrap(Effect.map(Blocks, ({ withResponse }) => make(withResponse)))

/**
 * Blocks, newest first unless sorted otherwise, each once: those of `from`, `to` and `block`, all on the branch of one
 * block (see `ListPage`). `options` apply to each request.
 *
 * @example
 * ```ts
 * import { Blocks, BlocksStream } from "@chaintape/blocks"
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
  withClient((read) => CoreStream.blocks((page) => read.blocks(page, options), request))

/**
 * The same blocks page by page, with a `cursor` that resumes after each page, as of the same block.
 *
 * @example
 * ```ts
 * import { Blocks, BlocksStream } from "@chaintape/blocks"
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
  withClient((read) => CoreStream.blockPages((page) => read.blocks(page, options), request))

/**
 * The new blocks of a chain, live, from now on or after a `cursor`, and a `Reorg` where the chain replaces blocks.
 * `options` apply to each request. `LiveBlocks.liveBlockPages` of `@chaintape/core/streams` states the guarantees.
 *
 * @example
 * ```ts
 * import { Blocks, BlocksStream } from "@chaintape/blocks"
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
): Stream.Stream<NewBlock | Reorg, LiveBlocksError, Blocks> =>
  withClient((read) => Live.liveBlocks((page) => read.blocks(page, options), request))

/**
 * The same blocks and reorgs page by page, with a `cursor` that resumes after each page.
 *
 * @example
 * ```ts
 * import { Blocks, BlocksStream } from "@chaintape/blocks"
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
): Stream.Stream<LivePage<NewBlock>, LiveBlocksError, Blocks> =>
  withClient((read) => Live.liveBlockPages((page) => read.blocks(page, options), request))
