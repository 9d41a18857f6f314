import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { IndexedBlock } from "../IndexedBlock.ts"

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
