import { Effect, Predicate, Schema } from "effect"
import type { DexSourceError } from "../../DexSource.ts"
import { SubgraphRequest } from "./SubgraphEndpoint.ts"
import type { SubgraphEndpoint } from "./SubgraphEndpoint.ts"
import { collections } from "./SubgraphSchema.ts"
import type { Entity } from "./SubgraphSchema.ts"

export type Where = { readonly [filter: string]: unknown }

/** What a subgraph states of itself with each response. */
export const State = Schema.Struct({
  block: Schema.Struct({ hash: Schema.optionalKey(Schema.NullOr(Schema.String)) }),
  deployment: Schema.optionalKey(Schema.String),
  hasIndexingErrors: Schema.Boolean
})

export const getHash = ({ block }: typeof State.Type): string | undefined => block.hash?.toLowerCase()

export const checkErrors = (endpoint: SubgraphEndpoint, { hasIndexingErrors }: typeof State.Type) =>
  hasIndexingErrors
    ? Effect.fail(endpoint.failed("BadResponse", "says of itself that its data has errors"))
    : Effect.void

interface CollectionResponse<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly _meta: typeof State.Type
}

export const toResponseSchema = <Row>(
  row: Schema.ConstraintDecoder<Row>
): Schema.ConstraintDecoder<CollectionResponse<Row>> => Schema.Struct({ rows: Schema.Array(row), _meta: State })

/** How the rows of an entity are selected and decoded. */
export interface Collection<Row> {
  readonly entity: Entity
  readonly selection: string
  /** Cached by kind of row: compiling a schema is expensive. */
  readonly response: Schema.ConstraintDecoder<CollectionResponse<Row>>
}

interface CollectionRequest<Row> extends Collection<Row> {
  readonly where: Where
  readonly orderBy: string
  readonly direction: "asc" | "desc"
  readonly first: number
  readonly skip: number
}

/** By ids, from the first one. */
export const inIdOrder = { orderBy: "id", direction: "asc", skip: 0 } as const

/** The block that a view is pinned to. */
export interface PinnedBlock {
  readonly number: number
  /** Undefined if the subgraph does not state it. */
  readonly hash: string | undefined
  /** Its id changes when another version of the subgraph takes the place of this one. */
  readonly deployment: string | undefined
}

const makeDocument = (entity: Entity, selection: string): string =>
  `query Rows($first: Int!, $skip: Int!, $where: ${entity}_filter!, $orderBy: ${entity}_orderBy!, ` +
  "$orderDirection: OrderDirection!, $block: Block_height!) { " +
  `rows: ${collections[entity]}(first: $first, skip: $skip, where: $where, orderBy: $orderBy, ` +
  `orderDirection: $orderDirection, block: $block) { ${selection} } ` +
  "_meta(block: $block) { block { hash } deployment hasIndexingErrors } }"

const hasId = (row: unknown, ids: ReadonlyArray<unknown>) => Predicate.hasProperty(row, "id") && ids.includes(row.id)

/** Whether these may be the rows of the request: at most `first`, with the ids, and of the pool, that were asked for. */
const isRequested = (
  rows: ReadonlyArray<unknown>,
  { first, where }: Pick<CollectionRequest<unknown>, "first" | "where">
): boolean => {
  const { id, id_in: listed, pair, pool = pair } = where
  const ids = id === undefined ? listed : [id]
  return (
    rows.length <= first &&
    (!Array.isArray(ids) || rows.every((row) => hasId(row, ids))) &&
    (pool === undefined || rows.every((row) => !Predicate.hasProperty(row, "pool") || hasId(row.pool, [pool])))
  )
}

/** Reads collections as of one block. */
export interface PinnedReads {
  readonly collection: <Row>(request: CollectionRequest<Row>) => Effect.Effect<ReadonlyArray<Row>, DexSourceError>
}

export const makePinnedReads = (endpoint: SubgraphEndpoint, block: PinnedBlock): PinnedReads => {
  const check = Effect.fnUntraced(function* (state: typeof State.Type) {
    yield* checkErrors(endpoint, state)
    // Rows of two versions cannot mix in one response.
    if (block.deployment !== undefined && state.deployment !== block.deployment) {
      return yield* endpoint.failed(
        "Unavailable",
        `went over to another deployment while block ${block.number} was read`
      )
    }
    const hash = getHash(state)
    // If the subgraph returns block hashes, rows of two branches cannot mix in one response.
    if (hash !== undefined && block.hash !== undefined && hash !== block.hash) {
      return yield* endpoint.failed(
        "Unavailable",
        `went over to another branch at block ${block.number} while it was read`
      )
    }
  })

  return {
    collection: ({ response, direction, entity, first, orderBy, selection, skip, where }) =>
      endpoint
        .send(
          new SubgraphRequest({
            document: makeDocument(entity, selection),
            variables: { first, skip, where, orderBy, orderDirection: direction, block: { number: block.number } },
            data: response
          })
        )
        .pipe(
          // The block existed when the view was opened: a node behind the same address lags, or the block was pruned.
          Effect.catchTag("BlockNotIndexedError", () =>
            endpoint.failed("Unavailable", `does not have block ${block.number}, which it had a moment ago`)
          ),
          Effect.tap(({ _meta }) => check(_meta)),
          Effect.map(({ rows }) => rows),
          Effect.filterOrFail(
            (rows) => isRequested(rows, { first, where }),
            () => endpoint.failed("BadResponse", "answered with rows that it was not asked for")
          ),
          endpoint.retried
        )
  }
}
