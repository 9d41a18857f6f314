import type { BlockchainNotFound } from "@chaintape/core"
import { Context, Effect, Layer } from "effect"
import { decodeChainCursor } from "../../live/ChainCursor.ts"
import type { LiveFeed, Start } from "../../live/LiveFeed.ts"
import { LiveError, UnknownCursorError } from "../../live/LiveFeed.ts"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { Blockchains } from "../Blockchains.ts"
import { makeBlockPace } from "../BlockPace.ts"
import { BlockSource } from "../BlockSource.ts"
import type { BlockSourceError } from "../BlockSource.ts"
import type { FollowedChain } from "./LiveBlockReader.ts"
import { makeLiveBlockReader, toLiveError } from "./LiveBlockReader.ts"

/** Polls after a quarter of the block time, within the limits of `BlockPace`. */
const pollShare = 1 / 4

const openAt = Effect.fnUntraced(function* (chain: FollowedChain, start: Start) {
  if ("after" in start) {
    const position = decodeChainCursor(start.after)
    // The position before the first block is one of swaps.
    if (position === undefined || position.logIndex !== undefined || position.number < 0) {
      return yield* new UnknownCursorError({ what: "is not a cursor of this stream" })
    }
    return makeLiveBlockReader(chain, position)
  }
  const { number } = yield* Effect.mapError(chain.head, toLiveError)
  const [block] = yield* Effect.mapError(chain.blocks([number]), toLiveError)
  if (block === undefined) return yield* new LiveError({ message: `Block ${number} was not answered.` })
  return makeLiveBlockReader(chain, block)
})

/** Live streams of the blocks of blockchains. */
export class LiveBlocks extends Context.Service<
  LiveBlocks,
  { readonly feed: (blockchain: string) => Effect.Effect<LiveFeed, BlockchainNotFound> }
>()("@chaintape/server/blocks/live/LiveBlocks") {
  static readonly layer = Layer.effect(
    LiveBlocks,
    Effect.gen(function* () {
      const blockchains = yield* Blockchains
      const source = yield* BlockSource
      const health = (yield* SourceHealth).blockchain

      const withHealth = <A>(id: string, read: Effect.Effect<A, BlockSourceError>) =>
        read.pipe(
          Effect.tap(() => health.succeeded(id)),
          Effect.tapError(({ message }) => health.failed(id, message))
        )

      return LiveBlocks.of({
        feed: Effect.fnUntraced(function* (blockchain) {
          const { ephemeral, finality, id } = yield* blockchains.get(blockchain)
          const pace = makeBlockPace(pollShare)
          const chain: FollowedChain = {
            head: Effect.tap(withHealth(id, source.head(id)), ({ number }) => health.advanced(id, number)),
            blocks: (numbers) => withHealth(id, source.blocks(id, numbers)),
            finality,
            ephemeral,
            seen: pace.observe
          }
          return {
            name: `blocks ${id}`,
            open: (start) => openAt(chain, start),
            watch: Effect.succeed(Effect.suspend(() => Effect.sleep(pace.waitMs())))
          }
        })
      })
    })
  )
}
