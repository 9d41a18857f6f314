import type { BlockIdentity } from "../decode/ChainFacts.ts"

/** Consecutive blocks. */
export interface LinkedRange {
  readonly from: number
  readonly to: number
  /** The hash of the block before the range, if it is known. */
  readonly parent: string | undefined
  /** Whether the chain has a block after the range, which must be the child of its last block. */
  readonly next: boolean
}

/** The first block that is not the child of the one before. */
export const findUnlinked = (blocks: ReadonlyArray<BlockIdentity>, parent: string | undefined): string | undefined => {
  const found = blocks.find(({ parentHash }, index) => {
    const before = index === 0 ? parent : blocks[index - 1]?.hash
    return before !== undefined && parentHash !== before
  })
  return found && `answered with block ${found.number} of another branch than the block before it`
}
