import { Duration, Effect, Exit, Schema, Struct } from "effect"
import type { DexSourceError } from "../../DexSource.ts"
import { SubgraphRequest } from "./SubgraphEndpoint.ts"
import type { SubgraphEndpoint } from "./SubgraphEndpoint.ts"

/** The collection of an entity in queries. */
export const collections = {
  Factory: "factories",
  UniswapFactory: "uniswapFactories",
  Bundle: "bundles",
  Token: "tokens",
  Pool: "pools",
  Pair: "pairs",
  Mint: "mints",
  Burn: "burns",
  Swap: "swaps",
  Tick: "ticks"
} as const

export type Entity = keyof typeof collections

const entities = Struct.keys(collections)

/** A schema of V2 has pairs. Those of V3 and Algebra have pools. */
const required = {
  pools: { name: "Uniswap V3", entities: ["Factory", "Token", "Pool", "Mint", "Burn", "Swap"] },
  pairs: { name: "Uniswap V2", entities: ["UniswapFactory", "Bundle", "Token", "Pair"] }
} as const

export type SchemaKind = keyof typeof required

const Names = Schema.Array(Schema.Struct({ name: Schema.String }))
const EntityType = Schema.NullOr(Schema.Struct({ fields: Names }))

const introspection = new SubgraphRequest({
  document: `query Fields { ${entities
    .map((name) => `${name}: __type(name: "${name}") { fields { name } }`)
    .join(" ")} filters: __type(name: "Token_filter") { inputFields { name } } }`,
  variables: {},
  data: Schema.Struct({
    ...Struct.Record(entities, EntityType),
    filters: Schema.NullOr(Schema.Struct({ inputFields: Names }))
  })
})

/** The capabilities of a subgraph's schema. */
export interface SubgraphSchema {
  readonly kind: SchemaKind
  readonly fields: (entity: Entity) => ReadonlySet<string>
  readonly has: (entity: Entity, field: string) => boolean
  /** A filter of the tokens. */
  readonly hasFilter: (filter: string) => boolean
  /** The failure of a read that needs the field. */
  readonly lacks: (entity: Entity, field: string) => DexSourceError
  /** Fails with a sentence that names the first missing field. */
  readonly require: (entity: Entity, fields: Iterable<string>) => Effect.Effect<void, DexSourceError>
}

const toNames = (list: ReadonlyArray<{ readonly name: string }> | undefined): ReadonlySet<string> =>
  new Set(list?.map(({ name }) => name))

const none: ReadonlySet<string> = new Set()

const read = Effect.fnUntraced(function* (endpoint: SubgraphEndpoint) {
  const response = yield* endpoint
    .send(introspection)
    .pipe(Effect.catchTag("BlockNotIndexedError", () => endpoint.failed("BadResponse", "cannot describe its schema")))
  const kind = response.Pair !== null && response.Pool === null ? "pairs" : "pools"
  for (const entity of required[kind].entities) {
    if (response[entity] === null) {
      return yield* endpoint.failed(
        "BadResponse",
        `does not have the schema of ${required[kind].name}: it lacks the type "${entity}"`
      )
    }
  }
  const byEntity = new Map(entities.map((entity) => [entity, toNames(response[entity]?.fields)]))
  const filters = toNames(response.filters?.inputFields)
  const fields: SubgraphSchema["fields"] = (entity) => byEntity.get(entity) ?? none
  const lacks: SubgraphSchema["lacks"] = (entity, field) =>
    endpoint.failed("BadResponse", `lacks the field "${field}" of its type "${entity}"`)
  const schema: SubgraphSchema = {
    kind,
    fields,
    has: (entity, field) => fields(entity).has(field),
    hasFilter: (filter) => filters.has(filter),
    lacks,
    require: (entity, wanted) => {
      for (const field of wanted) if (!fields(entity).has(field)) return Effect.fail(lacks(entity, field))
      return Effect.void
    }
  }
  return schema
})

/** The schema, which is read once for all callers, and an effect after which it is read again. */
export const cacheSchema = (endpoint: SubgraphEndpoint) =>
  Effect.cachedInvalidateWithTTL(read(endpoint), (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero))
