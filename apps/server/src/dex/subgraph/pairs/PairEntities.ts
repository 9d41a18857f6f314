import { multiply } from "../../../internal/ExactDecimal.ts"
import type { PoolOrderField, TokenOrderField } from "../../DexQueries.ts"
import type { DeploymentRow, PoolRow, TokenRow } from "../../DexSource.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { SortKey } from "../query/SortKey.ts"
import type { EntityTable } from "../query/SubgraphEntities.ts"
import { factoryFields, FactoryRecord, pairFields, PairRecord, tokenFields, TokenRecord } from "./PairRecords.ts"

type FactoryRow = typeof FactoryRecord.Type
type PairTokenRow = typeof TokenRecord.Type
type PairRow = typeof PairRecord.Type

/** LP tokens have 18 decimals. */
const rawUnit = `1${"0".repeat(18)}`

/** The fee of all pairs. */
export interface PairFee {
  /** In millionths. */
  readonly tier: string
  /** The fees of a volume. */
  readonly of: (volume: string) => string
}

export const toPairFee = (millionths: number): PairFee => ({
  tier: String(millionths),
  of: (volume) => multiply(multiply(volume, String(millionths)), "0.000001")
})

export const factoryTable = {
  entity: "UniswapFactory",
  selection: factoryFields.join(" "),
  response: toResponseSchema(FactoryRecord)
} as const

export const toDeployment = (row: FactoryRow, fee: PairFee): DeploymentRow => ({
  id: row.id,
  poolCount: row.pairCount,
  txCount: row.txCount,
  totalVolumeUSD: row.totalVolumeUSD,
  untrackedVolumeUSD: row.untrackedVolumeUSD,
  totalVolumeETH: row.totalVolumeETH,
  totalValueLockedUSD: row.totalLiquidityUSD,
  totalValueLockedETH: row.totalLiquidityETH,
  totalFeesUSD: fee.of(row.totalVolumeUSD),
  totalFeesETH: fee.of(row.totalVolumeETH),
  // A factory of Uniswap V2 has no owner.
  owner: ""
})

/** `derivedETH` is in the native coin; the price is that of the native coin in USD. */
const toLockedUSD = ({ derivedETH, totalLiquidity }: PairTokenRow, nativeUSD: string): string =>
  multiply(multiply(totalLiquidity, derivedETH), nativeUSD)

/** A token with what its record lacks. */
export const toToken = (
  row: PairTokenRow,
  { fee, nativeUSD, poolCount }: { readonly fee: PairFee; readonly nativeUSD: string; readonly poolCount: string }
): TokenRow => ({
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  decimals: row.decimals,
  supply: row.totalSupply,
  totalValueLocked: row.totalLiquidity,
  totalValueLockedUSD: toLockedUSD(row, nativeUSD),
  volume: row.tradeVolume,
  volumeUSD: row.tradeVolumeUSD,
  untrackedVolumeUSD: row.untrackedVolumeUSD,
  txCount: row.txCount,
  derivedETH: row.derivedETH,
  feesUSD: fee.of(row.tradeVolumeUSD),
  totalValueLockedUSDUntracked: "0",
  poolCount
})

const constant = { by: "constant" } as const

const byField = <Field extends string>(field: Field): SortKey<{ readonly [F in Field]: string }> => ({
  by: "field",
  field,
  value: (row) => row[field]
})

/** Fees are in the order of the volume, unless there are none. */
const byFees = <Field extends string>(fee: PairFee, volume: Field) => (fee.tier === "0" ? constant : byField(volume))

