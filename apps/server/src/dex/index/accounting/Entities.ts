import { Record, Struct } from "effect"
import type { TokenRow } from "../../DexSource.ts"
import type { IndexedSimulation, IndexedDeployment, IndexedPool } from "../IndexedBlock.ts"
import { Decimal34 } from "./Decimal34.ts"
import type { PoolTicks } from "./PoolTicks.ts"

// The rows in the form that the accounting calculates with, and the mappings between both. An entity of the state is
// replaced, never mutated: only the draft of the block that is being applied mutates its own copies.

/** The mappings of fields that are decimals. */
const decimals = <const Field extends string>(...fields: ReadonlyArray<Field>) => {
  const each = Struct.Record(fields, null)
  return {
    restore: (row: { readonly [F in Field]: string }) => Record.map(each, (_, field) => Decimal34.restore(row[field])),
    toText: (entity: { readonly [F in Field]: Decimal34 }) => Record.map(each, (_, field) => entity[field].toText())
  }
}

const ofTotals = decimals(
  "totalVolumeUSD",
  "untrackedVolumeUSD",
  "totalVolumeETH",
  "totalValueLockedUSD",
  "totalValueLockedETH",
  "totalFeesUSD",
  "totalFeesETH",
  "nativeUSD"
)

const ofToken = decimals(
  "totalValueLocked",
  "totalValueLockedUSD",
  "volume",
  "volumeUSD",
  "untrackedVolumeUSD",
  "derivedETH",
  "feesUSD"
)

const ofPool = decimals(
  "feeTier",
  "token0Price",
  "token1Price",
  "totalValueLockedToken0",
  "totalValueLockedToken1",
  "totalValueLockedETH",
  "totalValueLockedUSD",
  "feesUSD",
  "volumeUSD",
  "volumeToken0",
  "volumeToken1",
  "untrackedVolumeUSD"
)

type Restored<Mappings extends { readonly restore: (row: never) => unknown }> = ReturnType<Mappings["restore"]>

/** `nativeUSD` is the price of the native coin. */
export interface Totals extends Restored<typeof ofTotals> {
  poolCount: bigint
  txCount: bigint
  owner: string
}

export interface Token extends Restored<typeof ofToken> {
  readonly id: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly supply: string
  txCount: bigint
  poolCount: bigint
  /** The pools that can price this token, in order of creation. */
  whitelistPools: ReadonlyArray<string>
}

export interface Pool extends Restored<typeof ofPool> {
  readonly id: string
  readonly createdAtBlockNumber: number
  readonly createdAtTimestamp: number
  readonly createdAtLogIndex: number
  /** In millionths, as in the events. */
  fee: bigint
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
  txCount: bigint
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
  ...ofTotals.toText(totals),
  id: factory,
  poolCount: totals.poolCount.toString(),
  txCount: totals.txCount.toString(),
  owner: totals.owner
})

export const toTotals = (row: IndexedDeployment): Totals => ({
  ...ofTotals.restore(row),
  poolCount: BigInt(row.poolCount),
  txCount: BigInt(row.txCount),
  owner: row.owner
})

export const tokenRow = (token: Token): TokenRow => ({
  ...ofToken.toText(token),
  id: token.id,
  name: token.name,
  symbol: token.symbol,
  decimals: token.decimals.toString(),
  supply: token.supply,
  txCount: token.txCount.toString(),
  totalValueLockedUSDUntracked: "0",
  poolCount: token.poolCount.toString()
})

/** The pools that price a token are not part of its row: they are derived from the pools. */
export const toToken = (row: TokenRow, whitelistPools: ReadonlyArray<string>): Token => ({
  ...ofToken.restore(row),
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  decimals: Number(row.decimals),
  supply: row.supply,
  txCount: BigInt(row.txCount),
  poolCount: BigInt(row.poolCount),
  whitelistPools
})

const simulationRow = ({ ticks: _, ...simulation }: PoolSimulation): IndexedSimulation => simulation

/** A value that a pair does not have is empty. */
const toConcentratedText = ({ isConcentrated }: Pool, value: bigint | number): string =>
  isConcentrated ? value.toString() : ""

export const poolRow = (pool: Pool): IndexedPool => ({
  ...ofPool.toText(pool),
  id: pool.id,
  createdAtBlockNumber: pool.createdAtBlockNumber.toString(),
  createdAtTimestamp: pool.createdAtTimestamp.toString(),
  createdAtLogIndex: pool.createdAtLogIndex,
  token0: pool.token0,
  token1: pool.token1,
  feeGrowthGlobal0X128: toConcentratedText(pool, pool.feeGrowthGlobal0X128),
  feeGrowthGlobal1X128: toConcentratedText(pool, pool.feeGrowthGlobal1X128),
  observationIndex: toConcentratedText(pool, pool.observationIndex),
  liquidity: pool.liquidity.toString(),
  liquidityProviderCount: "0",
  sqrtPrice: toConcentratedText(pool, pool.sqrtPrice),
  tick: pool.tick === undefined ? "" : pool.tick.toString(),
  totalValueLockedUSDUntracked: "0",
  txCount: pool.txCount.toString(),
  simulation: pool.simulation && simulationRow(pool.simulation)
})

/** The ticks are not part of its row: they are derived from mints and burns. */
export const toPool = (row: IndexedPool, ticks: PoolTicks): Pool => ({
  ...ofPool.restore(row),
  id: row.id,
  createdAtBlockNumber: Number(row.createdAtBlockNumber),
  createdAtTimestamp: Number(row.createdAtTimestamp),
  createdAtLogIndex: row.createdAtLogIndex,
  token0: row.token0,
  token1: row.token1,
  fee: BigInt(row.feeTier),
  isConcentrated: row.sqrtPrice !== "",
  feeGrowthGlobal0X128: BigInt(row.feeGrowthGlobal0X128),
  feeGrowthGlobal1X128: BigInt(row.feeGrowthGlobal1X128),
  observationIndex: Number(row.observationIndex),
  liquidity: BigInt(row.liquidity),
  sqrtPrice: BigInt(row.sqrtPrice),
  tick: row.tick === "" ? undefined : Number(row.tick),
  txCount: BigInt(row.txCount),
  simulation: row.simulation && { ...row.simulation, ticks }
})
