/**
 * All blocks of a window, as async iterables.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/BlocksOperations.ts"
import type { Block } from "../blocks/Block.ts"
import * as BlocksStream from "../stream/BlocksStream.ts"
import type { ListPage } from "../stream/ListPage.ts"
import * as LiveBlocks from "../stream/LiveBlocks.ts"
import type { LivePage, Reorg } from "../stream/LivePage.ts"
import type { CallOptions, PlainStreamRequest } from "./Call.ts"
import type { Plain } from "./Plain.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

type Request = PlainStreamRequest<BlocksStream.BlocksRequest>
type LiveRequest = PlainStreamRequest<LiveBlocks.LiveBlocksRequest>

/**
 * Streams of blocks on one branch of the chain.
 *
 * @example
 * ```ts
 * import type { BlocksStreams } from "@chaintape/core/promise"
 *
 * const gasUsed = async (stream: BlocksStreams, from: Date): Promise<bigint> => {
 *   let gas = 0n
 *   for await (const { gasUsed } of stream.blocks({ blockchain: "ethereum", from })) gas += gasUsed
 *   return gas
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksStreams {
  /** Blocks, newest first unless sorted otherwise. */
  readonly blocks: (request: Request, options?: CallOptions) => AsyncIterable<Plain<Block>>
  /** The same blocks page by page, with a cursor from which the stream can be resumed. */
  readonly blockPages: (request: Request, options?: CallOptions) => AsyncIterable<Plain<ListPage<Block>>>
  /** New blocks, live, and reorgs, which say which blocks to discard. */
  readonly liveBlocks: (
    request: LiveRequest,
    options?: CallOptions
  ) => AsyncIterable<Plain<LiveBlocks.NewBlock | Reorg>>
  /** The same page by page, with a cursor from which the stream can be resumed. */
  readonly liveBlockPages: (
    request: LiveRequest,
    options?: CallOptions
  ) => AsyncIterable<Plain<LivePage<LiveBlocks.NewBlock>>>
}

/**
 * The streams of blockchains with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { type BlocksStreams, makeBlocksStreams } from "@chaintape/core/promise/BlocksStreams"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = ({ stream }: PromiseCalls): BlocksStreams => makeBlocksStreams(stream)
 * ```
 */
export const makeBlocksStreams = (stream: PromiseCalls["stream"]): BlocksStreams => ({
  blocks: (request, options) =>
    stream<typeof Operations.blocks, BlocksStream.BlocksRequest, Block, unknown>(
      Operations.blocks,
      request,
      options,
      BlocksStream.blocks
    ),
  blockPages: (request, options) =>
    stream<typeof Operations.blocks, BlocksStream.BlocksRequest, ListPage<Block>, unknown>(
      Operations.blocks,
      request,
      options,
      BlocksStream.blockPages
    ),
  liveBlocks: (request, options) =>
    stream<typeof Operations.blocks, LiveBlocks.LiveBlocksRequest, LiveBlocks.NewBlock | Reorg, unknown>(
      Operations.blocks,
      request,
      options,
      LiveBlocks.liveBlocks
    ),
  liveBlockPages: (request, options) =>
    stream<typeof Operations.blocks, LiveBlocks.LiveBlocksRequest, LivePage<LiveBlocks.NewBlock>, unknown>(
      Operations.blocks,
      request,
      options,
      LiveBlocks.liveBlockPages
    )
})
