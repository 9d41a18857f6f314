/**
 * Blocks as async iterables, with the guarantees of the streams of `@chaintape/core/streams`. Functions of a client and
 * not its methods, so that programs without streams do not bundle them.
 *
 * @since 0.1.0
 */
import * as Operations from "../api/BlocksOperations.ts"
import type { Block } from "../blocks/Block.ts"
import { iterate } from "../internal/promise/iterate.ts"
import type { ListPage } from "../page/ListPage.ts"
import type { LivePage, Reorg } from "../page/LivePage.ts"
import * as Stream from "../stream/BlocksStream.ts"
import * as LiveBlocks from "../stream/LiveBlocks.ts"
import type { CallOptions, PlainRequest } from "./call/Call.ts"
import type { Plain } from "./call/Plain.ts"
import type { Chaintape } from "./Chaintape.ts"

/**
 * A block of a live stream.
 *
 * @example
 * ```ts
 * import type { BlocksStream } from "@chaintape/core/promise"
 *
 * const number = ({ block }: BlocksStream.NewBlock): bigint => block.number
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewBlock extends Plain<LiveBlocks.NewBlock> {}

type Request = PlainRequest<Stream.BlocksRequest>
type LiveRequest = PlainRequest<LiveBlocks.LiveBlocksRequest>

/**
 * The blocks of a window, newest first unless sorted otherwise.
 *
 * @example
 * ```ts
 * import { BlocksStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = BlocksStream.blocks(chaintape, { blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blocks = (chaintape: Chaintape, request: Request, options?: CallOptions): AsyncIterable<Plain<Block>> =>
  iterate(chaintape, Operations.blocks, request, options, Stream.blocks)

/**
 * The same blocks page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { BlocksStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = BlocksStream.blockPages(chaintape, { blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const blockPages = (
  chaintape: Chaintape,
  request: Request,
  options?: CallOptions
): AsyncIterable<Plain<ListPage<Block>>> => iterate(chaintape, Operations.blocks, request, options, Stream.blockPages)

/**
 * New blocks, live, and reorgs, which say which blocks to discard.
 *
 * @example
 * ```ts
 * import { BlocksStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = BlocksStream.liveBlocks(chaintape, { blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlocks = (
  chaintape: Chaintape,
  request: LiveRequest,
  options?: CallOptions
): AsyncIterable<NewBlock | Plain<Reorg>> =>
  iterate(chaintape, Operations.blocks, request, options, LiveBlocks.liveBlocks)

/**
 * The same page by page, with a cursor from which the stream can be resumed.
 *
 * @example
 * ```ts
 * import { BlocksStream, createClient } from "@chaintape/core/promise"
 *
 * const chaintape = createClient({ baseUrl: "http://127.0.0.1:3000" })
 * const stream = BlocksStream.liveBlockPages(chaintape, { blockchain: "ethereum" })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlockPages = (
  chaintape: Chaintape,
  request: LiveRequest,
  options?: CallOptions
): AsyncIterable<Plain<LivePage<NewBlock>>> =>
  iterate(chaintape, Operations.blocks, request, options, LiveBlocks.liveBlockPages)