export const toTokenTable = (fee: PairFee, nativeUSD: string): EntityTable<PairTokenRow, TokenOrderField> => {
  const keys: { readonly [Field in TokenOrderField]: SortKey<PairTokenRow> } = {
    id: byField("id"),
    name: byField("name"),
    symbol: byField("symbol"),
    decimals: byField("decimals"),
    supply: byField("totalSupply"),
    totalValueLocked: byField("totalLiquidity"),
    totalValueLockedUSD: { by: "derived", value: (row) => toLockedUSD(row, nativeUSD) },
    volume: byField("tradeVolume"),
    volumeUSD: byField("tradeVolumeUSD"),
    untrackedVolumeUSD: byField("untrackedVolumeUSD"),
    txCount: byField("txCount"),
    derivedETH: byField("derivedETH"),
    feesUSD: byFees(fee, "tradeVolumeUSD"),
    totalValueLockedUSDUntracked: constant,
    poolCount: { by: "unknown" }
  }
  return {
    entity: "Token",
    selection: tokenFields.join(" "),
    response: tokenResponse,
    sortKey: (field) => keys[field]
  }
}

const tokenResponse = toResponseSchema(TokenRecord)
const pairResponse = toResponseSchema(PairRecord)

/** A pair as a pool. It has none of the fields of concentrated liquidity. */
export const toPool = (row: PairRow, fee: PairFee, token: (row: PairTokenRow) => TokenRow): PoolRow => ({
  id: row.id,
  createdAtBlockNumber: row.createdAtBlockNumber,
  createdAtTimestamp: row.createdAtTimestamp,
  feeGrowthGlobal0X128: "",
  feeGrowthGlobal1X128: "",
  feeTier: fee.tier,
  feesUSD: fee.of(row.volumeUSD),
  liquidity: multiply(row.totalSupply, rawUnit),
  liquidityProviderCount: row.liquidityProviderCount,
  observationIndex: "",
  sqrtPrice: "",
  tick: "",
  token0Price: row.token0Price,
  token1Price: row.token1Price,
  totalValueLockedToken0: row.reserve0,
  totalValueLockedToken1: row.reserve1,
  totalValueLockedETH: row.reserveETH,
  totalValueLockedUSD: row.reserveUSD,
  totalValueLockedUSDUntracked: "0",
  txCount: row.txCount,
  volumeUSD: row.volumeUSD,
  volumeToken0: row.volumeToken0,
  volumeToken1: row.volumeToken1,
  untrackedVolumeUSD: row.untrackedVolumeUSD,
  token0: token(row.token0),
  token1: token(row.token1)
})

export const toPairTable = (fee: PairFee): EntityTable<PairRow, PoolOrderField> => {
  const keys: { readonly [Field in PoolOrderField]: SortKey<PairRow> } = {
    id: byField("id"),
    createdAtBlockNumber: byField("createdAtBlockNumber"),
    createdAtTimestamp: byField("createdAtTimestamp"),
    feeGrowthGlobal0X128: constant,
    feeGrowthGlobal1X128: constant,
    feeTier: constant,
    feesUSD: byFees(fee, "volumeUSD"),
    liquidity: byField("totalSupply"),
    liquidityProviderCount: byField("liquidityProviderCount"),
    observationIndex: constant,
    sqrtPrice: constant,
    tick: constant,
    token0Price: byField("token0Price"),
    token1Price: byField("token1Price"),
    totalValueLockedToken0: byField("reserve0"),
    totalValueLockedToken1: byField("reserve1"),
    totalValueLockedETH: byField("reserveETH"),
    totalValueLockedUSD: byField("reserveUSD"),
    totalValueLockedUSDUntracked: constant,
    txCount: byField("txCount"),
    volumeUSD: byField("volumeUSD"),
    volumeToken0: byField("volumeToken0"),
    volumeToken1: byField("volumeToken1"),
    untrackedVolumeUSD: byField("untrackedVolumeUSD"),
    token0: { by: "field", field: "token0", value: ({ token0 }) => token0.id },
    token1: { by: "field", field: "token1", value: ({ token1 }) => token1.id }
  }
  const token = tokenFields.join(" ")
  return {
    entity: "Pair",
    selection: `${pairFields.join(" ")} token0 { ${token} } token1 { ${token} }`,
    response: pairResponse,
    sortKey: (field) => keys[field]
  }
}
