import { Effect, Option } from "effect"
import type { ChainPosition } from "../../live/ChainCursor.ts"
import { chainCursor } from "../../live/ChainCursor.ts"
import type { LiveEvent, LiveReader } from "../../live/LiveFeed.ts"
import { LiveError } from "../../live/LiveFeed.ts"
import { extendTrail, reorgEvent, toBlockId, cutTrail } from "../../live/Reorg.ts"
import type { BlockId } from "../../live/Reorg.ts"
import type { DexSourceError } from "../DexSource.ts"
import type { ChainSwap, IndexedChain, SwapSource } from "./SwapSource.ts"

/** A log index above all of a block: the whole block was emitted. */
const wholeBlock = 2_147_483_647

/** The hash of no block, used if an index that was rebuilt shares none. */
const nowhere = `0x${"0".repeat(64)}`

const swapEvent = ({ block, logIndex, row }: ChainSwap): LiveEvent => ({
  name: "swap",
  cursor: chainCursor({ ...block, logIndex }),
  data: JSON.stringify(row)
})

export const toLiveError = ({ message }: DexSourceError) => new LiveError({ message })

/** The swaps that a reader emits. */
interface PoolSwaps {
  readonly source: SwapSource["Service"]
  readonly deployment: string
  readonly pool: string
}

/** How far a reader is. */
interface Progress {
  /** The newest rewind of the index that the position takes into account; undefined before the first read. */
  readonly seenRewindId: number | undefined
  readonly position: ChainPosition
  /** Blocks of the emitted branch, ascending; the last of them is that of the position. */
  readonly trail: ReadonlyArray<BlockId>
}

interface Step {
  readonly progress: Progress
  readonly events: ReadonlyArray<LiveEvent>
  readonly isEnd: boolean
}

const isOnChain = ({ position }: Progress, { common }: IndexedChain): boolean =>
  position.number < 0 || (common?.number === position.number && common.hash === position.hash)

/** Goes back to the newest emitted block that the index still has, or else to one that was final. */
const emitReorg = Effect.fnUntraced(function* (
  { deployment, source }: PoolSwaps,
  { position, seenRewindId, trail }: Progress,
  { common, rewindId }: IndexedChain
): Effect.fn.Return<Step, DexSourceError> {
  const oldest = (trail[0] ?? position).number
  const ancestor =
    common ??
    Option.getOrElse(yield* source.finalAt(deployment, oldest, seenRewindId), () => ({ number: -1, hash: nowhere }))
  const progress = {
    seenRewindId: rewindId,
    position: { ...ancestor, logIndex: undefined },
    trail: [...cutTrail(trail, ancestor.number).filter(({ number }) => number < ancestor.number), ancestor]
  }
  return { progress, events: [reorgEvent(ancestor)], isEnd: false }
})

const isComplete = ({ logIndex, number }: ChainPosition, head: BlockId): boolean =>
  number === head.number && logIndex === undefined

/** Reads at most `max` swaps after the position. */
const readAfter = Effect.fnUntraced(function* (
  { deployment, pool, source }: PoolSwaps,
  { position, seenRewindId, trail }: Progress,
  head: BlockId,
  max: number
): Effect.fn.Return<Step, DexSourceError> {
  const after = { number: position.number, logIndex: position.logIndex ?? wholeBlock }
  const { blocks, swaps } = yield* source.after(deployment, pool, after, head, max)
  const last = swaps.at(-1)
  const isEnd = last === undefined || swaps.length < max
  const end = isEnd ? { ...head, logIndex: undefined } : { ...last.block, logIndex: last.logIndex }
  const passed = cutTrail(blocks, end.number)
  const emitted = passed.at(-1)?.number === end.number ? passed : [...passed, toBlockId(end)]
  const progress = { seenRewindId, position: end, trail: extendTrail(trail, emitted) }
  return { progress, events: swaps.map(swapEvent), isEnd }
})

/** Reads the swaps of a pool in chain order, and emits a reorg when the chain replaces their blocks. */
export const makeSwapReader = (
  source: SwapSource["Service"],
  deployment: string,
  pool: string,
  start: ChainPosition
): LiveReader => {
  const swaps = { source, deployment, pool }
  let progress: Progress = { seenRewindId: undefined, position: start, trail: [toBlockId(start)] }

  const read = Effect.fnUntraced(function* (max: number): Effect.fn.Return<Step | undefined, DexSourceError> {
    const chain = yield* source.chain(deployment, progress.trail, progress.seenRewindId)
    if (!isOnChain(progress, chain)) return yield* emitReorg(swaps, progress, chain)
    progress = { ...progress, seenRewindId: chain.rewindId }
    return isComplete(progress.position, chain.head) ? undefined : yield* readAfter(swaps, progress, chain.head, max)
  })

  return {
    cursor: () => chainCursor(progress.position),
    next: Effect.fnUntraced(function* (max) {
      const events: Array<LiveEvent> = []
      while (events.length < max) {
        const attempt = read(max - events.length).pipe(
          // The next read detects the reorg.
          Effect.catch((error) => (error.reason === "Reorged" ? Effect.undefined : Effect.fail(toLiveError(error)))),
          // The swaps read so far are emitted first.
          Effect.catchCause((cause) => (events.length > 0 ? Effect.undefined : Effect.failCause(cause)))
        )
        const step: Step | undefined = yield* attempt
        if (step === undefined) break
        progress = step.progress
        events.push(...step.events)
        if (step.isEnd) break
      }
      return events
    })
  }
}
