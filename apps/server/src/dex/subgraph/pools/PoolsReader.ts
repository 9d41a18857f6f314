import { Effect } from "effect"
import type { PoolOrderField, PoolQuery, TokenOrderField } from "../../DexQueries.ts"
import type { TradeKind } from "../../DexSource.ts"
import { readWindow } from "../query/OrderedRows.ts"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { PinnedReads } from "../query/PinnedReads.ts"
import {
  getOrder,
  orderedRows,
  readEntities,
  readFactory,
  toIdFilter,
  toTokenFilter
} from "../query/SubgraphEntities.ts"
import type { EntityRequest, EntityTable } from "../query/SubgraphEntities.ts"
import type { SubgraphContext, SubgraphReader, TradeReaders } from "../query/SubgraphReader.ts"
import { BurnRecord, FactoryRecord, MintRecord, PoolRecord, SwapRecord, TokenRecord } from "../query/SubgraphRecord.ts"
import { readTrades } from "../query/SubgraphTrades.ts"
import type { TradeTable } from "../query/SubgraphTrades.ts"
import {
  getFactorySelection,
  getPoolSelection,
  getRequiredFields,
  getTokenSelection,
  getTradeSelection,
  toFieldName,
  tradeFields
} from "./Selection.ts"
import type { FieldName } from "./Selection.ts"
import { readTicks } from "./SubgraphTicks.ts"

const factoryResponse = toResponseSchema(FactoryRecord)
const tokenResponse = toResponseSchema(TokenRecord)
const poolResponse = toResponseSchema(PoolRecord)
const burnResponse = toResponseSchema(BurnRecord)
const mintResponse = toResponseSchema(MintRecord)
const swapResponse = toResponseSchema(SwapRecord)

type PoolRequest = EntityRequest<typeof PoolRecord.Type>

const toTokenTable = (toName: FieldName): EntityTable<typeof TokenRecord.Type, TokenOrderField> => ({
  entity: "Token",
  selection: getTokenSelection(toName),
  response: tokenResponse,
  sortKey: (field) => ({ by: "field", field: toName("Token", field), value: (row) => row[field] })
})

const toPoolTable = (
  toName: FieldName,
  has: (field: string) => boolean
): EntityTable<typeof PoolRecord.Type, PoolOrderField> => ({
  entity: "Pool",
  selection: getPoolSelection(toName, has),
  response: poolResponse,
  sortKey: (field) => {
    const name = toName("Pool", field)
    // Only the fee growth may be absent.
    if (!has(name)) return { by: "unknown" }
    return {
      by: "field",
      field: name,
      value: (row) => (field === "token0" || field === "token1" ? row[field].id : row[field])
    }
  }
})

/** The first group, starting at `skip`, then the second one. */
const readInTurn = Effect.fnUntraced(function* (
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
const readByTick = (
  reads: PinnedReads,
  table: EntityTable<typeof PoolRecord.Type, PoolOrderField>,
  direction: "asc" | "desc",
  query: PoolQuery
) => {
  const where = toIdFilter(query)
  const byTick: PoolRequest["order"] = { field: "tick", direction, value: ({ tick }) => tick }
  const byId: PoolRequest["order"] = { field: "id", direction: "asc", value: ({ id }) => id }
  const initialized: PoolRequest = { ...table, where: { ...where, tick_not: null }, order: byTick }
  const others: PoolRequest = { ...table, where: { ...where, tick: null }, order: byId }
  return readInTurn(reads, direction === "asc" ? [others, initialized] : [initialized, others], query)
}

const readPools = Effect.fnUntraced(function* (context: SubgraphContext, toName: FieldName, query: PoolQuery) {
  const { reads, schema } = context
  const required = getRequiredFields(toName)
  yield* schema.require("Token", required.Token)
  yield* schema.require("Pool", required.Pool)
  const table = toPoolTable(toName, (field) => schema.has("Pool", field))
  const order = getOrder(query.order)
  return order.field === "tick"
    ? yield* readByTick(reads, table, order.direction, query)
    : yield* readEntities(context, table, { where: toIdFilter(query) }, { ...query, ...order })
})

type Traded = typeof BurnRecord.Type | typeof MintRecord.Type | typeof SwapRecord.Type

const getText = (row: { readonly [field: string]: unknown }, field: string): string => {
  const value = row[field]
  return typeof value === "string" ? value : ""
}

const toTradeTable = <Row extends Traded>(
  kind: TradeKind,
  entity: TradeTable<Row>["entity"],
  response: TradeTable<Row>["response"],
  toName: FieldName
): TradeTable<Row> => {
  const names: ReadonlyArray<string> = tradeFields[kind]
  return {
    entity,
    response,
    poolField: "pool",
    required: [...names.map((field) => toName(entity, field)), "pool", "transaction"],
    selection: getTradeSelection(kind, (field) => toName(entity, field)),
    sortKey: (field) =>
      names.includes(field)
        ? { by: "field", field: toName(entity, field), value: (row) => getText(row, field) }
        : undefined
  }
}

const toTrade = <Row extends Traded>({ pool, transaction, ...row }: Row) => ({
  ...row,
  id: `${transaction.id}#${row.logIndex}`,
  pool: { token0: pool.token0, token1: pool.token1 },
  transactionId: transaction.id
})

/** Readers of the trades of each kind. */
const toTradeReaders = (context: SubgraphContext, toName: FieldName): TradeReaders => {
  const burns = toTradeTable("burn", "Burn", burnResponse, toName)
  const mints = toTradeTable("mint", "Mint", mintResponse, toName)
  const swaps = toTradeTable("swap", "Swap", swapResponse, toName)
  return {
    burn: (scope, query) => Effect.map(readTrades(context, burns, scope, query), (rows) => rows.map(toTrade)),
    mint: (scope, query) => Effect.map(readTrades(context, mints, scope, query), (rows) => rows.map(toTrade)),
    swap: (scope, query) => Effect.map(readTrades(context, swaps, scope, query), (rows) => rows.map(toTrade))
  }
}

/** Schemas with pools: that of Uniswap V3, and those of Algebra, which have other names for some fields. */
export const makePoolsReader = (context: SubgraphContext): SubgraphReader => {
  const { schema } = context
  const toName = toFieldName(schema)
  const required = getRequiredFields(toName)
  return {
    poolEntity: "Pool",
    deployment: Effect.andThen(
      schema.require("Factory", required.Factory),
      readFactory(context, { entity: "Factory", selection: getFactorySelection(toName), response: factoryResponse })
    ),
    tokens: (query) =>
      Effect.andThen(
        schema.require("Token", required.Token),
        readEntities(context, toTokenTable(toName), toTokenFilter(context, query), {
          ...query,
          ...getOrder(query.order)
        })
      ),
    pools: (query) => readPools(context, toName, query),
    trades: toTradeReaders(context, toName),
    ticks: (pool, page) => readTicks(context, pool, page)
  }
}
