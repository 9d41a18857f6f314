import { DateTime, Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { dayMs } from "../../../internal/day.ts"
import { limitLockWaits } from "../../../store/LockTimeout.ts"

/** Days since 1970 in UTC. */
export const getDay = (time: number): number => Math.floor(time / dayMs)

/** Unix milliseconds. */
export const startOfDay = (day: number): number => day * dayMs

/** Milliseconds. Attaching a day waits for maintenance of the table, such as a vacuum. */
const maxLockWaitMs = 10_000

const prefix = "tape_trade_"

/** The table that holds the trades of a day. */
export const toTable = (day: number): string =>
  prefix + DateTime.formatIsoDateUtc(DateTime.makeUnsafe(startOfDay(day))).replaceAll("-", "")

const decodeExistence = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ exists: Schema.Boolean })]))
const decodeNames = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ name: Schema.String.check(Schema.isPattern(/^tape_trade_\d{8}$/)) }))
)

// Attaching a table blocks neither reads nor writes of other days, unlike creating it as a partition.
const make = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, day: number) {
  const table = toTable(day)
  yield* limitLockWaits(sql, maxLockWaitMs)
  yield* sql`select pg_advisory_xact_lock(hashtext('tape_trade'))::text`
  const [{ exists }] = yield* Effect.flatMap(sql`select to_regclass(${table}) is not null as exists`, decodeExistence)
  if (exists) return
  yield* sql`create table ${sql(table)} (like tape_trade including all)`
  yield* sql`alter table tape_trade attach partition ${sql(table)}
    for values from (${sql.literal(String(startOfDay(day)))}) to (${sql.literal(String(startOfDay(day + 1)))})`
})

/** Creates the missing tables for these times (Unix ms). */
export const makeDays = (sql: SqlClient.SqlClient) => {
  const known = new Set<number>()
  return {
    forget: Effect.sync(() => known.clear()),
    ensure: Effect.fnUntraced(function* (times: ReadonlyArray<number>) {
      for (const day of new Set(times.map(getDay))) {
        if (known.has(day)) continue
        yield* sql.withTransaction(make(sql, day))
        known.add(day)
      }
    })
  }
}

/** The days with a table, ascending. */
export const storedDays = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    sql`select relname as name from pg_class join pg_inherits on pg_class.oid = inhrelid
      where inhparent = 'tape_trade'::regclass order by relname`,
    decodeNames
  ).pipe(
    Effect.map((rows) =>
      rows.map(({ name }) =>
        getDay(Date.UTC(Number(name.slice(prefix.length, -4)), Number(name.slice(-4, -2)) - 1, Number(name.slice(-2))))
      )
    )
  )
