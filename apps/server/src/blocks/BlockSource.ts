import { Context, Data } from "effect"
import type { Effect } from "effect"
import { transientFailures } from "../sources/SourceFailure.ts"
import type { SourceFailure } from "../sources/SourceFailure.ts"
import type { SourceBlock } from "./SourceBlock.ts"

/** The newest block of a chain. */
export interface ChainHead {
  readonly number: number
  /** The newest block that no reorg reaches. Negative where the chain has none yet. */
  readonly final: number
}

/** `Reorged`: the chain changed its branch between two reads, or a node has less of it than one that was asked before. */
export type BlockFailure = SourceFailure | "Reorged"

export class BlockSourceError extends Data.TaggedError("BlockSourceError")<{
  readonly blockchain: string
  readonly reason: BlockFailure
  /** A sentence for the caller. */
  readonly message: string
  readonly retryAfterMs?: number
}> {}

const transient = { ...transientFailures, Reorged: false } satisfies Record<BlockFailure, boolean>

/** Whether a repetition may succeed at once. */
export const isTransient = ({ reason }: BlockSourceError): boolean => transient[reason]

/** Port: the source of a blockchain's blocks. `blockchain` is an id of the configuration. */
export class BlockSource extends Context.Service<
  BlockSource,
  {
    readonly head: (blockchain: string) => Effect.Effect<ChainHead, BlockSourceError>
    /** The blocks with these numbers, in the same order; fails unless all of them exist. */
    readonly blocks: (
      blockchain: string,
      numbers: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<SourceBlock>, BlockSourceError>
  }
>()("@chaintape/server/blocks/BlockSource") {}
