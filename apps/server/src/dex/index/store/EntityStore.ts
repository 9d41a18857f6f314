import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { Lease, LeaseLostError } from "../../../ownership/Lease.ts"
import type { BlockProof, IndexedBlock, IndexedState } from "../IndexedBlock.ts"

/** The topic on which an index announces that it has written blocks. */
export const indexTopic = (key: string): string => `index ${key}`

export interface Checkpoint {
  readonly number: number
  readonly hash: string
}

/** The newest block of an index. */
export interface IndexHead extends Checkpoint {
  /** The newest final block; -1 if there is none. */
  readonly finalized: number
}

/** How far an index is proven, and the blocks that follow. */
export interface ProofPosition {
  /** The block up to which every block is proven; undefined before the first. */
  readonly proven: Checkpoint | undefined
  /** The stored blocks after it, ascending: as many as asked for. */
  readonly next: ReadonlyArray<Checkpoint & { readonly proof: BlockProof }>
  /** Changes with every reorg. */
  readonly rewindCount: number
}

/**
 * The rows of an index. A row is valid in `[valid_from, valid_to)` of block numbers. Every write is one transaction
 * with the checkpoint, and is idempotent. Only the owner of the index writes, under its lease.
 */
export class EntityStore extends Context.Service<
  EntityStore,
  {
    readonly checkpoint: (deployment: string) => Effect.Effect<Option.Option<IndexHead>, StoreError>
    /** The state after a block at or before the checkpoint. */
    readonly state: (deployment: string, block: number) => Effect.Effect<IndexedState, StoreError>
    /**
     * Appends blocks that follow the checkpoint, ascending. Blocks without changes may be left out, except the last,
     * which becomes the checkpoint. `finalized` is the newest final block number: block hashes below it need not be
     * stored.
     */
    readonly append: (
      deployment: string,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError | LeaseLostError, Lease>
    /**
     * Removes everything above `number` and, in the same transaction, appends the blocks of the other branch. If there
     * are none, block `number` becomes the checkpoint.
     */
    readonly rewind: (
      deployment: string,
      number: number,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError | LeaseLostError, Lease>
    /** None before the first write. */
    readonly proof: (deployment: string, limit: number) => Effect.Effect<Option.Option<ProofPosition>, StoreError>
    /** Every block up to this one is proven. Changes nothing if the index was rewound since `rewindCount` was read. */
    readonly prove: (
      deployment: string,
      block: Checkpoint,
      rewindCount: number
    ) => Effect.Effect<void, StoreError | LeaseLostError, Lease>
    /** The stored hashes of the blocks from `from` to `to`, both inclusive, ascending by number. */
    readonly hashes: (
      deployment: string,
      from: number,
      to: number
    ) => Effect.Effect<ReadonlyArray<Checkpoint>, StoreError>
  }
>()("@chaintape/server/dex/index/store/EntityStore") {}
