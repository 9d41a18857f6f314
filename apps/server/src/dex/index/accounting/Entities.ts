import type { TokenRow } from "../../DexSource.ts"
import type { IndexedSimulation, IndexedDeployment, IndexedPool } from "../IndexedBlock.ts"
import { Decimal34 } from "./Decimal34.ts"
import type { PoolTicks } from "./PoolTicks.ts"

// The rows in the form that the accounting calculates with, and the mappings between both. An entity of the state is
// replaced, never mutated: only the draft of the block that is being applied mutates its own copies.

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

export const deploymentRow = (factory: string, totals: Totals): IndexedDeployment => ({
  id: factory,
  poolCount: totals.poolCount.toString(),
  txCount: totals.txCount.toString(),
  totalVolumeUSD: totals.totalVolumeUSD.toText(),
  untrackedVolumeUSD: totals.untrackedVolumeUSD.toText(),
  totalVolumeETH: totals.totalVolumeETH.toText(),
  totalValueLockedUSD: totals.totalValueLockedUSD.toText(),
  totalValueLockedETH: totals.totalValueLockedETH.toText(),
  totalFeesUSD: totals.totalFeesUSD.toText(),
  totalFeesETH: totals.totalFeesETH.toText(),
  owner: totals.owner,
  nativeUSD: totals.nativeUSD.toText()
})

export const toTotals = (row: IndexedDeployment): Totals => ({
  poolCount: BigInt(row.poolCount),
  txCount: BigInt(row.txCount),
  totalVolumeUSD: Decimal34.restore(row.totalVolumeUSD),
  untrackedVolumeUSD: Decimal34.restore(row.untrackedVolumeUSD),
  totalVolumeETH: Decimal34.restore(row.totalVolumeETH),
  totalValueLockedUSD: Decimal34.restore(row.totalValueLockedUSD),
  totalValueLockedETH: Decimal34.restore(row.totalValueLockedETH),
  totalFeesUSD: Decimal34.restore(row.totalFeesUSD),
  totalFeesETH: Decimal34.restore(row.totalFeesETH),
  owner: row.owner,
  nativeUSD: Decimal34.restore(row.nativeUSD)
})

export const tokenRow = (token: Token): TokenRow => ({
  id: token.id,
  name: token.name,
  symbol: token.symbol,
  decimals: token.decimals.toString(),
  supply: token.supply,
  totalValueLocked: token.totalValueLocked.toText(),
  totalValueLockedUSD: token.totalValueLockedUSD.toText(),
  volume: token.volume.toText(),
  volumeUSD: token.volumeUSD.toText(),
  untrackedVolumeUSD: token.untrackedVolumeUSD.toText(),
  txCount: token.txCount.toString(),
  derivedETH: token.derivedETH.toText(),
  feesUSD: token.feesUSD.toText(),
  totalValueLockedUSDUntracked: "0",
  poolCount: token.poolCount.toString()
})

/** The pools that price a token are not part of its row: they are derived from the pools. */
export const toToken = (row: TokenRow, whitelistPools: ReadonlyArray<string>): Token => ({
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  decimals: Number(row.decimals),
  supply: row.supply,
  totalValueLocked: Decimal34.restore(row.totalValueLocked),
  totalValueLockedUSD: Decimal34.restore(row.totalValueLockedUSD),
  volume: Decimal34.restore(row.volume),
  volumeUSD: Decimal34.restore(row.volumeUSD),
  untrackedVolumeUSD: Decimal34.restore(row.untrackedVolumeUSD),
  txCount: BigInt(row.txCount),
  derivedETH: Decimal34.restore(row.derivedETH),
  feesUSD: Decimal34.restore(row.feesUSD),
  poolCount: BigInt(row.poolCount),
  whitelistPools
})

const simulationRow = ({ ticks: _, ...simulation }: PoolSimulation): IndexedSimulation => simulation

