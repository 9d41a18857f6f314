import { Block } from "@chaintape/core"
import { Effect, Schema } from "effect"
import { chainCursor } from "../../live/ChainCursor.ts"
import type { LiveEvent, LiveReader } from "../../live/LiveFeed.ts"
import { LiveError } from "../../live/LiveFeed.ts"
import { extendTrail, reorgEvent, toBlockId, cutTrail } from "../../live/Reorg.ts"
import type { BlockId } from "../../live/Reorg.ts"
import type { BlockSourceError, ChainHead } from "../BlockSource.ts"
import type { SourceBlock } from "../SourceBlock.ts"
import { toBlock } from "../ToBlock.ts"

/** The chain operations that a stream of blocks needs. */
export interface FollowedChain {
  readonly head: Effect.Effect<ChainHead, BlockSourceError>
  readonly blocks: (numbers: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<SourceBlock>, BlockSourceError>
  /** The least depth below the head at which a block counts as final. */
  readonly finality: number
  /** Its node begins a new chain with each start, so its head may go back for good. */
  readonly ephemeral: boolean
  /** Called with each new block. */
  readonly seen: (block: SourceBlock) => void
}

const encode = Schema.encodeSync(Block)

const blockEvent = (block: SourceBlock): LiveEvent => ({
  name: "block",
  cursor: chainCursor({ number: block.number, hash: block.hash, logIndex: undefined }),
  data: JSON.stringify(encode(toBlock(block)))
})

export const toLiveError = ({ message }: BlockSourceError) => new LiveError({ message })

/** Blocks per request to the nodes. */
const maxAtOnce = 100

/** The blocks that follow the block, each the child of the one before. */
const takeLinked = (parent: BlockId, blocks: ReadonlyArray<SourceBlock>): ReadonlyArray<SourceBlock> => {
  const stray = blocks.findIndex(({ parentHash }, at) => parentHash !== (blocks[at - 1] ?? parent).hash)
  return stray < 0 ? blocks : blocks.slice(0, stray)
}

interface Step {
  readonly trail: ReadonlyArray<BlockId>
  readonly events: ReadonlyArray<LiveEvent>
}

/** Reads the blocks of a chain in order, and emits a reorg when the chain replaces them. */
export const makeLiveBlockReader = (chain: FollowedChain, start: BlockId): LiveReader => {
  /** Emitted blocks, ascending; the last of them is the position. */
  let trail: ReadonlyArray<BlockId> = [toBlockId(start)]
  let position = toBlockId(start)

  const blockAt = (number: number) =>
    Effect.flatMap(chain.blocks([number]), ([block]) =>
      block === undefined ? Effect.die(new Error(`Block ${number} was not answered`)) : Effect.succeed(block)
    )

  /**
   * Goes back to the newest emitted block that is still on the chain, or else to one that was final when the oldest of them
   * was the head: a block that is final today may belong to the new branch.
   */
  const emitReorg = Effect.fnUntraced(function* (head: ChainHead): Effect.fn.Return<Step, BlockSourceError> {
    for (const known of cutTrail(trail, Math.min(head.number, position.number)).toReversed()) {
      const block = yield* blockAt(known.number)
      if (block.hash === known.hash) return { trail: cutTrail(trail, known.number), events: [reorgEvent(known)] }
    }
    const oldest = (trail[0] ?? position).number
    const depth = Math.max(chain.finality, head.number - head.final)
    const final = toBlockId(yield* blockAt(Math.max(0, Math.min(head.final, oldest - depth))))
    return { trail: [final], events: [reorgEvent(final)] }
  })

  const read = Effect.fnUntraced(function* (max: number): Effect.fn.Return<Step | undefined, BlockSourceError> {
    const head = yield* chain.head
    if (head.number < position.number) {
      const known = trail.find(({ number }) => number === head.number)
      // A node that lags behind shows the old chain. Where no hash says which chain it shows, only an ephemeral one may
      // have been cut: any other one grows past the position, and the hashes there then show a reorg.
      const isLate =
        known === undefined
          ? !chain.ephemeral || position.number - head.number <= chain.finality
          : (yield* blockAt(head.number)).hash === known.hash
      return isLate ? undefined : yield* emitReorg(head)
    }
    const to = Math.min(head.number, position.number + Math.min(max, maxAtOnce))
    const [own, ...next] = yield* chain.blocks(
      Array.from({ length: to - position.number + 1 }, (_, at) => position.number + at)
    )
    if (own?.hash !== position.hash) return yield* emitReorg(head)
    const blocks = takeLinked(position, next)
    if (blocks.length === 0) return undefined
    for (const block of blocks) chain.seen(block)
    return { trail: extendTrail(trail, blocks.map(toBlockId)), events: blocks.map(blockEvent) }
  })

  return {
    cursor: () => chainCursor({ ...position, logIndex: undefined }),
    next: Effect.fnUntraced(function* (max) {
      const step = yield* Effect.mapError(read(max), toLiveError)
      if (step === undefined) return []
      trail = step.trail
      position = trail.at(-1) ?? position
      return step.events
    })
  }
}
