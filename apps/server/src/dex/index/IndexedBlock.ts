import { Context } from "effect"
import type { Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import type { BurnRow, DeploymentRow, MintRow, PoolRow, SwapRow, TokenRow, TradeKind } from "../DexSource.ts"

/** A pool as the accounting keeps it: its tokens by address, and its place in the order of creation. */
export interface IndexedPool extends Omit<PoolRow, "token0" | "token1"> {
  readonly token0: string
  readonly token1: string
  /** Log index of its creation in the block `createdAtBlockNumber`. */
  readonly createdAtLogIndex: number
}

/** The totals, with the price of the native coin in USD, which the accounting needs and no answer shows. */
export interface IndexedDeployment extends DeploymentRow {
  readonly nativeUSD: string
}

type Recorded<Row> = Omit<Row, "pool"> & { readonly pool: string }

/** A mint, burn or swap: `pool` is the address of its pool. The id is `<transaction hash>#<log index>`. */
export type IndexedTrade =
  | { readonly kind: Extract<TradeKind, "burn">; readonly row: Recorded<BurnRow> }
  | { readonly kind: Extract<TradeKind, "mint">; readonly row: Recorded<MintRow> }
  | { readonly kind: Extract<TradeKind, "swap">; readonly row: Recorded<SwapRow> }

/** What one block changed: whole rows as they are after all of its events. */
export interface IndexedBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly deployment: IndexedDeployment | undefined
  readonly tokens: ReadonlyArray<TokenRow>
  readonly pools: ReadonlyArray<IndexedPool>
  readonly trades: ReadonlyArray<IndexedTrade>
}

/** Everything that is valid at the checkpoint: from it the accounting goes on. */
export interface IndexedState {
  readonly deployment: IndexedDeployment | undefined
  readonly tokens: ReadonlyArray<TokenRow>
  /** In the order of creation. */
  readonly pools: ReadonlyArray<IndexedPool>
}

export interface Checkpoint {
  readonly number: number
  readonly hash: string
}

type StoreError = SqlError.SqlError | Schema.SchemaError

/**
 * The rows of an index. A row is valid in `[valid_from, valid_to)` of block numbers; every write is one transaction
 * together with the checkpoint, and writing the same blocks again changes nothing.
 */
export class EntityStore extends Context.Service<
  EntityStore,
  {
    readonly checkpoint: (deployment: string) => Effect.Effect<Option.Option<Checkpoint>, StoreError>
    readonly state: (deployment: string) => Effect.Effect<IndexedState, StoreError>
    /**
     * Appends blocks that follow the checkpoint, ascending. Blocks without changes may be left out, but the last one is
     * always given, because it becomes the checkpoint. `finalized` is the newest number that no reorg can reach: block
     * hashes below it need not be kept.
     */
    readonly append: (
      deployment: string,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError>
    /**
     * Takes back everything above `number` and, in the same transaction, appends the blocks of the other branch. The
     * block `number` becomes the checkpoint if there are none.
     */
    readonly rewind: (
      deployment: string,
      number: number,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError>
    /** The kept hashes of the blocks from `from` to the checkpoint, ascending by number. */
    readonly hashes: (deployment: string, from: number) => Effect.Effect<ReadonlyArray<Checkpoint>, StoreError>
  }
>()("@chaintape/server/dex/index/EntityStore") {}
