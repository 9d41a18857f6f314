import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { withFence } from "../../../ownership/Lease.ts"
import { limitLockWaits } from "../../../store/LockTimeout.ts"
import { getDay, startOfDay, storedDays, toTable } from "./SqlTapeDays.ts"

const DroppedRow = Schema.Struct({ series: Schema.Int, trades: Schema.Int, newest: Schema.Int })
const decodeDropped = Schema.decodeUnknownEffect(Schema.Array(DroppedRow))
const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

/** Drops a series up to `newest`. Returns the number of dropped trades. */
const trim = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { newest, series, trades }: typeof DroppedRow.Type,
  before: number
) {
  const [{ count }] = yield* Effect.flatMap(
    sql`select coalesce(sum(least(to_sequence, ${newest}::bigint) - from_sequence + 1), 0)::float8 as count
      from tape_coverage where series = ${series}::int and from_sequence <= ${newest}::bigint`,
    decodeCount
  )
  // Trades of the next days whose sequence is nevertheless lower: the coverage cannot start with them.
  const astray = count - trades
  if (astray > 0) {
    yield* sql`delete from tape_trade where (series, timestamp, sequence) in (
      select series, timestamp, sequence from tape_trade
      where series = ${series}::int and timestamp >= ${before}::bigint and sequence <= ${newest}::bigint
      order by timestamp, sequence limit ${astray}::int
    ) and series = ${series}::int and timestamp >= ${before}::bigint`
  }
  yield* sql`delete from tape_coverage where series = ${series}::int and to_sequence <= ${newest}::bigint`
  yield* sql`update tape_coverage set from_sequence = ${newest + 1}::bigint, from_time = (
      select timestamp from tape_trade
      where series = ${series}::int and timestamp >= ${before}::bigint and sequence = ${newest + 1}::bigint
      order by timestamp limit 1
    ) where series = ${series}::int and from_sequence <= ${newest}::bigint`
  yield* sql`update tape_series set version = version + 1, dropped_before = greatest(dropped_before, ${before}::bigint)
    where id = ${series}::int`
  return count
})

/** Milliseconds. Writers and readers of the tape wait at most this long for a day that cannot be dropped. */
const maxLockWaitMs = 500

const dropDay = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, day: number) {
  yield* limitLockWaits(sql, maxLockWaitMs)
  const before = startOfDay(day + 1)
  // Writers wait here, before they touch the table to be dropped.
  yield* sql`select id from tape_series order by id for update`
  const dropped = yield* Effect.flatMap(
    sql`select series, count(*)::float8 as trades, max(sequence)::float8 as newest
      from ${sql(toTable(day))} group by series order by series`,
    decodeDropped
  )
  yield* sql`drop table ${sql(toTable(day))}`
  const counts = yield* Effect.forEach(dropped, (row) => trim(sql, row, before))
  return counts.reduce((sum, count) => sum + count, 0)
})

/** One transaction per day, the oldest first. Returns the number of dropped trades. */
export const dropBefore = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, time: number) {
  const end = getDay(time)
  let trades = 0
  for (const day of yield* storedDays(sql)) {
    if (day < end) trades += yield* withFence(sql, dropDay(sql, day))
  }
  yield* withFence(sql, sql`delete from tape_event where at < ${startOfDay(end)}::bigint`)
  return trades
})
