import type { SeedPool } from "../IndexConfig.ts"

/** What identifies a block. */
export interface BlockIdentity {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Unix seconds. */
  readonly timestamp: number
}

/** What a token's contract states when its first pool is created. */
export interface TokenFacts {
  readonly name: string
  readonly symbol: string
  /** Undefined if the contract states none that can be used: its pools are then left out of the index. */
  readonly decimals: number | undefined
  /** In the token's smallest unit. */
  readonly supply: string
}

/** What the contract of a pool states where it does not follow from the pool's events. */
export interface PoolHoldings {
  /** In millionths. */
  readonly fee: bigint
  readonly liquidity: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

/** What a pool's contract states after a block. */
export interface PoolFacts {
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly observationIndex: number
  readonly feeGrowthGlobal0X128: bigint
  readonly feeGrowthGlobal1X128: bigint
  /** Absent for protocols whose pools move tokens with their events only. */
  readonly holdings?: PoolHoldings
}

/** What the contract of a pool without concentrated liquidity states after a block: a pair. */
export interface PairFacts {
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** Of its LP token. */
  readonly supply: bigint
}

/** What the contract of any pool states. */
export type StatedFacts = PoolFacts | PairFacts

/** A pool that was created before the first block, as its contracts state it at the end of the previous block. */
export interface Seed extends SeedPool {
  readonly stated: StatedFacts
  readonly liquidity: bigint
  readonly balance0: bigint
  readonly balance1: bigint
}
