import type { BlockIdentity } from "./BlockDraft.ts"
import type { FactoryEvent, PoolEvent } from "./LogDecoder.ts"
import type { Seed } from "./PoolSeeding.ts"

/** What a token's contract says when its first pool is created. */
export interface TokenFacts {
  readonly name: string
  readonly symbol: string
  /** Undefined if the contract states none that can be used: then its pools do not exist for us. */
  readonly decimals: number | undefined
  /** In the smallest unit. */
  readonly supply: string
}

/** What a pool's contract says after a block. */
export interface PoolFacts {
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly observationIndex: number
  readonly feeGrowthGlobal0X128: bigint
  readonly feeGrowthGlobal1X128: bigint
}

/** A block with everything that its accounting needs. */
export interface BlockFacts extends BlockIdentity {
  /** Pools from before the index, which begin with its first block. */
  readonly seeds: ReadonlyArray<Seed>
  /** In the order of the block. */
  readonly events: ReadonlyArray<FactoryEvent | PoolEvent>
  /** Who sent the transactions of the events, by transaction hash. */
  readonly origins: ReadonlyMap<string, string>
  /** By address: the tokens that are new with this block. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** By address: those of the pools that this block touches whose contracts were asked. */
  readonly pools: ReadonlyMap<string, PoolFacts>
  /** The factory's owner after this block, if the block may create the first pool. */
  readonly owner: string | undefined
}
