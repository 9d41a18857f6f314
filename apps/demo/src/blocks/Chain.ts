import type { BlocksStream } from "@chaintape/blocks"
import type { Block } from "@chaintape/core"

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

const mostReorgs = 8

type Event = BlocksStream.NewBlock | BlocksStream.Reorg

const withReorg = ({ blocks, reorgs }: Chain, from: bigint, seenAt: number): Chain => {
  const cut = blocks.filter(({ number }) => number >= from).toReversed()
  const rest = blocks.filter(({ number }) => number < from)
  if (cut.length === 0) return { blocks: rest, reorgs }
  const [newest, ...others] = reorgs
  // A stream may find only later that a reorg goes back further.
  const isFurther = newest !== undefined && newest.instead.length === 0
  const reorg = { seenAt, cut: isFurther ? [...cut, ...newest.cut] : cut, instead: [] }
  return { blocks: rest, reorgs: [reorg, ...(isFurther ? others : reorgs)].slice(0, mostReorgs) }
}

const withBlock = ({ blocks, reorgs }: Chain, block: Block): Chain => {
  const [newest, ...others] = reorgs
  const top = newest?.cut.at(-1)?.number
  const isInstead = newest !== undefined && top !== undefined && block.number <= top
  return {
    blocks: [block, ...blocks.filter(({ number }) => number < block.number)].slice(0, blocksShown),
    reorgs: isInstead ? [{ ...newest, instead: [...newest.instead, block] }, ...others] : reorgs
  }
}

export const addEvents = (chain: Chain, events: ReadonlyArray<Event>, seenAt: number): Chain =>
  events.reduce(
    (before, event) =>
      event._tag === "Reorg" ? withReorg(before, event.from, seenAt) : withBlock(before, event.block),
    chain
  )
