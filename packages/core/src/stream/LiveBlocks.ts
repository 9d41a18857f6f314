/**
 * The new blocks of a chain, live.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import { Block } from "../blocks/Block.ts"
import type { ChainFeed } from "../internal/live/chainPolling.ts"
import { chainReading } from "../internal/live/chainReading.ts"
import { toDecoder } from "../internal/live/decoding.ts"
import { liveBlocks as operation } from "../internal/live/operations.ts"
import { toIncompleteResponse, missingBlock } from "../internal/pagination/listReading.ts"
import { checkRequest, liveOptions } from "../internal/pagination/streamRequest.ts"
import type { AsOf } from "../operation/Answer.ts"
import type { LiveOptions, LivePage, Reorg } from "../page/LivePage.ts"
import type { UnexpectedResponse } from "../problem/ClientError.ts"
import type { InvalidParameter } from "../problem/Problem.ts"
import type { InvalidCursor } from "../problem/StreamError.ts"
import type { ReadBlocks } from "./BlocksStream.ts"

/**
 * The chain of a stream.
 *
 * @example
 * ```ts
 * import type { LiveBlocks } from "@chaintape/core/streams"
 *
 * const request: LiveBlocks.LiveBlocksRequest = { blockchain: "ethereum" }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface LiveBlocksRequest extends LiveOptions {
  /** The id of the blockchain, such as `ethereum`. */
  readonly blockchain: string
}

/**
 * A new block.
 *
 * @example
 * ```ts
 * import type { LiveBlocks } from "@chaintape/core/streams"
 *
 * const fullness = ({ block }: LiveBlocks.NewBlock): number => Number(block.gasUsed) / Number(block.gasLimit)
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface NewBlock {
  /** Distinguishes the event from a `Reorg`. */
  readonly _tag: "Block"
  /** The block, on top of the one before. */
  readonly block: Block
}

/** Blocks per poll. */
const maxPage = 1000

const decode = toDecoder(Block)

const check = (request: LiveBlocksRequest) =>
  checkRequest<LiveBlocksRequest>(operation, request, { options: liveOptions, without: ["after"] })

const newBlock = (block: Block): NewBlock => ({ _tag: "Block", block })

const makeFeed = <E, R>(
  read: ReadBlocks<E, R>,
  blockchain: string
): ChainFeed<NewBlock, typeof operation, E | UnexpectedResponse, R> => {
  const name = "blocks.liveBlocks"
  const page = (block: number | undefined, limit: number) =>
    Effect.flatMap(
      read({ blockchain, block, limit }),
      ({
        asOf,
        value
      }): Effect.Effect<{ readonly asOf: AsOf; readonly value: ReadonlyArray<Block> }, UnexpectedResponse> =>
        Option.isSome(asOf)
          ? Effect.succeed({ asOf: asOf.value, value })
          : Effect.fail(toIncompleteResponse(name, missingBlock))
    )
  const blockAt = (number: number | undefined) => Effect.map(page(number, 1), ({ asOf }) => asOf)
  return {
    operation: name,
    request: { blockchain },
    live: operation,
    liveRequest: (after) => ({ blockchain, after }),
    event: "block",
    decode: (data) => {
      const block = decode(data)
      return block === undefined ? undefined : newBlock(block)
    },
    blockAt,
    after: Effect.fnUntraced(function* (number, head) {
      const to = Math.min(Number(head.number), number + maxPage)
      const { asOf, value } = yield* page(to, to - number)
      const { hash } = yield* blockAt(number)
      const blocks = value.filter((block) => Number(block.number) > number).reverse()
      return { items: blocks.map(newBlock), asOf, hash }
    })
  }
}

/**
 * Blocks and reorgs page by page, from now on or after a `cursor`. Guarantees:
 *
 * - The stream emits every following block once, in order. If the chain replaces emitted blocks, a `Reorg` comes first,
 *   which says from which number on to discard blocks; the blocks of the new branch follow. It may go back further than
 *   necessary.
 * - If the service streams blocks, they arrive at once. If it does not, or the stream is blocked, the client polls every
 *   `pollEvery`, with the same guarantees.
 *
 * It fails with the errors of `read` (after the client's retries), or with `InvalidCursor`.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as BlocksOperations from "@chaintape/core/operations/blocks"
 * import { LiveBlocks } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const pages = LiveBlocks.liveBlockPages((request) => call(BlocksOperations.blocks, request), { blockchain: "ethereum" })
 *   yield* Stream.runForEach(pages, ({ cursor, events }) => Effect.log(events.length, cursor))
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlockPages = <E, R>(
  read: ReadBlocks<E, R>,
  request: LiveBlocksRequest
): Stream.Stream<LivePage<NewBlock>, E | InvalidParameter | InvalidCursor | UnexpectedResponse, R> =>
  chainReading(
    check(request),
    ({ blockchain }) => makeFeed(read, blockchain),
    (page) => [page]
  )

/**
 * The blocks and reorgs of {@link liveBlockPages}, one by one.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import * as BlocksOperations from "@chaintape/core/operations/blocks"
 * import { LiveBlocks } from "@chaintape/core/streams"
 * import * as Effect from "effect/Effect"
 * import * as Stream from "effect/Stream"
 *
 * const program = Effect.gen(function* () {
 *   const { call } = yield* Client
 *   const events = LiveBlocks.liveBlocks((request) => call(BlocksOperations.blocks, request), { blockchain: "ethereum" })
 *   yield* Stream.runForEach(events, (event) =>
 *     Effect.log(event._tag === "Block" ? `block ${event.block.number}` : `replaced from ${event.from}`)
 *   )
 * })
 * ```
 *
 * @since 0.1.0
 * @category streams
 */
export const liveBlocks = <E, R>(
  read: ReadBlocks<E, R>,
  request: LiveBlocksRequest
): Stream.Stream<NewBlock | Reorg, E | InvalidParameter | InvalidCursor | UnexpectedResponse, R> =>
  chainReading(
    check(request),
    ({ blockchain }) => makeFeed(read, blockchain),
    (page) => page.events
  )
