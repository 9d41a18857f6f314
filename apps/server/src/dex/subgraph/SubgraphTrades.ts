import { Effect, Option } from "effect"
import type { Schema } from "effect"
import type {
  BurnRow,
  DexSourceError,
  MintRow,
  SwapRow,
  TradeKind,
  TradeQuery,
  TradeRow,
  TradeRows,
  TradeScope
} from "../DexSource.ts"
import type { OrderedRows } from "./OrderedRows.ts"
import { readWindow } from "./OrderedRows.ts"
import { toAnswer } from "./PinnedReads.ts"
import type { CollectionAnswer, PinnedReads, Where } from "./PinnedReads.ts"
import { tradeFields, tradeSelection } from "./Selection.ts"
import { BurnRecord, MintRecord, SwapRecord } from "./SubgraphRecord.ts"
import type { SubgraphSchema } from "./SubgraphSchema.ts"

type Traded = typeof BurnRecord.Type | typeof MintRecord.Type | typeof SwapRecord.Type
type TradeEntity = "Burn" | "Mint" | "Swap"

const answers = { burn: toAnswer(BurnRecord), mint: toAnswer(MintRecord), swap: toAnswer(SwapRecord) }

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byId = (a: Traded, b: Traded): number =>
  compareText(a.transaction.id, b.transaction.id) || Number(a.logIndex) - Number(b.logIndex)

const newestFirst = (a: Traded, b: Traded): number =>
  Number(b.transaction.blockNumber) - Number(a.transaction.blockNumber) || Number(b.logIndex) - Number(a.logIndex)

interface TradeOrder {
  /** The subgraph's field; ids begin with the transaction's hash, so the id stands for it. */
  readonly field: string
  readonly direction: "asc" | "desc"
  readonly value: (row: Traded) => string
  readonly compareTies: (a: Traded, b: Traded) => number
  readonly run: (row: Traded) => string
}

const getHash = (row: Traded): string => row.transaction.id

const getText = (row: { readonly [field: string]: unknown }, field: string): string => {
  const value = row[field]
  return typeof value === "string" ? value : ""
}

const getOrder = (kind: TradeKind, { order }: TradeQuery): TradeOrder => {
  const { direction, field } = Option.getOrElse(order, () => ({ direction: "desc" as const, field: "newest" }))
  if (field === "id") {
    const compareTies = direction === "asc" ? byId : (a: Traded, b: Traded) => byId(b, a)
    return { field: "transaction", direction, value: getHash, compareTies, run: getHash }
  }
  const ties = { direction, compareTies: byId, run: getHash }
  if (field === "transactionId") return { ...ties, field: "transaction", value: getHash }
  if (field === "pool") return { ...ties, field: "pool", value: (row) => row.pool.id }
  const names: ReadonlyArray<string> = tradeFields[kind]
  if (names.includes(field)) return { ...ties, field, value: (row) => getText(row, field) }
  // Blocks of one second are distinguished here: a trade has no block number to sort by.
  return {
    field: "timestamp",
    direction: "desc",
    value: ({ timestamp }) => timestamp,
    compareTies: newestFirst,
    run: () => ""
  }
}

const findScope = (entity: TradeEntity, scope: TradeScope, schema: SubgraphSchema): Where => {
  if ("pool" in scope) return { pool: scope.pool.toLowerCase() }
  const side = scope.side === 0 ? "token0" : "token1"
  const token = scope.token.toLowerCase()
  // Older schemas have the tokens on the pool only.
  return schema.has(entity, side) ? { [side]: token } : { pool_: { [side]: token } }
}

const toWhere = (entity: TradeEntity, scope: TradeScope, { from, to }: TradeQuery, schema: SubgraphSchema): Where => ({
  ...findScope(entity, scope, schema),
  ...(Option.isSome(from) ? { timestamp_gte: String(from.value) } : {}),
  ...(Option.isSome(to) ? { timestamp_lte: String(to.value) } : {})
})

const readTrades = Effect.fnUntraced(function* <Row extends Traded>(
  kind: TradeKind,
  entity: TradeEntity,
  answer: Schema.ConstraintDecoder<CollectionAnswer<Row>>,
  context: { readonly reads: PinnedReads; readonly schema: SubgraphSchema },
  scope: TradeScope,
  query: TradeQuery
) {
  const { reads, schema } = context
  yield* schema.require(entity, [...tradeFields[kind], "pool", "transaction"])
  const { direction, field, ...order } = getOrder(kind, query)
  const where = toWhere(entity, scope, query, schema)
  const common = { entity, selection: tradeSelection(kind), answer }
  const past = direction === "asc" ? `${field}_gt` : `${field}_lt`
  const rows: OrderedRows<Row, DexSourceError> = {
    ...order,
    id: (row) => row.id,
    page: ({ first, past: value, skip }) =>
      reads.collection({
        ...common,
        where: value === undefined ? where : { ...where, [past]: value },
        orderBy: field,
        direction,
        first,
        skip
      }),
    ties: ({ afterId, first, value }) =>
      reads.collection({
        ...common,
        where: { ...where, [field]: value, ...(afterId === undefined ? {} : { id_gt: afterId }) },
        orderBy: "id",
        direction: "asc",
        first,
        skip: 0
      })
  }
  return yield* readWindow(rows, query)
})

const toTrade = ({ pool, transaction, ...row }: Traded): TradeRow => ({
  id: `${transaction.id}#${row.logIndex}`,
  amount0: row.amount0,
  amount1: row.amount1,
  amountUSD: row.amountUSD,
  logIndex: row.logIndex,
  origin: row.origin,
  timestamp: row.timestamp,
  pool: { token0: pool.token0, token1: pool.token1 },
  transactionId: transaction.id
})

const toBurn = (row: typeof BurnRecord.Type): BurnRow => ({ ...toTrade(row), amount: row.amount, owner: row.owner })

const toMint = (row: typeof MintRecord.Type): MintRow => ({
  ...toTrade(row),
  amount: row.amount,
  owner: row.owner,
  sender: row.sender
})

const toSwap = (row: typeof SwapRecord.Type): SwapRow => ({
  ...toTrade(row),
  sender: row.sender,
  recipient: row.recipient,
  sqrtPriceX96: row.sqrtPriceX96
})

export type TradeReaders = {
  readonly [Kind in TradeKind]: (
    scope: TradeScope,
    query: TradeQuery
  ) => Effect.Effect<ReadonlyArray<TradeRows[Kind]>, DexSourceError>
}

/** Readers of the trades of each kind. */
export const tradeReaders = (context: {
  readonly reads: PinnedReads
  readonly schema: SubgraphSchema
}): TradeReaders => ({
  burn: (scope, query) =>
    Effect.map(readTrades("burn", "Burn", answers.burn, context, scope, query), (rows) => rows.map(toBurn)),
  mint: (scope, query) =>
    Effect.map(readTrades("mint", "Mint", answers.mint, context, scope, query), (rows) => rows.map(toMint)),
  swap: (scope, query) =>
    Effect.map(readTrades("swap", "Swap", answers.swap, context, scope, query), (rows) => rows.map(toSwap))
})
