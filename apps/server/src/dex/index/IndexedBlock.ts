import type { BurnRow, DeploymentRow, MintRow, PoolRow, SwapRow, TokenRow, TradeKind } from "../DexSource.ts"

/** The part of a pool's contract, besides its ticks, that determines fee growth and observation index. */
export interface IndexedSimulation {
  readonly tickSpacing: number
  /** Stands for the protocol's shares of the fees of both tokens, as in its contract. */
  readonly feeProtocol: number
  readonly observationCardinality: number
  readonly observationCardinalityNext: number
  /** Timestamp of the newest observation, in Unix seconds. */
  readonly observedAt: number
}

/** A pool's row in the index: its tokens by address, and the position of its creation event. */
export interface IndexedPool extends Omit<PoolRow, "token0" | "token1"> {
  readonly token0: string
  readonly token1: string
  /** Log index of its creation in the block `createdAtBlockNumber`. */
  readonly createdAtLogIndex: number
  /** Undefined for a pool whose state is read from its contract. */
  readonly simulation: IndexedSimulation | undefined
}

/** The totals, with the price of the native coin in USD, which the accounting needs and no response contains. */
export interface IndexedDeployment extends DeploymentRow {
  readonly nativeUSD: string
}

type Recorded<Row> = Omit<Row, "pool"> & { readonly pool: string }

/** The bounds of the position that a mint or burn changes; null for a pair. No response contains them. */
interface TickRange {
  readonly tickLower: number | null
  readonly tickUpper: number | null
}

/** The price of one token 0 in token 1. Only for a pair. */
interface PairPrice {
  readonly price?: string
}

/** A mint, burn or swap: `pool` is the address of its pool. The id is `<transaction hash>#<log index>`. */
export type IndexedTrade =
  | ({ readonly kind: Extract<TradeKind, "burn">; readonly row: Recorded<BurnRow> } & TickRange)
  | ({ readonly kind: Extract<TradeKind, "mint">; readonly row: Recorded<MintRow> } & TickRange)
  | ({ readonly kind: Extract<TradeKind, "swap">; readonly row: Recorded<SwapRow> } & PairPrice)

/** The price of a pool before its first swap, or its square root. */
export interface InitialPrice extends PairPrice {
  readonly pool: string
  /** Empty for a pair. */
  readonly sqrtPrice: string
}

/**
 * The proof of a block: nothing, and the index has no event of it ("none") or events that nothing proves ("stated"); that
 * its logs are those to which its header commits ("block"); or also that its parent is the block before it in the index
 * ("chain").
 */
export type BlockProof = "none" | "stated" | "block" | "chain"

/** Whether the logs of the block are those to which its header commits. */
export const isProven = (proof: BlockProof): boolean => proof === "block" || proof === "chain"

/** The changes of one block: whole rows as they are after all of its events. */
export interface IndexedBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly proof: BlockProof
  readonly deployment: IndexedDeployment | undefined
  readonly tokens: ReadonlyArray<TokenRow>
  readonly pools: ReadonlyArray<IndexedPool>
  readonly trades: ReadonlyArray<IndexedTrade>
  /** Of the pools that it initializes, or that are older than the index and had one when it began. */
  readonly initialPrices: ReadonlyArray<InitialPrice>
}

/** The positions at a tick: integers. */
export interface IndexedTick {
  readonly pool: string
  readonly tick: number
  /** Liquidity of all positions that start or end here. Never 0. */
  readonly gross: string
  /** Liquidity of those that start here, minus those that end here. */
  readonly net: string
}

/** Everything that is valid at a block: the accounting continues from it. */
export interface IndexedState {
  readonly deployment: IndexedDeployment | undefined
  readonly tokens: ReadonlyArray<TokenRow>
  /** In the order of creation. */
  readonly pools: ReadonlyArray<IndexedPool>
  readonly ticks: ReadonlyArray<IndexedTick>
}
