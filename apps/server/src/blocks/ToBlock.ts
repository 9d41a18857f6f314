import type { Block } from "@chaintape/core"
import { DateTime, Option } from "effect"
import type { SourceBlock } from "./SourceBlock.ts"

/** Converts a header to a block of the interface. */
export const toBlock = (block: SourceBlock): Block => ({
  number: BigInt(block.number),
  timestamp: DateTime.makeUnsafe(block.timestamp * 1000),
  size: block.size,
  gasLimit: block.gasLimit,
  gasUsed: block.gasUsed,
  totalDifficulty: Option.fromUndefinedOr(block.totalDifficulty),
  author: block.author
})
