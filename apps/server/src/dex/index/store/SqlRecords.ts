import { Schema, Struct } from "effect"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { TokenRow } from "../../DexSource.ts"
import { simulationColumns } from "./SqlColumns.ts"
import { restored } from "./SqlText.ts"

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

export const restoredToken = (row: TokenRow): TokenRow => ({
  ...row,
  name: restored(row.name),
  symbol: restored(row.symbol)
})
