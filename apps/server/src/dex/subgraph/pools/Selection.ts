import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { TradeKind } from "../../DexSource.ts"
import type { Entity, SubgraphSchema } from "../query/SubgraphSchema.ts"
import { getTradeReferences } from "../query/SubgraphTrades.ts"

/** The schema's name of a field, if it differs from ours. */
export type FieldName = (entity: Entity, field: string) => string

/** The name of the native coin in names of fields: "ETH", or another one such as "Matic" in schemas of Algebra. */
const findCoin = (schema: SubgraphSchema): string => {
  const derived = [...schema.fields("Token")].filter((field) => /^derived[A-Z]/.test(field) && field !== "derivedUSD")
  const [only] = derived
  return only === undefined || derived.length > 1 || derived.includes("derivedETH")
    ? "ETH"
    : only.slice("derived".length)
}

const otherNames: { readonly [field: string]: string } = { feeTier: "fee", sqrtPriceX96: "price" }

/** The names of the schema of Uniswap V3, and where it has those of Algebra, these. */
export const toFieldName = (schema: SubgraphSchema): FieldName => {
  const coin = findCoin(schema)
  return (entity, field) => {
    if (field === "supply") return "totalSupply"
    if (field.endsWith("ETH")) return `${field.slice(0, -"ETH".length)}${coin}`
    const other = otherNames[field]
    return other === undefined || schema.has(entity, field) || !schema.has(entity, other) ? field : other
  }
}

const select = (fields: ReadonlyArray<string>, toName: (field: string) => string): string =>
  fields.map((field) => (toName(field) === field ? field : `${field}: ${toName(field)}`)).join(" ")

/** Not every schema of Uniswap V3 has them: their records have a default. */
const optionalFields: ReadonlySet<string> = new Set(["feeGrowthGlobal0X128", "feeGrowthGlobal1X128"])

const requiredPoolFields = [...poolFields.filter((field) => !optionalFields.has(field)), "token0", "token1"]

/** The fields of each entity that a query selects. */
export const getRequiredFields = (toName: FieldName) => ({
  Factory: deploymentFields.map((field) => toName("Factory", field)),
  Token: tokenFields.map((field) => toName("Token", field)),
  Pool: requiredPoolFields.map((field) => toName("Pool", field))
})

export const getFactorySelection = (toName: FieldName): string =>
  select(deploymentFields, (field) => toName("Factory", field))

export const getTokenSelection = (toName: FieldName): string => select(tokenFields, (field) => toName("Token", field))

/** An optional field is selected only if the schema has it. */
export const getPoolSelection = (toName: FieldName, has: (field: string) => boolean): string => {
  const fields = poolFields.filter((field) => !optionalFields.has(field) || has(field))
  const token = getTokenSelection(toName)
  return `${select(fields, (field) => toName("Pool", field))} token0 { ${token} } token1 { ${token} }`
}

const tradedFields = ["id", "amount0", "amount1", "amountUSD", "logIndex", "origin", "timestamp"]

/** The fields of each kind's records that are text. */
export const tradeFields = {
  burn: [...tradedFields, "amount", "owner"],
  mint: [...tradedFields, "amount", "owner", "sender"],
  swap: [...tradedFields, "sender", "recipient", "sqrtPriceX96"]
} as const satisfies Record<TradeKind, ReadonlyArray<string>>

export const getTradeSelection = (kind: TradeKind, toName: (field: string) => string): string =>
  `${select(tradeFields[kind], toName)} ${getTradeReferences("pool")}`
