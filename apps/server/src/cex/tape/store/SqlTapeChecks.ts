import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Position } from "../ledger/Coverage.ts"

export const hasTrade = (sql: SqlClient.SqlClient, series: number, { sequence, timestamp }: Position) =>
  Effect.map(
    sql`select 1 from tape_trade where series = ${series}::int
        and timestamp = ${timestamp}::bigint and sequence = ${sequence}::bigint limit 1`,
    (found) => found.length > 0
  )

/** By the event that the recording writes once it considers the trades of a gap lost. */
export const isUnfillable = (sql: SqlClient.SqlClient, series: number, sequence: number) =>
  Effect.map(
    sql`select 1 from tape_event where series = ${series}::int and kind = 'unfillable'
        and to_sequence >= ${sequence}::bigint and from_sequence <= ${sequence}::bigint limit 1`,
    (found) => found.length > 0
  )
