import { chainCursor } from "./ChainCursor.ts"
import type { LiveEvent } from "./LiveFeed.ts"

interface Block {
  readonly number: number
  readonly hash: string
}

/** Emitted when a chain has replaced its blocks above one: all above it must be discarded. */
export const reorgEvent = ({ hash, number }: Block): LiveEvent => ({
  name: "reorg",
  cursor: chainCursor({ number, hash, logIndex: undefined }),
  data: JSON.stringify({ from: number + 1, commonAncestor: { number, hash } })
})

/** The number of blocks of a chain in memory, so that a reorg is reported from where it began. */
const remembered = 256

/** Ascending, each number once; the newer blocks replace those at and above the first of them. */
export const followedBy = (trail: ReadonlyArray<Block>, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  const [first] = blocks
  if (first === undefined) return trail
  return [...trail.filter(({ number }) => number < first.number), ...blocks].slice(-remembered)
}

/** The blocks up to and including one. */
export const upTo = (trail: ReadonlyArray<Block>, last: number): ReadonlyArray<Block> =>
  trail.filter(({ number }) => number <= last)
