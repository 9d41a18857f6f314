import { Record, Schema, Struct } from "effect"
import { decodeFirstRow, decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { TradeOrderField } from "../../DexQueries.ts"
import type { TokenRow } from "../../DexSource.ts"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { IndexedSimulation } from "../IndexedBlock.ts"

/** The column of a field. A field that a caller names reaches a statement only as the name of its column here. */
export interface SqlColumn {
  readonly name: string
  readonly type: "bigint" | "int" | "numeric" | "text"
  /** Whether the field may be empty text, which is stored as null. */
  readonly nullable?: true
}

/** The name of a field in snake case, such as total_value_locked_usd_untracked. */
const toColumnName = (field: string): string =>
  field
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()

const makeColumns =
  (column: Omit<SqlColumn, "name">) =>
  <const Field extends string>(...fields: ReadonlyArray<Field>) =>
    Record.map(Struct.Record(fields, column), (_, field): SqlColumn => ({ ...column, name: toColumnName(field) }))

const numeric = makeColumns({ type: "numeric" })
const nullableNumeric = makeColumns({ type: "numeric", nullable: true })
const text = makeColumns({ type: "text" })
const int = makeColumns({ type: "int" })
const nullableInt = makeColumns({ type: "int", nullable: true })
const bigint = makeColumns({ type: "bigint" })

export const totalsColumns = { ...numeric(...deploymentFields, "nativeUSD"), ...text("id", "owner") }

export const tokenColumns = { ...numeric(...tokenFields), ...text("id", "name", "symbol") }

/** The search columns of tokens: name and symbol, case-folded. */
export const tokenKeyColumns = text("nameKey", "symbolKey")

export const poolColumns = {
  ...numeric(...poolFields),
  ...text("id", "token0", "token1"),
  // A pair has none of them.
  ...nullableNumeric("feeGrowthGlobal0X128", "feeGrowthGlobal1X128", "observationIndex", "sqrtPrice", "tick")
}

export const poolOrderColumns = int("createdAtLogIndex")

/** All null for a pool that is not simulated. */
export const simulationColumns = {
  ...nullableInt("tickSpacing", "feeProtocol", "observationCardinality", "observationCardinalityNext"),
  ...makeColumns({ type: "bigint", nullable: true })("observedAt")
} satisfies Record<keyof IndexedSimulation, SqlColumn>

/** The bounds of the positions that mints and burns change. */
export const tickRangeColumns = nullableInt("tickLower", "tickUpper")

/** The price after a swap of a pair. */
export const pairPriceColumns = nullableNumeric("price")

export const initialPriceColumns = {
  ...text("pool"),
  ...int("blockNumber"),
  // A pair has none.
  ...nullableNumeric("sqrtPrice"),
  ...numeric("price")
}

const tradeColumns = {
  ...numeric("amount0", "amount1", "amountUSD"),
  ...int("logIndex"),
  ...text("origin"),
  ...bigint("timestamp"),
  ...text("pool", "transactionId")
}

const positionColumns = { ...tradeColumns, ...numeric("amount"), ...text("owner") }

/** The fields of each kind, without `id`, which is made of two of them. */
export const columnsByKind = {
  burn: positionColumns,
  mint: { ...positionColumns, ...text("sender") },
  swap: { ...tradeColumns, ...text("sender", "recipient"), ...nullableNumeric("sqrtPriceX96") }
} satisfies Record<string, Partial<Record<TradeOrderField, SqlColumn>>>

/** As text, named as the fields. */
export const toSelectColumns = (columns: Record<string, SqlColumn>): string =>
  Object.entries(columns)
    .map(([field, { name, nullable, type }]) => {
      const value = type === "text" ? name : `${name}::text`
      return `${nullable ? `coalesce(${value}, '')` : value} as "${field}"`
    })
    .join(", ")

/** The fields of JSON objects as a row type, their values, and their columns. */
export const toInsertColumns = (columns: Record<string, SqlColumn>) => {
  const fields = Object.entries(columns)
  return {
    columns: fields.map(([, { name }]) => name).join(", "),
    values: fields
      .map(([field, { nullable, type }]) => (nullable ? `nullif(r."${field}", '')::${type}` : `r."${field}"`))
      .join(", "),
    type: fields.map(([field, { nullable, type }]) => `"${field}" ${nullable ? "text" : type}`).join(", ")
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
  Schema.Record(Schema.Literals(fields), Schema.String)

/** Rows as the tables return them: every value as text. */
export const decodeDeployment = decodeFirstRow(record([...deploymentFields]))
export const decodeIndexedDeployment = decodeFirstRow(record([...deploymentFields, "nativeUSD"]))
export const decodePools = decodeRows(record([...poolFields, "token0", "token1"]))
export const decodeIndexedPools = decodeRows(
  record([...poolFields, "token0", "token1", "createdAtLogIndex", ...Struct.keys(simulationColumns)])
)
export const decodeTokens = decodeRows(record([...tokenFields]))

export const decodeTokenText = (row: TokenRow): TokenRow => ({
  ...row,
  name: decodeText(row.name),
  symbol: decodeText(row.symbol)
})
