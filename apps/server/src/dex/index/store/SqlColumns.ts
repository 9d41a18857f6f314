import { Schema, Struct } from "effect"
import type { TradeOrderField } from "../../DexQueries.ts"
import type { TokenRow } from "../../DexSource.ts"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { IndexedSimulation } from "../IndexedBlock.ts"

/** The column of a field. Every identifier in the index's statements comes from here, none from a caller. */
export interface SqlColumn {
  readonly name: string
  readonly type: "bigint" | "int" | "numeric" | "text"
  /** Whether the field may be empty text, which is stored as null. */
  readonly nullable?: true
}

const numericColumn = (name: string): SqlColumn => ({ name, type: "numeric" })
const text = (name: string): SqlColumn => ({ name, type: "text" })
const int = (name: string): SqlColumn => ({ name, type: "int" })
const bigint = (name: string): SqlColumn => ({ name, type: "bigint" })
const nullable = (column: SqlColumn): SqlColumn => ({ ...column, nullable: true })

export const totalsColumns = {
  id: text("id"),
  poolCount: numericColumn("pool_count"),
  txCount: numericColumn("tx_count"),
  totalVolumeUSD: numericColumn("total_volume_usd"),
  untrackedVolumeUSD: numericColumn("untracked_volume_usd"),
  totalVolumeETH: numericColumn("total_volume_eth"),
  totalValueLockedUSD: numericColumn("total_value_locked_usd"),
  totalValueLockedETH: numericColumn("total_value_locked_eth"),
  totalFeesUSD: numericColumn("total_fees_usd"),
  totalFeesETH: numericColumn("total_fees_eth"),
  owner: text("owner"),
  nativeUSD: numericColumn("native_usd")
} satisfies Record<(typeof deploymentFields)[number] | "nativeUSD", SqlColumn>

export const tokenColumns = {
  id: text("id"),
  name: text("name"),
  symbol: text("symbol"),
  decimals: numericColumn("decimals"),
  supply: numericColumn("supply"),
  totalValueLocked: numericColumn("total_value_locked"),
  totalValueLockedUSD: numericColumn("total_value_locked_usd"),
  volume: numericColumn("volume"),
  volumeUSD: numericColumn("volume_usd"),
  untrackedVolumeUSD: numericColumn("untracked_volume_usd"),
  txCount: numericColumn("tx_count"),
  derivedETH: numericColumn("derived_eth"),
  feesUSD: numericColumn("fees_usd"),
  totalValueLockedUSDUntracked: numericColumn("total_value_locked_usd_untracked"),
  poolCount: numericColumn("pool_count")
} satisfies Record<(typeof tokenFields)[number], SqlColumn>

/** The search columns of tokens: name and symbol, case-folded. */
export const tokenKeyColumns = { nameKey: text("name_key"), symbolKey: text("symbol_key") }

export const poolColumns = {
  id: text("id"),
  token0: text("token0"),
  token1: text("token1"),
  createdAtBlockNumber: numericColumn("created_at_block_number"),
  createdAtTimestamp: numericColumn("created_at_timestamp"),
  feeGrowthGlobal0X128: nullable(numericColumn("fee_growth_global0_x128")),
  feeGrowthGlobal1X128: nullable(numericColumn("fee_growth_global1_x128")),
  feeTier: numericColumn("fee_tier"),
  feesUSD: numericColumn("fees_usd"),
  liquidity: numericColumn("liquidity"),
  liquidityProviderCount: numericColumn("liquidity_provider_count"),
  observationIndex: nullable(numericColumn("observation_index")),
  sqrtPrice: nullable(numericColumn("sqrt_price")),
  tick: nullable(numericColumn("tick")),
  token0Price: numericColumn("token0_price"),
  token1Price: numericColumn("token1_price"),
  totalValueLockedToken0: numericColumn("total_value_locked_token0"),
  totalValueLockedToken1: numericColumn("total_value_locked_token1"),
  totalValueLockedETH: numericColumn("total_value_locked_eth"),
  totalValueLockedUSD: numericColumn("total_value_locked_usd"),
  totalValueLockedUSDUntracked: numericColumn("total_value_locked_usd_untracked"),
  txCount: numericColumn("tx_count"),
  volumeUSD: numericColumn("volume_usd"),
  volumeToken0: numericColumn("volume_token0"),
  volumeToken1: numericColumn("volume_token1"),
  untrackedVolumeUSD: numericColumn("untracked_volume_usd")
} satisfies Record<(typeof poolFields)[number] | "token0" | "token1", SqlColumn>

