import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** By the event that the recording writes once it considers the trades of a gap lost. */
export const isUnfillable = (sql: SqlClient.SqlClient, series: number, sequence: number) =>
  Effect.map(
    sql`select 1 from tape_event where series = ${series}::int and kind = 'unfillable'
        and to_sequence >= ${sequence}::bigint and from_sequence <= ${sequence}::bigint limit 1`,
    (found) => found.length > 0
  )
