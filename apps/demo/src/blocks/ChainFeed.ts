import { Blocks, BlocksStream } from "@chaintape/blocks"
import type { Block } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { countRequests } from "../service/Budget.ts"
import type { Chain } from "./Chain.ts"
import { addEvents, addNewest, blocksShown } from "./Chain.ts"

export interface ChainFeed extends Chain {
  /** The last page of the stream. */
  readonly page?: BlocksStream.LivePage<BlocksStream.NewBlock>
}

const readNewest = Effect.fnUntraced(function* (blockchain: string) {
  const blocks = yield* Blocks
  const { value } = yield* countRequests(blocks.withResponse.blocks({ blockchain, limit: blocksShown }))
  return value
})

/** Whether blocks are missing between the known ones and those of the page. */
const hasGap = ({ blocks }: Chain, { events }: BlocksStream.LivePage<BlocksStream.NewBlock>) => {
  const [first] = events
  const head = blocks[0]?.number
  return first?._tag === "Block" && head !== undefined && first.block.number > head + 1n
}

/** After a long pause, the blocks in between are not worth reading. */
const isFar = ({ blocks }: Chain, newest: ReadonlyArray<Block>) =>
  (newest[0]?.number ?? 0n) - (blocks[0]?.number ?? 0n) > blocksShown

/** Where a feed goes on. Without a cursor the stream begins at the head, and has no reorg of before. */
const resume = (last: ChainFeed | undefined, newest: ReadonlyArray<Block>, now: number): ChainFeed => {
  if (last === undefined || isFar(last, newest)) return { blocks: newest, reorgs: last?.reorgs ?? [] }
  return last.page === undefined ? addNewest(last, newest, now) : last
}

/** The last state of the feed of each chain, so that its reorgs are still there when its page is opened again. */
export type ChainFeeds = Map<string, ChainFeed>

/** The newest block that the feed of a chain has; undefined before it is read. */
export const getNewestNumber = (feeds: ChainFeeds, blockchain: string): bigint | undefined =>
  feeds.get(blockchain)?.blocks[0]?.number

/** When the feed of a chain has seen its newest reorg, in Unix milliseconds; undefined without one. */
export const getLastReorgAt = (feeds: ChainFeeds, blockchain: string): number | undefined =>
  feeds.get(blockchain)?.reorgs[0]?.seenAt

/** The blocks of a chain as it grows, after the last state of its feed. */
export const followChain =
  (feeds: ChainFeeds, blockchain: string) =>
  (last = feeds.get(blockchain)): Stream.Stream<ChainFeed, BlocksStream.LiveBlocksError, Blocks> =>
    Stream.unwrap(
      Effect.gen(function* () {
        const newest = yield* readNewest(blockchain)
        const start = resume(last, newest, yield* Clock.currentTimeMillis)
        const pages = BlocksStream.liveBlockPages({ blockchain, cursor: start.page?.cursor })
        const following = Stream.mapAccumEffect(
          pages,
          () => start,
          (feed, page) =>
            Effect.gen(function* () {
              const now = yield* Clock.currentTimeMillis
              const blocks = hasGap(feed, page) ? yield* readNewest(blockchain) : feed.blocks
              const next: ChainFeed = { ...addEvents({ ...feed, blocks }, page.events, now), page }
              return [next, [next]] as const
            })
        )
        return Stream.concat(Stream.succeed(start), following).pipe(
          Stream.tap((feed) => Effect.sync(() => feeds.set(blockchain, feed)))
        )
      })
    )
