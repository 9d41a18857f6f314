import { Effect, Option, Order as Ordering } from "effect"
import type { Order, Page, PoolOrderField, TokenOrderField, TokenQuery } from "../../DexQueries.ts"
import type { DexSourceError } from "../../DexSource.ts"
import { readLocallySorted } from "./LocalSort.ts"
import { orderedReads } from "./OrderedReads.ts"
import { readWindow } from "./OrderedRows.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import { inIdOrder } from "./PinnedReads.ts"
import type { Collection, PinnedReads, Where } from "./PinnedReads.ts"
import type { SortKey } from "./SortKey.ts"
import type { SubgraphContext } from "./SubgraphReader.ts"
import { isSameText, textFilter } from "./TextFilter.ts"
import type { TextFilter } from "./TextFilter.ts"

type Identified = { readonly id: string }

/** How a schema stores tokens or pools. */
export interface EntityTable<Row extends Identified, Field extends string> extends Collection<Row> {
  readonly sortKey: (field: Field) => SortKey<Row>
}

/** Tables of pools and tokens have this field in common, by which they are sorted unless the query says otherwise. */
export const getOrder = <Field extends TokenOrderField | PoolOrderField>(
  order: Option.Option<Order<Field>>
): Order<Field | "totalValueLockedUSD"> =>
  Option.getOrElse(order, () => ({ field: "totalValueLockedUSD", direction: "desc" }) as const)

export interface EntityRequest<Row extends Identified> extends Collection<Row> {
  readonly where: Where
  readonly order: {
    readonly field: string
    readonly direction: "asc" | "desc"
    readonly value: (row: Row) => string
  }
  readonly isWanted?: (row: Row) => boolean
}

export const orderedRows = <Row extends Identified>(
  reads: PinnedReads,
  { isWanted, order, where, ...collection }: EntityRequest<Row>
): OrderedRows<Row, DexSourceError> => ({
  value: order.value,
  id: ({ id }) => id,
  compareTies: (a, b) => Ordering.String(a.id, b.id),
  run: ({ id }) => id,
  ...(isWanted === undefined ? {} : { isWanted }),
  ...orderedReads(reads, collection, where, order)
})

/** The order of rows that all have the same value. */
const byId = { field: "id", direction: "asc", value: ({ id }: Identified) => id } as const

interface EntityFilter<Row> {
  readonly where: Where
  readonly isWanted?: (row: Row) => boolean
}

/** Rows in order. */
export const readEntities = Effect.fnUntraced(function* <Row extends Identified, Field extends string>(
  context: SubgraphContext,
  table: EntityTable<Row, Field>,
  filter: EntityFilter<Row>,
  query: Page & Order<Field>
) {
  const key = table.sortKey(query.field)
  if (key.by === "unknown") return yield* context.schema.lacks(table.entity, query.field)
  const order = key.by === "field" ? { ...key, direction: query.direction } : byId
  const rows = orderedRows<Row>(context.reads, { ...table, ...filter, order })
  return key.by === "derived"
    ? yield* readLocallySorted(context.endpoint, rows, { ...query, entity: table.entity, value: key.value }, query)
    : yield* readWindow(rows, query)
})

const anything: TextFilter = { where: {}, isExact: true }

/** A filter by text may leave candidates, which are compared in full. */
export const toTokenFilter = <Row extends { readonly symbol: string; readonly name: string }>(
  { schema }: SubgraphContext,
  query: TokenQuery
): EntityFilter<Row> => {
  const toFilter = (name: "symbol" | "name") =>
    Option.match(query[name], {
      onNone: () => anything,
      onSome: (text) => textFilter(name, text, schema.hasFilter)
    })
  const isSame = (text: Option.Option<string>, value: string): boolean =>
    Option.isNone(text) || isSameText(text.value, value)
  const [symbols, names] = [toFilter("symbol"), toFilter("name")]
  return {
    where: { ...toIdFilter(query), ...symbols.where, ...names.where },
    ...(symbols.isExact && names.isExact
      ? {}
      : { isWanted: (row) => isSame(query.symbol, row.symbol) && isSame(query.name, row.name) })
  }
}

export const toIdFilter = ({ id }: { readonly id: Option.Option<string> }): Where =>
  Option.isSome(id) ? { id: id.value.toLowerCase() } : {}

/** The only factory; none before the first pool. */
export const readFactory = Effect.fnUntraced(function* <Row extends Identified>(
  { endpoint, reads }: SubgraphContext,
  table: Collection<Row>
) {
  const [factory, another] = yield* reads.collection({
    ...table,
    where: {},
    ...inIdOrder,
    first: 2
  })
  if (another !== undefined) return yield* endpoint.failed("BadResponse", "describes more than one factory")
  return Option.fromUndefinedOr(factory)
})
