/**
 * The problems of the blocks group.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { BlockchainNotFound, BlockNotFound } from "@chaintape/core"
 *
 * // The newest block that can be read instead.
 * const instead = (problem: BlockchainNotFound | BlockNotFound): string | undefined =>
 *   problem instanceof BlockNotFound ? problem.head : undefined
 *
 * const detail = "The newest block is 7."
 * assert.equal(instead(new BlockNotFound({ blockchain: "devnet", block: "9", head: "7", detail })), "7")
 * ```
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/contract/problemClass.ts"

/**
 * The service knows no blockchain with this id.
 *
 * @since 0.1.0
 * @category problems
 */
export class BlockchainNotFound extends problemClass<BlockchainNotFound>()(
  "BlockchainNotFound",
  { status: 404 },
  {
    /** The id of the blockchain. */
    blockchain: Schema.String
  }
) {}

/**
 * The block lies beyond the head of the chain. `head` is the newest block's number.
 *
 * @since 0.1.0
 * @category problems
 */
export class BlockNotFound extends problemClass<BlockNotFound>()(
  "BlockNotFound",
  { status: 404 },
  {
    /** The id of the blockchain. */
    blockchain: Schema.String,
    /** The number that was requested. */
    block: Schema.String,
    /** The number of the newest block. */
    head: Schema.String
  }
) {}
