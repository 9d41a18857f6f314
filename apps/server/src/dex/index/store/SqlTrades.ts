import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { IndexedBlock, IndexedTrade } from "../IndexedBlock.ts"
import { columnsByKind, pairPriceColumns, toInsertColumns, tickRangeColumns } from "./SqlColumns.ts"
import type { SqlColumn } from "./SqlColumns.ts"
import { currentVersion, toPieces } from "./SqlVersions.ts"

const fields = toInsertColumns({
  ...columnsByKind.burn,
  ...columnsByKind.mint,
  ...columnsByKind.swap,
  ...tickRangeColumns,
  ...pairPriceColumns,
  kind: { name: "kind", type: "text" },
  blockNumber: { name: "block_number", type: "int" },
  token0: { name: "token0", type: "text" },
  token1: { name: "token1", type: "text" }
} satisfies Record<string, SqlColumn>)

interface Sides {
  readonly token0: string
  readonly token1: string
}

const SidesRow = Schema.Struct({ id: Schema.String, token0: Schema.String, token1: Schema.String })
const decodeSides = decodeRows(SidesRow)

const toStoredTrade = ({ row, ...trade }: IndexedTrade, blockNumber: number, sides: Sides | undefined) => ({
  ...row,
  ...("sqrtPriceX96" in row && row.sqrtPriceX96 === "" ? { sqrtPriceX96: null } : {}),
  ...trade,
  blockNumber,
  token0: sides?.token0,
  token1: sides?.token1
})

/** The tokens of the pools in which the blocks trade, read from the table for pools that the blocks do not change. */
const readPoolTokens = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const known = new Map<string, Sides>(blocks.flatMap(({ pools }) => pools.map((pool) => [pool.id, pool] as const)))
  const traded = new Set(blocks.flatMap(({ trades }) => trades.map(({ row }) => row.pool)))
  const unknown = [...traded].filter((pool) => !known.has(pool))
  if (unknown.length === 0) return known
  const rows = yield* decodeSides(sql`select id, token0, token1 from dex_pool
      where deployment = ${deployment} and id = any(${unknown}::text[]) and valid_to = ${currentVersion}`)
  for (const row of rows) known.set(row.id, row)
  return known
})

/** Writes the trades of blocks whose pools are already written. */
export const appendTrades = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) {
  const sides = yield* readPoolTokens(sql, deployment, blocks)
  const rows = blocks.flatMap(({ number, trades }) =>
    trades.map((trade) => toStoredTrade(trade, number, sides.get(trade.row.pool)))
  )
  for (const piece of toPieces(rows)) {
    yield* sql`insert into dex_trade (deployment, ${sql.literal(fields.columns)})
      select ${deployment}::int, ${sql.literal(fields.values)}
      from json_to_recordset(${JSON.stringify(piece)}::text::json) as r(${sql.literal(fields.type)})
      on conflict (deployment, block_number, log_index) do nothing`
  }
})

/** Writes the initial prices of the pools of blocks. */
export const appendInitialPrices = (
  sql: SqlClient.SqlClient,
  deployment: number,
  blocks: ReadonlyArray<IndexedBlock>
) => {
  const rows = blocks.flatMap(({ initialPrices, number }) =>
    initialPrices.map((price) => ({
      ...price,
      sqrtPrice: price.sqrtPrice === "" ? null : price.sqrtPrice,
      number
    }))
  )
  if (rows.length === 0) return Effect.void
  return sql`insert into dex_initial_price (deployment, pool, block_number, sqrt_price, price)
    select ${deployment}::int, pool, number, "sqrtPrice", price
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(pool text, number int, "sqrtPrice" numeric, price numeric)`
}
