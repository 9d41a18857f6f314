import { Deferred, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** Locks a table until `end`, so that every statement on it takes as long as that. Returns the fiber of the lock. */
export const lockTable = Effect.fnUntraced(function* (table: string, end: Deferred.Deferred<void>) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const lock = sql`lock table ${sql(table)} in access exclusive mode`
  const held = Effect.andThen(lock, Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(end)))
  const session = yield* Effect.forkChild(sql.withTransaction(held))
  yield* Deferred.await(locked)
  return session
})

/** Waits until this many statements wait for a lock. */
export const untilWaiting = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row?.waiting
  }).pipe(Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (waiting) => waiting === count }))
