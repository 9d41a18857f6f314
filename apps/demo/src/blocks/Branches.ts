import type { AsOf, Block } from "@chaintape/core"
import * as DateTime from "effect/DateTime"

/** A branch that the chain has left: its blocks, and those that replaced them, oldest first. */
export interface Reorg {
  /** When it was seen, in Unix milliseconds. */
  readonly seenAt: number
  readonly cut: ReadonlyArray<Block>
  readonly instead: ReadonlyArray<Block>
}

/** The newest blocks, newest first, and the branches that were replaced since. */
export interface Branches {
  readonly blocks: ReadonlyArray<Block>
  readonly head: AsOf | undefined
  readonly reorgs: ReadonlyArray<Reorg>
}

export const noBranches: Branches = { blocks: [], head: undefined, reorgs: [] }

const mostReorgs = 8

/** A block of the interface has no hash: two blocks with one number are distinguished by all of their fields. */
const isSame = (one: Block, other: Block) =>
  one.gasUsed === other.gasUsed &&
  one.size === other.size &&
  one.author === other.author &&
  DateTime.toEpochMillis(one.timestamp) === DateTime.toEpochMillis(other.timestamp)

const isOtherHead = (before: AsOf | undefined, now: AsOf | undefined) =>
  before !== undefined && now !== undefined && before.number === now.number && before.hash !== now.hash

/** The lowest number whose block has been replaced. */
const findFork = (branches: Branches, blocks: ReadonlyArray<Block>, head: AsOf | undefined): bigint | undefined => {
  const now = new Map(blocks.map((block) => [block.number, block]))
  const newest = blocks[0]?.number ?? 0n
  const changed = branches.blocks.flatMap((block) => {
    const current = now.get(block.number)
    return block.number > newest || (current !== undefined && !isSame(block, current)) ? [block.number] : []
  })
  const lowest = changed.reduce<bigint | undefined>(
    (least, number) => (least === undefined || number < least ? number : least),
    undefined
  )
  return lowest ?? (isOtherHead(branches.head, head) ? branches.head?.number : undefined)
}

const from = (blocks: ReadonlyArray<Block>, fork: bigint) => blocks.filter(({ number }) => number >= fork).toReversed()

/** Adds the newest blocks of a response, newest first. */
export const observeBlocks = (
  branches: Branches,
  blocks: ReadonlyArray<Block>,
  head: AsOf | undefined,
  seenAt: number
): Branches => {
  const fork = findFork(branches, blocks, head)
  const reorgs =
    fork === undefined
      ? branches.reorgs
      : [{ seenAt, cut: from(branches.blocks, fork), instead: from(blocks, fork) }, ...branches.reorgs]
  return { blocks, head, reorgs: reorgs.slice(0, mostReorgs) }
}
