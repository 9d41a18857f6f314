import type { SeedPool } from "../IndexConfig.ts"
import type { BlockProof } from "../IndexedBlock.ts"
import type { ChainEvent } from "./ChainEvents.ts"

/** The identity of a block. */
export interface BlockIdentity {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** The values of a token's contract when its first pool is created. */
export interface TokenFacts {
  readonly name: string
  readonly symbol: string
  /** Undefined if the contract states none that can be used: its pools are then left out of the index. */
  readonly decimals: number | undefined
  /** In the token's smallest unit. */
  readonly supply: string
}

/** The values of a pool's contract that do not follow from the pool's events. */
export interface PoolHoldings {
  /** In millionths. */
  readonly fee: bigint
  readonly liquidity: bigint
  /** Undefined where the contract of the token fails. */
  readonly reserve0: bigint | undefined
  readonly reserve1: bigint | undefined
}

/** The values of a pool's contract after a block. */
export interface PoolFacts {
  readonly kind: "pool"
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly observationIndex: number
  readonly feeGrowthGlobal0X128: bigint
  readonly feeGrowthGlobal1X128: bigint
  /** Absent for protocols whose pools move tokens with their events only. */
  readonly holdings?: PoolHoldings
}

/** The values of the contract of a pair after a block. */
export interface PairFacts {
  readonly kind: "pair"
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** Of its LP token. */
  readonly supply: bigint
}

/** The values of the contract of any pool. */
export type StatedFacts = PoolFacts | PairFacts

/** A pool that was created before the first block, as its contracts state it at the end of the previous block. */
export interface Seed extends SeedPool {
  readonly stated: StatedFacts
  readonly liquidity: bigint
  readonly balance0: bigint
  readonly balance1: bigint
}

/** A block and everything that its accounting needs. */
export interface BlockFacts extends BlockIdentity {
  readonly proof: BlockProof
  /** Pools that existed before the index, which start with its first block. */
  readonly seeds: ReadonlyArray<Seed>
  /** In block order. */
  readonly events: ReadonlyArray<ChainEvent>
  /** The senders of the events' transactions, by transaction hash. */
  readonly origins: ReadonlyMap<string, string>
  /** By address: the tokens that first appear in this block. */
  readonly tokens: ReadonlyMap<string, TokenFacts>
  /** By address: the pools touched by this block whose contracts were read. */
  readonly pools: ReadonlyMap<string, StatedFacts>
  /** The factory's owner after this block, if the block may create the first pool. */
  readonly owner: string | undefined
}

/** The pools with an event of their own in the block. */
export const findTouchedPools = ({ events }: Pick<BlockFacts, "events">): ReadonlySet<string> => {
  const touched = new Set<string>()
  for (const event of events) {
    if (event.event !== "PoolCreated" && event.event !== "OwnerChanged") touched.add(event.pool)
  }
  return touched
}
