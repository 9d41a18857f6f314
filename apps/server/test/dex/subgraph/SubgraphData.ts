import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { Schema } from "effect"
import type { EntityName } from "./SubgraphTypes.ts"

export interface EntityVersion {
  readonly entity: EntityName
  readonly id: string
  /** The first block with these fields. */
  readonly block: number
  readonly fields: { readonly [name: string]: string | null }
}

const TokenFields = Schema.Struct({ id: Schema.String, name: Schema.String, symbol: Schema.String })

const Line = Schema.Struct({
  block: Schema.Int,
  type: Schema.Literals(["factory", "token", "pool", "mint", "burn", "swap"]),
  id: Schema.String,
  pool: Schema.optionalKey(Schema.String),
  fields: Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Null, Schema.Struct({ token0: TokenFields, token1: TokenFields })])
  )
})

/** An expected line of the fixtures. */
export type ExpectedLine = typeof Line.Type

export const fixture = (name: "basic" | "market"): ReadonlyArray<ExpectedLine> => {
  const file = new URL(
    `../../fixtures/uniswap-v3/${name}.expected.jsonl${name === "market" ? ".gz" : ""}`,
    import.meta.url
  )
  const bytes = readFileSync(file)
  const text = (name === "market" ? gunzipSync(bytes) : bytes).toString("utf8")
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Line))
  return text
    .trimEnd()
    .split("\n")
    .map((line) => decode(line))
}

const toEntity = { factory: "Factory", token: "Token", pool: "Pool", mint: "Mint", burn: "Burn", swap: "Swap" } as const

const recordVersions = (line: ExpectedLine, id: string): ReadonlyArray<EntityVersion> => {
  const { block, fields, pool = "", type } = line
  const text = Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []))
  )
  const { transactionId: transaction = "", timestamp = "", ...rest } = text
  const tokens = fields["pool"]
  if (typeof tokens !== "object" || tokens === null) throw new Error("a record without tokens")
  const common = { timestamp, pool, transaction, token0: tokens.token0.id, token1: tokens.token1.id }
  return [
    { entity: toEntity[type], id, block, fields: { ...rest, ...common, id } },
    {
      entity: "Transaction",
      id: transaction,
      block,
      fields: { id: transaction, blockNumber: String(block), timestamp }
    }
  ]
}

/** The fixtures as the entities of a subgraph; `idForm` separates a record's hash from its number. */
export const toEntities = (lines: ReadonlyArray<ExpectedLine>, idForm: "-" | "#"): ReadonlyArray<EntityVersion> =>
  lines.flatMap((line, at) => {
    const { block, fields, id, type } = line
    if (type === "mint" || type === "burn" || type === "swap") {
      const [hash = "", logIndex = ""] = id.split("#")
      // The older form counts the pool's transactions: any number other than the log index.
      return recordVersions(line, idForm === "-" ? `${hash}-${logIndex}` : `${hash}#${1000 + at}`)
    }
    const text = Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]) =>
        typeof value === "object" && value !== null ? [] : [[name === "supply" ? "totalSupply" : name, value] as const]
      )
    )
    return [{ entity: toEntity[type], id, block, fields: text }]
  })
