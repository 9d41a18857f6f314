import type { BlocksStream } from "@chaintape/blocks"
import type { Block } from "@chaintape/core"
import * as DateTime from "effect/DateTime"

/** Blocks that the chain has replaced, and those that replaced them, oldest first. */
export interface Reorg {
  /** When it was seen, in Unix milliseconds. */
  readonly seenAt: number
  readonly cut: ReadonlyArray<Block>
  readonly instead: ReadonlyArray<Block>
}

/** The newest blocks of a chain, newest first, and the reorgs that were seen. */
export interface Chain {
  readonly blocks: ReadonlyArray<Block>
  readonly reorgs: ReadonlyArray<Reorg>
}

export const blocksShown = 48

const maxReorgs = 8

type Event = BlocksStream.NewBlock | Pick<BlocksStream.Reorg, "_tag" | "from">

const withReorg = ({ blocks, reorgs }: Chain, from: bigint, seenAt: number): Chain => {
  const cut = blocks.filter(({ number }) => number >= from).toReversed()
  const rest = blocks.filter(({ number }) => number < from)
  if (cut.length === 0) return { blocks: rest, reorgs }
  const [newest, ...others] = reorgs
  // A stream may find only later that a reorg goes back further.
  const isFurther = newest?.instead.length === 0 && newest.cut[0]?.number === (cut.at(-1)?.number ?? 0n) + 1n
  const reorg = { seenAt, cut: isFurther ? [...cut, ...newest.cut] : cut, instead: [] }
  return { blocks: rest, reorgs: [reorg, ...(isFurther ? others : reorgs)].slice(0, maxReorgs) }
}

const toMillis = ({ timestamp }: Block) => DateTime.toEpochMillis(timestamp)

/** The milliseconds between a block and the one before; undefined if that one is not known. */
export const getPause = (block: Block, before: Block | undefined): number | undefined =>
  before === undefined || before.number !== block.number - 1n ? undefined : toMillis(block) - toMillis(before)

/** The average milliseconds between blocks, newest first; undefined for fewer than two. */
export const getAveragePause = (blocks: ReadonlyArray<Block>): number | undefined => {
  const [newest, oldest] = [blocks[0], blocks.at(-1)]
  return newest === undefined || oldest === undefined || newest.number <= oldest.number
    ? undefined
    : (toMillis(newest) - toMillis(oldest)) / Number(newest.number - oldest.number)
}

const isSame = (one: Block, other: Block | undefined): boolean =>
  other !== undefined &&
  DateTime.Equivalence(one.timestamp, other.timestamp) &&
  (["number", "size", "gasLimit", "gasUsed", "author"] as const).every((field) => one[field] === other[field])

/** The reorgs with a block of the new branch. A stream may go back further than the reorg: the first blocks are the same. */
const withInstead = (reorgs: Chain["reorgs"], block: Block): Chain["reorgs"] => {
  const [newest, ...others] = reorgs
  const [bottom, top] = [newest?.cut[0]?.number, newest?.cut.at(-1)?.number]
  if (newest === undefined || bottom === undefined || top === undefined) return reorgs
  // A new chain begins below the cut blocks that the page knew.
  if (block.number < bottom || block.number > top) return reorgs
  const { cut, instead } = newest
  if (instead.length > 0 || !isSame(block, cut[0])) return [{ ...newest, instead: [...instead, block] }, ...others]
  return cut.length === 1 ? others : [{ ...newest, cut: cut.slice(1) }, ...others]
}

const withBlock = ({ blocks, reorgs }: Chain, block: Block): Chain => ({
  blocks: [block, ...blocks.filter(({ number }) => number < block.number)].slice(0, blocksShown),
  reorgs: withInstead(reorgs, block)
})

export const addEvents = (chain: Chain, events: ReadonlyArray<Event>, seenAt: number): Chain =>
  events.reduce(
    (before, event) =>
      event._tag === "Reorg" ? withReorg(before, event.from, seenAt) : withBlock(before, event.block),
    chain
  )

/** The chain with the newest blocks, newest first, as they were read again: the known blocks may have been replaced. */
export const addNewest = (chain: Chain, newest: ReadonlyArray<Block>, seenAt: number): Chain => {
  const known = new Map(chain.blocks.map((block) => [block.number, block]))
  const head = chain.blocks[0]?.number ?? -1n
  const end = newest[0]?.number ?? head
  const replaced = newest.findLast((block) => known.has(block.number) && !isSame(block, known.get(block.number)))
  const cutFrom = replaced?.number ?? (end < head ? end + 1n : undefined)
  const added = newest
    .filter(({ number }) => number >= (cutFrom ?? head + 1n))
    .toReversed()
    .map((block): Event => ({ _tag: "Block", block }))
  return addEvents(chain, cutFrom === undefined ? added : [{ _tag: "Reorg", from: cutFrom }, ...added], seenAt)
}
