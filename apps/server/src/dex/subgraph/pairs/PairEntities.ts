import { Record } from "effect"
import { multiply } from "../../../internal/ExactDecimal.ts"
import type { PoolOrderField, TokenOrderField } from "../../DexQueries.ts"
import type { DeploymentRow, PoolRow, TokenRow } from "../../DexSource.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { SortKey } from "../query/SortKey.ts"
import type { EntityTable } from "../query/SubgraphEntities.ts"
import {
  factoryFields,
  FactoryRecord,
  pairDecimals,
  pairFields,
  PairRecord,
  tokenDecimals,
  tokenFields,
  TokenRecord
} from "./PairRecords.ts"

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

/** The values of a record by our names. */
const rename = <Ours extends string, Theirs extends string>(
  row: { readonly [F in Theirs]: string },
  names: { readonly [F in Ours]: Theirs }
) => Record.map(names, (field) => row[field])

/** A token with what its record lacks. */
export const toToken = (
  row: PairTokenRow,
  { fee, nativeUSD, poolCount }: { readonly fee: PairFee; readonly nativeUSD: string; readonly poolCount: string }
): TokenRow => ({
  ...rename(row, tokenDecimals),
  id: row.id,
  name: row.name,
  symbol: row.symbol,
  totalValueLockedUSD: toLockedUSD(row, nativeUSD),
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
    ...Record.map(tokenDecimals, byField),
    id: byField("id"),
    name: byField("name"),
    symbol: byField("symbol"),
    totalValueLockedUSD: { by: "derived", value: (row) => toLockedUSD(row, nativeUSD) },
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
  ...rename(row, pairDecimals),
  id: row.id,
  feeGrowthGlobal0X128: "",
  feeGrowthGlobal1X128: "",
  feeTier: fee.tier,
  feesUSD: fee.of(row.volumeUSD),
  liquidity: multiply(row.totalSupply, rawUnit),
  observationIndex: "",
  sqrtPrice: "",
  tick: "",
  totalValueLockedUSDUntracked: "0",
  token0: token(row.token0),
  token1: token(row.token1)
})

export const toPairTable = (fee: PairFee): EntityTable<PairRow, PoolOrderField> => {
  const keys: { readonly [Field in PoolOrderField]: SortKey<PairRow> } = {
    ...Record.map(pairDecimals, byField),
    id: byField("id"),
    feeGrowthGlobal0X128: constant,
    feeGrowthGlobal1X128: constant,
    feeTier: constant,
    feesUSD: byFees(fee, "volumeUSD"),
    liquidity: byField("totalSupply"),
    observationIndex: constant,
    sqrtPrice: constant,
    tick: constant,
    totalValueLockedUSDUntracked: constant,
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
