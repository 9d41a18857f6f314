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
 */
export const Block = Schema.Struct({
  number: IntegerText.annotate({ description: "Block number" }),
  timestamp: SecondsText.annotate({ description: "The block's own time (Unix seconds on the wire)" }),
  size: IntegerText.annotate({ description: "Size in bytes" }),
  gasLimit: IntegerText.annotate({ description: "Gas limit" }),
  gasUsed: IntegerText.annotate({ description: "Gas used" }),
  totalDifficulty: IntegerTextOrUnknown.annotate({
    description: "Difficulty of the chain up to this block; empty on the wire where the node does not state it"
  }),
  author: Schema.String.annotate({ description: "Address of the block's author, in lower case" })
}).annotate({ identifier: "Block" })

/**
 * @since 0.1.0
 * @category models
 */
export type Block = typeof Block.Type
