import { Effect, Option } from "effect"
import type { ChainPosition } from "../../live/ChainCursor.ts"
import { chainCursor } from "../../live/ChainCursor.ts"
import type { LiveEvent, LiveReader } from "../../live/LiveFeed.ts"
import { LiveError } from "../../live/LiveFeed.ts"
import { followedBy, reorgEvent, toBlockId, upTo } from "../../live/Reorg.ts"
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

interface Step {
  readonly seenRewind: number
  readonly position: ChainPosition
  readonly trail: ReadonlyArray<BlockId>
  readonly events: ReadonlyArray<LiveEvent>
  readonly isEnd: boolean
}

/** Reads the swaps of a pool in chain order, and emits a reorg when the chain replaces their blocks. */
export const makeSwapReader = (
  source: SwapSource["Service"],
  deployment: string,
  pool: string,
  start: ChainPosition
): LiveReader => {
  let position = start
  /** Blocks of the emitted branch, ascending; the last of them is that of the position. */
  let trail: ReadonlyArray<BlockId> = [{ number: start.number, hash: start.hash }]

  /** The newest rewind of the index that the position takes into account; undefined before the first read. */
  let seenRewind: number | undefined

  const rewind = Effect.fnUntraced(function* ({ common, rewind }: IndexedChain) {
    const oldest = (trail[0] ?? position).number
    const ancestor =
      common ??
      Option.getOrElse(yield* source.finalAt(deployment, oldest, seenRewind), () => ({ number: -1, hash: nowhere }))
    return {
      seenRewind: rewind,
      position: { ...ancestor, logIndex: undefined },
      trail: [...upTo(trail, ancestor.number).filter(({ number }) => number < ancestor.number), ancestor],
      events: [reorgEvent(ancestor)],
      isEnd: false
    } satisfies Step
  })

  const read = Effect.fnUntraced(function* (max: number): Effect.fn.Return<Step | undefined, DexSourceError> {
    const chain = yield* source.chain(deployment, trail, seenRewind)
    const { common, head } = chain
    const isKept = position.number < 0 || (common?.number === position.number && common.hash === position.hash)
    if (!isKept) return yield* rewind(chain)
    seenRewind = chain.rewind
    if (head.number === position.number && position.logIndex === undefined) return undefined
    const behind = { number: position.number, logIndex: position.logIndex ?? wholeBlock }
    const { blocks, swaps } = yield* source.after(deployment, pool, behind, head, max)
    const last = swaps.at(-1)
    const isEnd = last === undefined || swaps.length < max
    const end = isEnd ? { ...head, logIndex: undefined } : { ...last.block, logIndex: last.logIndex }
    const passed = upTo(blocks, end.number)
    return {
      seenRewind,
      position: end,
      trail: followedBy(trail, passed.at(-1)?.number === end.number ? passed : [...passed, toBlockId(end)]),
      events: swaps.map(swapEvent),
      isEnd
    }
  })

  return {
    cursor: () => chainCursor(position),
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
        seenRewind = step.seenRewind
        position = step.position
        trail = step.trail
        events.push(...step.events)
        if (step.isEnd) break
      }
      return events
    })
  }
}
