/**
 * Blockchains, as promises.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { type BlocksCalls, makeBlocksCalls } from "@chaintape/core/promise/BlocksCalls"
 * import type { PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 *
 * const over = (calls: PromiseCalls): BlocksCalls => makeBlocksCalls(calls)
 * ```
 */
import * as Operations from "../api/BlocksOperations.ts"
import { type BlocksStreams, makeBlocksStreams } from "./BlocksStreams.ts"
import type { AnswerCall, Call } from "./Call.ts"
import type { PromiseCalls } from "./PromiseCalls.ts"

/**
 * Reads blockchains.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksCalls {
  /** The blockchains whose blocks can be read. */
  readonly blockchains: Call<typeof Operations.blockchains>
  /** Blocks, newest first unless sorted otherwise: at most 1,000, by default 100. */
  readonly blocks: Call<typeof Operations.blocks>
  /** The same operations, which also return what the headers say about the value: as of which block, and its source. */
  readonly withResponse: {
    readonly blockchains: AnswerCall<typeof Operations.blockchains>
    readonly blocks: AnswerCall<typeof Operations.blocks>
  }
  /** Whole lists as of one block, for `for await`: leaving the loop ends the stream. */
  readonly stream: BlocksStreams
}

/**
 * The calls on blockchains with a client's calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeBlocksCalls = ({ answer, read, stream }: PromiseCalls): BlocksCalls => ({
  blockchains: (request = {}, options) => read(Operations.blockchains, request, options),
  blocks: (request, options) => read(Operations.blocks, request, options),
  withResponse: {
    blockchains: (request = {}, options) => answer(Operations.blockchains, request, options),
    blocks: (request, options) => answer(Operations.blocks, request, options)
  },
  stream: makeBlocksStreams(stream)
})
