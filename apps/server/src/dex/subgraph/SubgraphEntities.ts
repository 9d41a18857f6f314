import { Effect, Option } from "effect"
import type { Schema } from "effect"
import type { DexSourceError, PoolQuery, TokenQuery } from "../DexSource.ts"
import { readWindow } from "./OrderedRows.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import { toAnswer } from "./PinnedReads.ts"
import type { CollectionAnswer, PinnedReads, Where } from "./PinnedReads.ts"
import { poolSelection, requiredFields, subgraphName, tokenSelection } from "./Selection.ts"
import { PoolRecord, TokenRecord } from "./SubgraphRecord.ts"
import type { SubgraphSchema } from "./SubgraphSchema.ts"
import { isSameText, textFilter } from "./TextFilter.ts"
import type { TextFilter } from "./TextFilter.ts"

const tokenAnswer = toAnswer(TokenRecord)
const poolAnswer = toAnswer(PoolRecord)

interface Context {
  readonly reads: PinnedReads
  readonly schema: SubgraphSchema
}

interface EntityOrder<Row> {
  readonly field: string
  readonly direction: "asc" | "desc"
  readonly value: (row: Row) => string
}

interface EntityRequest<Row extends { readonly id: string }> {
  readonly entity: "Token" | "Pool"
  readonly selection: string
  readonly answer: Schema.ConstraintDecoder<CollectionAnswer<Row>>
  readonly where: Where
  readonly order: EntityOrder<Row>
  readonly isWanted?: (row: Row) => boolean
}

const compareIds = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

const orderedRows = <Row extends { readonly id: string }>(
  reads: PinnedReads,
  { isWanted, order, where, ...common }: EntityRequest<Row>
): OrderedRows<Row, DexSourceError> => ({
  value: order.value,
  id: ({ id }) => id,
  compareTies: compareIds,
  run: ({ id }) => id,
  ...(isWanted === undefined ? {} : { isWanted }),
  page: ({ first, past, skip }) =>
    reads.collection({
      ...common,
      where:
        past === undefined ? where : { ...where, [`${order.field}_${order.direction === "asc" ? "gt" : "lt"}`]: past },
      orderBy: order.field,
      direction: order.direction,
      first,
      skip
    }),
  ties: ({ afterId, first, value }) =>
    reads.collection({
      ...common,
      where: { ...where, [order.field]: value, ...(afterId === undefined ? {} : { id_gt: afterId }) },
      orderBy: "id",
      direction: "asc",
      first,
      skip: 0
    })
})

const defaultOrder = { field: "totalValueLockedUSD", direction: "desc" } as const

const anything: TextFilter = { where: {}, isExact: true }

/** Tokens in order. A filter by text may leave candidates, which are compared in full. */
export const readTokens = Effect.fnUntraced(function* ({ reads, schema }: Context, query: TokenQuery) {
  yield* schema.require("Token", requiredFields.Token)
  const { direction, field } = Option.getOrElse(query.order, () => defaultOrder)
  const toFilter = (name: "symbol" | "name") =>
    Option.match(query[name], {
      onNone: () => anything,
      onSome: (text) => textFilter(name, text, schema.hasFilter)
    })
  const isSame = (text: Option.Option<string>, value: string): boolean =>
    Option.isNone(text) || isSameText(text.value, value)
  const [symbols, names] = [toFilter("symbol"), toFilter("name")]
  const request: EntityRequest<typeof TokenRecord.Type> = {
    entity: "Token",
    selection: tokenSelection,
    answer: tokenAnswer,
    where: {
      ...(Option.isSome(query.id) ? { id: query.id.value.toLowerCase() } : {}),
      ...symbols.where,
      ...names.where
    },
    order: { field: subgraphName(field), direction, value: (row) => row[field] },
    ...(symbols.isExact && names.isExact
      ? {}
      : { isWanted: (row) => isSame(query.symbol, row.symbol) && isSame(query.name, row.name) })
  }
  return yield* readWindow(orderedRows(reads, request), query)
})

type PoolRequest = EntityRequest<typeof PoolRecord.Type>

/** The first group, starting at `skip`, then the second one. */
const readBehind = Effect.fnUntraced(function* (
  reads: PinnedReads,
  [first, second]: readonly [PoolRequest, PoolRequest],
  { limit, skip }: PoolQuery
) {
  const need = skip + limit
  const begun = yield* readWindow(orderedRows(reads, first), { limit: need, skip: 0 })
  if (begun.length >= need) return begun.slice(skip)
  const rest = yield* readWindow(orderedRows(reads, second), { limit: need - begun.length, skip: 0 })
  return [...begun, ...rest].slice(skip)
})

/** By tick, the pools without one sort below all others, as in our own index; subgraph servers differ here. */
const readByTick = (reads: PinnedReads, request: PoolRequest, query: PoolQuery) => {
  const initialized: PoolRequest = { ...request, where: { ...request.where, tick_not: null } }
  const byId: PoolRequest["order"] = { field: "id", direction: "asc", value: ({ id }) => id }
  const others: PoolRequest = { ...request, where: { ...request.where, tick: null }, order: byId }
  const groups = request.order.direction === "asc" ? ([others, initialized] as const) : ([initialized, others] as const)
  return readBehind(reads, groups, query)
}

/** Pools in order, with their tokens. */
export const readPools = Effect.fnUntraced(function* ({ reads, schema }: Context, query: PoolQuery) {
  yield* schema.require("Token", requiredFields.Token)
  const { direction, field } = Option.getOrElse(query.order, () => defaultOrder)
  // A field that the schema may lack cannot be sorted by upstream.
  yield* schema.require("Pool", [...requiredFields.Pool, field])
  const request: PoolRequest = {
    entity: "Pool",
    selection: poolSelection((name) => schema.has("Pool", name)),
    answer: poolAnswer,
    where: Option.isSome(query.id) ? { id: query.id.value.toLowerCase() } : {},
    order: {
      field,
      direction,
      value: (row) => (field === "token0" || field === "token1" ? row[field].id : row[field])
    }
  }
  return field === "tick"
    ? yield* readByTick(reads, request, query)
    : yield* readWindow(orderedRows(reads, request), query)
})
