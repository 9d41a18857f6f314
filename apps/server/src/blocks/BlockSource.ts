import { Context, Data } from "effect"
import type { Effect } from "effect"

/** A block's header, as a node states it. */
export interface SourceBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** The chain's own time in Unix seconds. */
  readonly timestamp: number
  readonly size: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Absent where the node does not state it. */
  readonly totalDifficulty: bigint | undefined
  /** In lower case. */
  readonly author: string
}

export type BlockFailure =
  /** The node limits us. */
  | "Busy"
  /** The node did not answer in time. */
  | "Timeout"
  /** The connection failed, or the node answered with a server error. */
  | "Unavailable"
  /** The node refuses this caller. */
  | "Refused"
  /** The answer is not what the protocol promises, or contradicts an earlier one. */
  | "BadResponse"

export class BlockSourceError extends Data.TaggedError("BlockSourceError")<{
  readonly blockchain: string
  readonly reason: BlockFailure
  /** A sentence for the caller. */
  readonly message: string
  readonly retryAfterMs?: number
}> {
  get isRetryable(): boolean {
    return this.reason !== "Refused"
  }
}

/** Port: where the blocks of a blockchain come from. `blockchain` is an id of the configuration. */
export class BlockSource extends Context.Service<
  BlockSource,
  {
    /** The number of the newest block. */
    readonly head: (blockchain: string) => Effect.Effect<number, BlockSourceError>
    /** The blocks with these numbers, in the same order; all of them exist or the call fails. */
    readonly blocks: (
      blockchain: string,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SourceBlock>, BlockSourceError>
  }
>()("@chaintape/server/blocks/BlockSource") {}
