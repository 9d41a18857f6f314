/**
 * Blocks of a blockchain.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { IntegerText, IntegerTextOrUnknown } from "../number/Integer.ts"
import { SecondsText } from "../time/Timestamp.ts"

/**
 * One block. Every field is text on the wire.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Block } from "@chaintape/core"
 * import * as Schema from "effect/Schema"
 *
 * const block: Block = Schema.decodeUnknownSync(Block)({
 *   number: "21000000",
 *   timestamp: "1729000000",
 *   size: "91234",
 *   gasLimit: "30000000",
 *   gasUsed: "15000000",
 *   totalDifficulty: "",
 *   author: "0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5"
 * })
 * assert.equal(block.gasUsed * 2n, block.gasLimit)
 * ```
 */
export const Block = Schema.Struct({
  /** Its height. */
  number: IntegerText,
  /** The block's own time, to the second; in UTC. */
  timestamp: SecondsText,
  /** Its size in bytes. */
  size: IntegerText,
  /** The gas that its transactions may use. */
  gasLimit: IntegerText,
  /** The gas that its transactions used. */
  gasUsed: IntegerText,
  /** The difficulty of the chain up to this block; none where the node does not state it. */
  totalDifficulty: IntegerTextOrUnknown,
  /** The address of its author, in lower case. */
  author: Schema.String
}).annotate({ identifier: "Block" })

/**
 * @since 0.1.0
 * @category models
 */
export type Block = typeof Block.Type
