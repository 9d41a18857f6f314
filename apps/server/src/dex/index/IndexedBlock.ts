import { Context } from "effect"
import type { Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql"
import type { Lease, LeaseLost } from "../../ownership/Lease.ts"
import type { BurnRow, DeploymentRow, MintRow, PoolRow, SwapRow, TokenRow, TradeKind } from "../DexSource.ts"
import type { PoolSimulation } from "./PoolSimulation.ts"

/** From what a pool's fee growth and observation index go on, beside its ticks. */
export type IndexedSimulation = Omit<PoolSimulation, "ticks">

/** A pool as the accounting keeps it: its tokens by address, and its place in the order of creation. */
export interface IndexedPool extends Omit<PoolRow, "token0" | "token1"> {
  readonly token0: string
  readonly token1: string
  /** Log index of its creation in the block `createdAtBlockNumber`. */
  readonly createdAtLogIndex: number
  /** Undefined for a pool whose contract is asked instead. */
  readonly simulation: IndexedSimulation | undefined
}

/** The totals, with the price of the native coin in USD, which the accounting needs and no answer shows. */
export interface IndexedDeployment extends DeploymentRow {
  readonly nativeUSD: string
}

type Recorded<Row> = Omit<Row, "pool"> & { readonly pool: string }

/** The bounds of the position that a mint or burn changes. No answer shows them. */
interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/** A mint, burn or swap: `pool` is the address of its pool. The id is `<transaction hash>#<log index>`. */
export type IndexedTrade =
  | ({ readonly kind: Extract<TradeKind, "burn">; readonly row: Recorded<BurnRow> } & TickRange)
  | ({ readonly kind: Extract<TradeKind, "mint">; readonly row: Recorded<MintRow> } & TickRange)
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

/** What the positions of a pool have at a tick: integers. */
export interface IndexedTick {
  readonly pool: string
  readonly tick: number
  /** Of all positions that begin or end here. Never 0. */
  readonly gross: string
  /** Of those that begin here, less those that end here. */
  readonly net: string
}

/** Everything that is valid at a block: from it the accounting goes on. */
export interface IndexedState {
  readonly deployment: IndexedDeployment | undefined
  readonly tokens: ReadonlyArray<TokenRow>
  /** In the order of creation. */
  readonly pools: ReadonlyArray<IndexedPool>
  readonly ticks: ReadonlyArray<IndexedTick>
}

export interface Checkpoint {
  readonly number: number
  readonly hash: string
}

type StoreError = SqlError.SqlError | Schema.SchemaError

/**
 * The rows of an index. A row is valid in `[valid_from, valid_to)` of block numbers; every write is one transaction
 * together with the checkpoint, and writing the same blocks again changes nothing. Only the owner of the index writes,
 * under its lease.
 */
export class EntityStore extends Context.Service<
  EntityStore,
  {
    readonly checkpoint: (deployment: string) => Effect.Effect<Option.Option<Checkpoint>, StoreError>
    /** After a block, which is the checkpoint or before it. */
    readonly state: (deployment: string, block: number) => Effect.Effect<IndexedState, StoreError>
    /**
     * Appends blocks that follow the checkpoint, ascending. Blocks without changes may be left out, but the last one is
     * always given, because it becomes the checkpoint. `finalized` is the newest number that no reorg can reach: block
     * hashes below it need not be kept.
     */
    readonly append: (
      deployment: string,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError | LeaseLost, Lease>
    /**
     * Takes back everything above `number` and, in the same transaction, appends the blocks of the other branch. The
     * block `number` becomes the checkpoint if there are none.
     */
    readonly rewind: (
      deployment: string,
      number: number,
      blocks: ReadonlyArray<IndexedBlock>,
      finalized: number
    ) => Effect.Effect<void, StoreError | LeaseLost, Lease>
    /** The kept hashes of the blocks from `from` to the checkpoint, ascending by number. */
    readonly hashes: (deployment: string, from: number) => Effect.Effect<ReadonlyArray<Checkpoint>, StoreError>
  }
>()("@chaintape/server/dex/index/EntityStore") {}
