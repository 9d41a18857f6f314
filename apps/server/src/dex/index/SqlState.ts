import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { IndexedState } from "./IndexedBlock.ts"
import { poolColumns, poolPlaceColumns, selected, tokenColumns, totalsColumns } from "./SqlColumns.ts"
import { decodeIndexedDeployments, decodeIndexedPools, decodeTokens, restoredToken } from "./SqlRecords.ts"
import { open, poolTable, tokenTable } from "./SqlVersions.ts"

/** Everything that is valid at the checkpoint. */
export const readState = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number) {
  // Every live version lies in the newest epoch.
  const live = (entity: string) =>
    sql`deployment = ${deployment} and valid_to = ${open} and epoch =
      (select max(start) from dex_epoch where deployment = ${deployment} and entity = ${entity})`
  const totals = yield* Effect.flatMap(
    sql`select ${sql.literal(selected(totalsColumns))} from dex_totals
      where deployment = ${deployment} order by valid_from desc limit 1`,
    decodeIndexedDeployments
  )
  const tokens = yield* Effect.flatMap(
    sql`select ${sql.literal(selected(tokenColumns))} from dex_token where ${live(tokenTable.name)} order by id`,
    decodeTokens
  )
  const pools = yield* Effect.flatMap(
    sql`select ${sql.literal(selected({ ...poolColumns, ...poolPlaceColumns }))} from dex_pool
      where ${live(poolTable.name)} order by dex_pool.created_at_block_number, dex_pool.created_at_log_index`,
    decodeIndexedPools
  )
  return {
    deployment: totals[0],
    tokens: tokens.map(restoredToken),
    pools: pools.map((row) => ({ ...row, createdAtLogIndex: Number(row.createdAtLogIndex) }))
  } satisfies IndexedState
})
