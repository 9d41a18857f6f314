import { chainCursor } from "./ChainCursor.ts"
import type { ChainPosition } from "./ChainCursor.ts"
import { Reorg, toEventWriter } from "./LiveEvents.ts"
import type { LiveEvent } from "./LiveFeed.ts"

/** A block of one branch. */
export type BlockId = Omit<ChainPosition, "logIndex">

export const toBlockId = ({ hash, number }: BlockId): BlockId => ({ number, hash })

const write = toEventWriter(Reorg)

/** Emitted when a chain has replaced its blocks above one: all above it must be discarded. */
export const reorgEvent = ({ hash, number }: BlockId): LiveEvent => ({
  name: "reorg",
  cursor: chainCursor({ number, hash, logIndex: undefined }),
  data: write({ from: number + 1, commonAncestor: { number, hash } })
})

/** The number of blocks of a chain in memory, so that a reorg is reported from where it began. */
const remembered = 256

/** Ascending, each number once; the newer blocks replace those at and above the first of them. */
export const extendTrail = (trail: ReadonlyArray<BlockId>, blocks: ReadonlyArray<BlockId>): ReadonlyArray<BlockId> => {
  const [first] = blocks
  if (first === undefined) return trail
  return [...trail.filter(({ number }) => number < first.number), ...blocks].slice(-remembered)
}

/** The blocks up to and including one. */
export const cutTrail = (trail: ReadonlyArray<BlockId>, last: number): ReadonlyArray<BlockId> =>
  trail.filter(({ number }) => number <= last)
