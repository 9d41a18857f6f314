/**
 * The problems of the blocks group.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { problemClass } from "../internal/problemClass.ts"

/**
 * The service knows no blockchain with this id.
 *
 * @since 0.1.0
 * @category problems
 */
export class BlockchainNotFound extends problemClass<BlockchainNotFound>()(
  "BlockchainNotFound",
  {
    code: "blockchain-not-found",
    status: 404,
    title: "Blockchain not found"
  },
  { blockchain: Schema.String }
) {}

/**
 * The block lies beyond the head of the chain. `head` is the newest block's number.
 *
 * @since 0.1.0
 * @category problems
 */
export class BlockNotFound extends problemClass<BlockNotFound>()(
  "BlockNotFound",
  {
    code: "block-not-found",
    status: 404,
    title: "Block not found"
  },
  { blockchain: Schema.String, block: Schema.String, head: Schema.String }
) {}
