import { Effect, Option, Order } from "effect"
import type { TradeOrderField, TradeQuery, TradeScope } from "../../DexQueries.ts"
import type { DexSourceError } from "../../DexSource.ts"
import { readLocallySorted } from "./LocalSort.ts"
import { orderedReads } from "./OrderedReads.ts"
import { readWindow } from "./OrderedRows.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import type { Collection, Where } from "./PinnedReads.ts"
import type { SortKey } from "./SortKey.ts"
import type { SubgraphContext } from "./SubgraphReader.ts"
import type { SubgraphSchema } from "./SubgraphSchema.ts"

/** The fields of a record that its order needs. */
interface Traded {
  readonly id: string
  readonly logIndex: string
  readonly timestamp: string
  readonly pool: { readonly id: string }
  readonly transaction: { readonly id: string; readonly blockNumber: string }
}

/** How a schema stores the trades of a kind. */
export interface TradeTable<Row extends Traded> extends Collection<Row> {
  /** The record's field with the pool. */
  readonly poolField: "pool" | "pair"
  readonly required: ReadonlyArray<string>
  /** Undefined for a field that the kind does not have. */
  readonly sortKey: (field: TradeOrderField) => SortKey<Row> | undefined
}

/** Selects the pool and the transaction of a trade. */
export const getTradeReferences = (poolField: "pool" | "pair"): string =>
  `${poolField === "pool" ? "pool" : `pool: ${poolField}`} { id token0 { name id symbol } token1 { name id symbol } } ` +
  "transaction { id blockNumber }"

const byId = (a: Traded, b: Traded): number =>
  Order.String(a.transaction.id, b.transaction.id) || Number(a.logIndex) - Number(b.logIndex)

const newestFirst = (a: Traded, b: Traded): number =>
  Number(b.transaction.blockNumber) - Number(a.transaction.blockNumber) || Number(b.logIndex) - Number(a.logIndex)

type TradeSequence<Row> = Pick<OrderedRows<Row, never>, "value" | "compareTies" | "run"> & {
  /** The subgraph's field; ids begin with the transaction's hash, so the transaction stands for the id. */
  readonly field: string
  readonly direction: "asc" | "desc"
}

const getHash = (row: Traded): string => row.transaction.id

const toIdSequence = (direction: "asc" | "desc"): TradeSequence<Traded> => ({
  field: "transaction",
  direction,
  value: getHash,
  compareTies: direction === "asc" ? byId : (a, b) => byId(b, a),
  run: getHash
})

/** Blocks of one second are distinguished here: a trade has no block number to sort by. */
const newest: TradeSequence<Traded> = {
  field: "timestamp",
  direction: "desc",
  value: ({ timestamp }) => timestamp,
  compareTies: newestFirst,
  run: () => ""
}

const toKey = <Row extends Traded>(
  { poolField, sortKey }: TradeTable<Row>,
  field: TradeOrderField
): SortKey<Row> | undefined => {
  if (field === "transactionId") return { by: "field", field: "transaction", value: getHash }
  if (field === "pool") return { by: "field", field: poolField, value: (row) => row.pool.id }
  return sortKey(field)
}

const findScope = <Row extends Traded>(
  { entity, poolField }: TradeTable<Row>,
  scope: TradeScope,
  schema: SubgraphSchema
): Where => {
  if ("pool" in scope) return { [poolField]: scope.pool.toLowerCase() }
  const side = scope.side === 0 ? "token0" : "token1"
  const token = scope.token.toLowerCase()
  // Older schemas have the tokens on the pool only.
  return schema.has(entity, side) ? { [side]: token } : { [`${poolField}_`]: { [side]: token } }
}

const toWhere = <Row extends Traded>(
  table: TradeTable<Row>,
  scope: TradeScope,
  { from, to }: TradeQuery,
  schema: SubgraphSchema
): Where => ({
  ...findScope(table, scope, schema),
  ...(Option.isSome(from) ? { timestamp_gte: String(from.value) } : {}),
  ...(Option.isSome(to) ? { timestamp_lte: String(to.value) } : {})
})

/** Trades of a kind, as the schema stores them. */
export const readTrades = Effect.fnUntraced(function* <Row extends Traded>(
  { endpoint, reads, schema }: SubgraphContext,
  table: TradeTable<Row>,
  scope: TradeScope,
  query: TradeQuery
) {
  const { entity } = table
  yield* schema.require(entity, table.required)
  const where = toWhere(table, scope, query, schema)
  const toRows = ({ direction, field, ...order }: TradeSequence<Row>): OrderedRows<Row, DexSourceError> => ({
    ...order,
    id: (row) => row.id,
    ...orderedReads(reads, table, where, { direction, field })
  })
  const { direction, field } = Option.getOrElse(query.order, () => ({ direction: "desc", field: "timestamp" }) as const)
  if (Option.isNone(query.order)) return yield* readWindow(toRows(newest), query)
  if (field === "id") return yield* readWindow(toRows(toIdSequence(direction)), query)
  const key = toKey(table, field)
  switch (key?.by) {
    case undefined:
      return yield* readWindow(toRows(newest), query)
    case "constant":
      return yield* readWindow(toRows(toIdSequence("asc")), query)
    case "field":
      return yield* readWindow(toRows({ ...key, direction, compareTies: byId, run: getHash }), query)
    case "unknown":
      return yield* schema.lacks(entity, field)
    case "derived": {
      const rows = toRows({ ...toIdSequence("asc"), field: "id" })
      return yield* readLocallySorted(endpoint, rows, { entity, field, direction, value: key.value }, query)
    }
  }
})
