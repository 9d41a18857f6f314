import type { IndexedSimulation } from "../IndexedBlock.ts"
import { Decimal34 } from "./Decimal34.ts"
import type { PoolTicks } from "./ticks/PoolTicks.ts"

// The rows in the form that the accounting calculates with. An entity of the state is replaced, never mutated: only the
// draft of the block that is being applied mutates its own copies.

export interface Totals {
  poolCount: bigint
  txCount: bigint
  totalVolumeUSD: Decimal34
  untrackedVolumeUSD: Decimal34
  totalVolumeETH: Decimal34
  totalValueLockedUSD: Decimal34
  totalValueLockedETH: Decimal34
  totalFeesUSD: Decimal34
  totalFeesETH: Decimal34
  owner: string
  /** The native coin in USD. */
  nativeUSD: Decimal34
}

export interface Token {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly supply: string
  totalValueLocked: Decimal34
  totalValueLockedUSD: Decimal34
  volume: Decimal34
  volumeUSD: Decimal34
  untrackedVolumeUSD: Decimal34
  txCount: bigint
  derivedETH: Decimal34
  feesUSD: Decimal34
  poolCount: bigint
  /** The pools that can price this token, in order of creation. */
  whitelistPools: ReadonlyArray<string>
}

export interface Pool {
  readonly id: string
  readonly createdAtBlockNumber: number
  readonly createdAtTimestamp: number
  readonly createdAtLogIndex: number
  /** In millionths, as in the events. */
  fee: bigint
  feeTier: Decimal34
  readonly token0: string
  readonly token1: string
  /** False for a pair, which has no ticks, fee growth and observations: its liquidity is the supply of its LP token. */
  readonly isConcentrated: boolean
  feeGrowthGlobal0X128: bigint
  feeGrowthGlobal1X128: bigint
  observationIndex: number
  liquidity: bigint
  sqrtPrice: bigint
  /** Undefined before the pool is initialized. */
  tick: number | undefined
  token0Price: Decimal34
  token1Price: Decimal34
  totalValueLockedToken0: Decimal34
  totalValueLockedToken1: Decimal34
  totalValueLockedETH: Decimal34
  totalValueLockedUSD: Decimal34
  txCount: bigint
  feesUSD: Decimal34
  volumeUSD: Decimal34
  volumeToken0: Decimal34
  volumeToken1: Decimal34
  untrackedVolumeUSD: Decimal34
  /** Undefined for a pair, and for a pool whose contract is read after each block that touches it. */
  simulation: PoolSimulation | undefined
}

export interface PoolSimulation extends IndexedSimulation {
  /** Mutated in place, and restored when its block is undone. */
  readonly ticks: PoolTicks
}

export const newSimulation = (tickSpacing: number): Omit<PoolSimulation, "ticks"> => ({
  tickSpacing,
  feeProtocol: 0,
  observationCardinality: 1,
  observationCardinalityNext: 1,
  observedAt: 0
})

export const setFee = (pool: Pool, fee: bigint): void => {
  pool.fee = fee
  pool.feeTier = Decimal34.make(fee)
}
