import { deploymentFields, poolFields, tokenFields } from "../DexSource.ts"
import type { TradeKind } from "../DexSource.ts"

/** The subgraph's name of a field, if it differs from ours. */
export const subgraphName = (field: string): string => (field === "supply" ? "totalSupply" : field)

const select = (fields: ReadonlyArray<string>): string =>
  fields.map((field) => (subgraphName(field) === field ? field : `${field}: ${subgraphName(field)}`)).join(" ")

const feeGrowth: ReadonlySet<string> = new Set(["feeGrowthGlobal0X128", "feeGrowthGlobal1X128"])

const requiredPoolFields = poolFields.filter((field) => !feeGrowth.has(field))

/** The fields of each entity that a query selects. */
export const requiredFields = {
  Factory: deploymentFields,
  Token: tokenFields.map(subgraphName),
  Pool: [...requiredPoolFields, "token0", "token1"]
} as const

export const factorySelection = select(deploymentFields)
export const tokenSelection = select(tokenFields)

/** The fee growth is selected only if the schema has it. */
export const poolSelection = (has: (field: string) => boolean): string =>
  `${select(poolFields.filter((field) => !feeGrowth.has(field) || has(field)))} ` +
  `token0 { ${tokenSelection} } token1 { ${tokenSelection} }`

const tradedFields = ["id", "amount0", "amount1", "amountUSD", "logIndex", "origin", "timestamp"]

/** The fields of each kind's records that are text. */
export const tradeFields = {
  burn: [...tradedFields, "amount", "owner"],
  mint: [...tradedFields, "amount", "owner", "sender"],
  swap: [...tradedFields, "sender", "recipient", "sqrtPriceX96"]
} as const satisfies Record<TradeKind, ReadonlyArray<string>>

const tradeToken = "{ name id symbol }"

export const tradeSelection = (kind: TradeKind): string =>
  `${select(tradeFields[kind])} pool { id token0 ${tradeToken} token1 ${tradeToken} } transaction { id blockNumber }`
