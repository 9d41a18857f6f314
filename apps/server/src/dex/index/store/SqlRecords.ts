import { Schema, Struct } from "effect"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { TokenRow } from "../../DexSource.ts"
import { simulationColumns } from "./SqlColumns.ts"

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