/** A value that a pair does not have is empty. */
const toConcentratedText = ({ isConcentrated }: Pool, value: bigint | number): string =>
  isConcentrated ? value.toString() : ""

export const poolRow = (pool: Pool): IndexedPool => ({
  id: pool.id,
  createdAtBlockNumber: pool.createdAtBlockNumber.toString(),
  createdAtTimestamp: pool.createdAtTimestamp.toString(),
  createdAtLogIndex: pool.createdAtLogIndex,
  token0: pool.token0,
  token1: pool.token1,
  feeTier: pool.feeTier.toText(),
  feeGrowthGlobal0X128: toConcentratedText(pool, pool.feeGrowthGlobal0X128),
  feeGrowthGlobal1X128: toConcentratedText(pool, pool.feeGrowthGlobal1X128),
  observationIndex: toConcentratedText(pool, pool.observationIndex),
  liquidity: pool.liquidity.toString(),
  liquidityProviderCount: "0",
  sqrtPrice: toConcentratedText(pool, pool.sqrtPrice),
  tick: pool.tick === undefined ? "" : pool.tick.toString(),
  token0Price: pool.token0Price.toText(),
  token1Price: pool.token1Price.toText(),
  totalValueLockedToken0: pool.totalValueLockedToken0.toText(),
  totalValueLockedToken1: pool.totalValueLockedToken1.toText(),
  totalValueLockedETH: pool.totalValueLockedETH.toText(),
  totalValueLockedUSD: pool.totalValueLockedUSD.toText(),
  totalValueLockedUSDUntracked: "0",
  txCount: pool.txCount.toString(),
  feesUSD: pool.feesUSD.toText(),
  volumeUSD: pool.volumeUSD.toText(),
  volumeToken0: pool.volumeToken0.toText(),
  volumeToken1: pool.volumeToken1.toText(),
  untrackedVolumeUSD: pool.untrackedVolumeUSD.toText(),
  simulation: pool.simulation && simulationRow(pool.simulation)
})

/** The ticks are not part of its row: they are derived from mints and burns. */
export const toPool = (row: IndexedPool, ticks: PoolTicks): Pool => ({
  id: row.id,
  createdAtBlockNumber: Number(row.createdAtBlockNumber),
  createdAtTimestamp: Number(row.createdAtTimestamp),
  createdAtLogIndex: row.createdAtLogIndex,
  token0: row.token0,
  token1: row.token1,
  fee: BigInt(row.feeTier),
  feeTier: Decimal34.restore(row.feeTier),
  isConcentrated: row.sqrtPrice !== "",
  feeGrowthGlobal0X128: BigInt(row.feeGrowthGlobal0X128),
  feeGrowthGlobal1X128: BigInt(row.feeGrowthGlobal1X128),
  observationIndex: Number(row.observationIndex),
  liquidity: BigInt(row.liquidity),
  sqrtPrice: BigInt(row.sqrtPrice),
  tick: row.tick === "" ? undefined : Number(row.tick),
  token0Price: Decimal34.restore(row.token0Price),
  token1Price: Decimal34.restore(row.token1Price),
  totalValueLockedToken0: Decimal34.restore(row.totalValueLockedToken0),
  totalValueLockedToken1: Decimal34.restore(row.totalValueLockedToken1),
  totalValueLockedETH: Decimal34.restore(row.totalValueLockedETH),
  totalValueLockedUSD: Decimal34.restore(row.totalValueLockedUSD),
  txCount: BigInt(row.txCount),
  feesUSD: Decimal34.restore(row.feesUSD),
  volumeUSD: Decimal34.restore(row.volumeUSD),
  volumeToken0: Decimal34.restore(row.volumeToken0),
  volumeToken1: Decimal34.restore(row.volumeToken1),
  untrackedVolumeUSD: Decimal34.restore(row.untrackedVolumeUSD),
  simulation: row.simulation && { ...row.simulation, ticks }
})
