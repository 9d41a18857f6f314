import { Effect, Schema, Semaphore } from "effect"
import type { DexSourceError } from "../DexSource.ts"
import { SubgraphRequest } from "./SubgraphEndpoint.ts"
import type { SubgraphEndpoint } from "./SubgraphEndpoint.ts"

const required = ["Factory", "Token", "Pool", "Mint", "Burn", "Swap"] as const
const entities = [...required, "Tick"] as const

export type Entity = (typeof entities)[number]

/** The collection of an entity in queries. */
export const collections = {
  Factory: "factories",
  Token: "tokens",
  Pool: "pools",
  Mint: "mints",
  Burn: "burns",
  Swap: "swaps",
  Tick: "ticks"
} as const satisfies Record<Entity, string>

const Names = Schema.Array(Schema.Struct({ name: Schema.String }))
const EntityType = Schema.NullOr(Schema.Struct({ fields: Names }))

const introspection = new SubgraphRequest({
  document: `query Fields { ${entities
    .map((name) => `${name}: __type(name: "${name}") { fields { name } }`)
    .join(" ")} filters: __type(name: "Token_filter") { inputFields { name } } }`,
  variables: {},
  data: Schema.Struct({
    Factory: EntityType,
    Token: EntityType,
    Pool: EntityType,
    Mint: EntityType,
    Burn: EntityType,
    Swap: EntityType,
    Tick: EntityType,
    filters: Schema.NullOr(Schema.Struct({ inputFields: Names }))
  })
})

/** The capabilities of a subgraph's schema. */
export interface SubgraphSchema {
  readonly has: (entity: Entity, field: string) => boolean
  /** A filter of the tokens. */
  readonly hasFilter: (filter: string) => boolean
  /** Fails with a sentence that names the first missing field. */
  readonly require: (entity: Entity, fields: Iterable<string>) => Effect.Effect<void, DexSourceError>
}

const toNames = (list: ReadonlyArray<{ readonly name: string }> | undefined): ReadonlySet<string> =>
  new Set(list?.map(({ name }) => name))

const read = Effect.fnUntraced(function* (endpoint: SubgraphEndpoint) {
  const answer = yield* endpoint
    .ask(introspection)
    .pipe(Effect.catchTag("BlockNotIndexed", () => endpoint.failed("BadResponse", "cannot describe its schema")))
  for (const entity of required) {
    if (answer[entity] === null) {
      return yield* endpoint.failed(
        "BadResponse",
        `does not have the schema of Uniswap V3: it lacks the type "${entity}"`
      )
    }
  }
  const fields = new Map(entities.map((entity) => [entity, toNames(answer[entity]?.fields)]))
  const filters = toNames(answer.filters?.inputFields)
  const has: SubgraphSchema["has"] = (entity, field) => fields.get(entity)?.has(field) === true
  const schema: SubgraphSchema = {
    has,
    hasFilter: (filter) => filters.has(filter),
    require: (entity, wanted) => {
      for (const field of wanted) {
        if (!has(entity, field)) {
          return Effect.fail(endpoint.failed("BadResponse", `lacks the field "${field}" of its type "${entity}"`))
        }
      }
      return Effect.void
    }
  }
  return schema
})

/** Reads the schema once, shared by all callers, and again after `forget`. */
export const cachedSchema = Effect.fnUntraced(function* (endpoint: SubgraphEndpoint) {
  const turn = yield* Semaphore.make(1)
  let known: SubgraphSchema | undefined
  const ask = Effect.suspend(() =>
    known === undefined
      ? Effect.tap(read(endpoint), (schema) => Effect.sync(() => (known = schema)))
      : Effect.succeed(known)
  )
  return {
    get: Effect.suspend(() => (known === undefined ? turn.withPermits(1)(ask) : Effect.succeed(known))),
    forget: Effect.sync(() => {
      known = undefined
    })
  }
})
