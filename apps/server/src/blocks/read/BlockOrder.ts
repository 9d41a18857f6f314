import type * as BlocksOperations from "@chaintape/core/operations/blocks"
import type { SourceBlock } from "../SourceBlock.ts"

export type BlockField = (typeof BlocksOperations.blocks.query.orderBy.fields)[number]

export interface BlockOrder {
  readonly field: BlockField
  readonly direction: "asc" | "desc"
}

const compareNumbers = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** An unknown difficulty sorts before all known ones. */
const difficulty = (block: SourceBlock) => block.totalDifficulty ?? -1n

const comparators = {
  number: (a, b) => compareNumbers(a.number, b.number),
  timestamp: (a, b) => compareNumbers(a.timestamp, b.timestamp),
  size: (a, b) => compareNumbers(a.size, b.size),
  gasLimit: (a, b) => compareNumbers(a.gasLimit, b.gasLimit),
  gasUsed: (a, b) => compareNumbers(a.gasUsed, b.gasUsed),
  totalDifficulty: (a, b) => compareNumbers(difficulty(a), difficulty(b)),
  author: (a, b) => (a.author < b.author ? -1 : a.author > b.author ? 1 : 0)
} satisfies Record<BlockField, (a: SourceBlock, b: SourceBlock) => number>

/** Sorted by the field; ties by number, ascending. */
export const sortBlocks = (blocks: ReadonlyArray<SourceBlock>, order: BlockOrder): ReadonlyArray<SourceBlock> => {
  const compare = comparators[order.field]
  const sign = order.direction === "asc" ? 1 : -1
  return blocks.toSorted((a, b) => sign * compare(a, b) || a.number - b.number)
}