export const poolOrderColumns = { createdAtLogIndex: int("created_at_log_index") }

/** All null for a pool that is not simulated. */
export const simulationColumns = {
  tickSpacing: nullable(int("tick_spacing")),
  feeProtocol: nullable(int("fee_protocol")),
  observationCardinality: nullable(int("observation_cardinality")),
  observationCardinalityNext: nullable(int("observation_cardinality_next")),
  observedAt: nullable(bigint("observed_at"))
} satisfies Record<keyof IndexedSimulation, SqlColumn>

/** The bounds of the positions that mints and burns change. */
export const tickRangeColumns = { tickLower: nullable(int("tick_lower")), tickUpper: nullable(int("tick_upper")) }

/** The price after a swap of a pair. */
export const pairPriceColumns = { price: nullable(numericColumn("price")) }

const tradeColumns = {
  amount0: numericColumn("amount0"),
  amount1: numericColumn("amount1"),
  amountUSD: numericColumn("amount_usd"),
  logIndex: int("log_index"),
  origin: text("origin"),
  timestamp: bigint("timestamp"),
  pool: text("pool"),
  transactionId: text("transaction_id")
}

const positionColumns = { ...tradeColumns, amount: numericColumn("amount"), owner: text("owner") }

/** The fields of each kind, without `id`, which is made of two of them. */
export const columnsByKind = {
  burn: positionColumns,
  mint: { ...positionColumns, sender: text("sender") },
  swap: {
    ...tradeColumns,
    sender: text("sender"),
    recipient: text("recipient"),
    sqrtPriceX96: nullable(numericColumn("sqrt_price_x96"))
  }
} satisfies Record<string, Partial<Record<TradeOrderField, SqlColumn>>>

/** As text, named as the fields. */
export const toSelectColumns = (columns: Record<string, SqlColumn>): string =>
  Object.entries(columns)
    .map(([field, { name, nullable, type }]) => {
      const value = type === "text" ? name : `${name}::text`
      return `${nullable ? `coalesce(${value}, '')` : value} as "${field}"`
    })
    .join(", ")

/** The fields of JSON objects as a row type, their names, and their columns. */
export const toInsertColumns = (columns: Record<string, SqlColumn>) => {
  const fields = Object.entries(columns)
  return {
    columns: fields.map(([, { name }]) => name).join(", "),
    values: fields.map(([field]) => `r."${field}"`).join(", "),
    type: fields.map(([field, { type }]) => `"${field}" ${type}`).join(", ")
  }
}

/**
 * Text of a contract can contain U+0000, which PostgreSQL cannot store. It is stored as U+0001 U+0001, and U+0001 as
 * U+0001 U+0002: the mapping is lossless and preserves the order by code point. A lone surrogate is not valid UTF-8 and
 * becomes U+FFFD.
 */
export const encodeText = (text: string): string =>
  text.toWellFormed().replaceAll("\u0001", "\u0001\u0002").replaceAll("\u0000", "\u0001\u0001")

const decodeText = (text: string): string =>
  text.includes("\u0001") ? text.replaceAll("\u0001\u0001", "\u0000").replaceAll("\u0001\u0002", "\u0001") : text

/** The case-folded form of a text. Computed here, because servers fold differently. */
export const searchKey = (text: string): string => encodeText(text.toLowerCase())

const record = <const Fields extends ReadonlyArray<string>>(fields: Fields) =>
  Schema.Array(Schema.Record(Schema.Literals(fields), Schema.String))

/** A row as the tables return it: every value as text. */
export const decodeDeployments = Schema.decodeUnknownEffect(record([...deploymentFields]))
export const decodeIndexedDeployments = Schema.decodeUnknownEffect(record([...deploymentFields, "nativeUSD"]))
export const decodePools = Schema.decodeUnknownEffect(record([...poolFields, "token0", "token1"]))
export const decodeIndexedPools = Schema.decodeUnknownEffect(
  record([...poolFields, "token0", "token1", "createdAtLogIndex", ...Struct.keys(simulationColumns)])
)
export const decodeTokens = Schema.decodeUnknownEffect(record([...tokenFields]))

export const decodeTokenText = (row: TokenRow): TokenRow => ({
  ...row,
  name: decodeText(row.name),
  symbol: decodeText(row.symbol)
})
