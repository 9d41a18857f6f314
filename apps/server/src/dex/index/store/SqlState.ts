import { Effect, Record, Schema, Struct } from "effect"
import type { SqlClient } from "effect/sql"
import { decodeRows } from "../../../internal/sql/decodeRows.ts"
import type { IndexedPool, IndexedState } from "../IndexedBlock.ts"
import {
  poolColumns,
  poolOrderColumns,
  toSelectColumns,
  simulationColumns,
  tokenColumns,
  totalsColumns,
  decodeIndexedDeployment,
  decodeIndexedPools,
  decodeTokens,
  decodeTokenText
} from "./SqlColumns.ts"
import { poolTable, tokenTable } from "./SqlVersions.ts"

type PoolRecord = Effect.Success<ReturnType<typeof decodeIndexedPools>>[number]

const decodeTicks = decodeRows(
  Schema.Struct({ pool: Schema.String, tick: Schema.Int, gross: Schema.String, net: Schema.String })
)

const simulationFields = Struct.keys(simulationColumns)

const restorePool = ({ createdAtLogIndex, ...record }: PoolRecord): IndexedPool => ({
  ...Struct.omit(record, simulationFields),
  createdAtLogIndex: Number(createdAtLogIndex),
  simulation: record.tickSpacing === "" ? undefined : Record.map(Struct.pick(record, simulationFields), Number)
})

/** Everything that is valid at a block. */
export const readState = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, deployment: number, block: number) {
  // Every version that is valid at the block lies in the epoch of the block.
  const valid = (entity: string) =>
    sql`deployment = ${deployment} and valid_from <= ${block} and valid_to > ${block} and epoch =
      (select max(start) from dex_epoch where deployment = ${deployment} and entity = ${entity} and start <= ${block})`
  const totals =
    yield* decodeIndexedDeployment(sql`select ${sql.literal(toSelectColumns(totalsColumns))} from dex_totals
    where deployment = ${deployment} and valid_from <= ${block} order by valid_from desc limit 1`)
  const tokens = yield* decodeTokens(
    sql`select ${sql.literal(toSelectColumns(tokenColumns))} from dex_token where ${valid(tokenTable.name)} order by id`
  )
  const columns = { ...poolColumns, ...poolOrderColumns, ...simulationColumns }
  const pools = yield* decodeIndexedPools(sql`select ${sql.literal(toSelectColumns(columns))} from dex_pool
    where ${valid(poolTable.name)} order by dex_pool.created_at_block_number, dex_pool.created_at_log_index`)
  const ticks = yield* decodeTicks(sql`with change as materialized (
        select pool, tick_lower, tick_upper, case kind when 'mint' then amount else -amount end as amount from dex_trade
        where deployment = ${deployment} and tick_lower is not null and tick_lower <> tick_upper
          and block_number <= ${block}
      ), bound as (
        select pool, tick_lower as tick, amount as gross, amount as net from change
        union all select pool, tick_upper, amount, -amount from change
      )
      select pool, tick, sum(gross)::text as gross, sum(net)::text as net from bound
      group by pool, tick having sum(gross) <> 0 order by pool, tick`)
  return {
    deployment: totals,
    tokens: tokens.map(decodeTokenText),
    pools: pools.map(restorePool),
    ticks
  } satisfies IndexedState
})
