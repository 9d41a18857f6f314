import { Effect, Option, Schema, Struct } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { StoreError } from "../../../internal/StoreError.ts"
import type { TradeOrderField, TradeQuery, TradeScope } from "../../DexQueries.ts"
import type { TradeKind, TradeReads, TradeRows } from "../../DexSource.ts"
import { columnsByKind, toSelectColumns } from "../store/SqlColumns.ts"
import type { SqlColumn } from "../store/SqlColumns.ts"
import type { SqlSnapshot } from "./SqlSnapshot.ts"
import { tokensById } from "./SqlVersionReads.ts"

/** The fields of a trade, and the tokens of its pool, which the trade's row repeats. */
const toRow = <Field extends string>(columns: { readonly [K in Field]: SqlColumn }) =>
  Schema.Struct(Struct.Record(["id", "token0", "token1", ...Struct.keys(columns)], Schema.String))

const Burn = toRow(Struct.omit(columnsByKind.burn, ["pool"]))
const Mint = toRow(Struct.omit(columnsByKind.mint, ["pool"]))

/** A swap. */
export const Swap = toRow(Struct.omit(columnsByKind.swap, ["pool"]))

const decodeBurns = decodeRows(Burn)
const decodeMints = decodeRows(Mint)
const decodeSwaps = decodeRows(Swap)

/**
 * Block times never decrease (a rule of consensus), so the order by time is the order of blocks, and one index serves
 * both the newest trades and a time window.
 */
const newestFirst = "dex_trade.timestamp desc, dex_trade.block_number desc, dex_trade.log_index desc"

const toOrder = (kind: TradeKind, { order }: TradeQuery): string => {
  if (Option.isNone(order)) return newestFirst
  const { direction, field } = order.value
  if (field === "id") return `dex_trade.transaction_id ${direction}, dex_trade.log_index ${direction}`
  const columns: Partial<Record<TradeOrderField, SqlColumn>> = columnsByKind[kind]
  const column = columns[field]
  if (column === undefined) return newestFirst
  return `dex_trade.${column.name} ${direction}, dex_trade.transaction_id, dex_trade.log_index`
}

const within = (sql: SqlClient.SqlClient, scope: TradeScope) => {
  if ("pool" in scope) return sql`pool = ${scope.pool}`
  return scope.side === 0 ? sql`token0 = ${scope.token}` : sql`token1 = ${scope.token}`
}

const tradePage = (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  kind: TradeKind,
  scope: TradeScope,
  query: TradeQuery
) => {
  const columns = Struct.omit(columnsByKind[kind], ["pool"])
  const by = sql.literal(toOrder(kind, query))
  const from = Option.getOrElse(query.from, () => 0)
  const to = Math.min(
    Option.getOrElse(query.to, () => snapshot.timestamp),
    snapshot.timestamp
  )
  return sql`select transaction_id || '#' || log_index as id, token0, token1, ${sql.literal(toSelectColumns(columns))} from (
      select block_number as page_block, log_index as page_log from dex_trade
      where deployment = ${snapshot.deployment} and ${within(sql, scope)} and kind = ${kind}
        and timestamp between ${from}::bigint and ${to}::bigint and block_number <= ${snapshot.block}
      order by ${by} limit ${query.limit}::bigint offset ${query.skip}::bigint
    ) as page
    join dex_trade on deployment = ${snapshot.deployment} and block_number = page_block and log_index = page_log
    order by ${by}`
}

/** The columns read with a trade, and the pool fields shown with it. */
const sides = ["token0", "token1"] as const

interface Sides {
  readonly token0: string
  readonly token1: string
}

/** The pool fields shown with each of these trades. */
export const getTradePools = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  snapshot: SqlSnapshot,
  trades: ReadonlyArray<Sides>
) {
  const tokens = yield* tokensById(sql, snapshot, [
    ...new Set(trades.flatMap(({ token0, token1 }) => [token0, token1]))
  ])
  const toTradeToken = (id: string) => ({
    id,
    name: tokens.get(id)?.name ?? "",
    symbol: tokens.get(id)?.symbol ?? ""
  })
  return ({ token0, token1 }: Sides) => ({ token0: toTradeToken(token0), token1: toTradeToken(token1) })
})

/** The trades of a scope as of a block. */
export const sqlTradeReads = (sql: SqlClient.SqlClient, snapshot: SqlSnapshot): TradeReads<StoreError> => {
  const reads = <Kind extends TradeKind, Row extends Sides>(
    kind: Kind,
    decode: (page: ReturnType<typeof tradePage>) => Effect.Effect<ReadonlyArray<Row>, StoreError>,
    answer: (row: Row, pool: TradeRows[Kind]["pool"]) => TradeRows[Kind]
  ) =>
    Effect.fnUntraced(function* (scope: TradeScope, query: TradeQuery) {
      const rows = yield* decode(tradePage(sql, snapshot, kind, scope, query))
      const toPool = yield* getTradePools(sql, snapshot, rows)
      return rows.map((row) => answer(row, toPool(row)))
    })
  return {
    burn: reads("burn", decodeBurns, (burn, pool) => ({ ...Struct.omit(burn, sides), pool })),
    mint: reads("mint", decodeMints, (mint, pool) => ({ ...Struct.omit(mint, sides), pool })),
    swap: reads("swap", decodeSwaps, (swap, pool) => ({ ...Struct.omit(swap, sides), pool }))
  }
}
