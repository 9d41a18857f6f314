import { Effect, Schedule, Schema } from "effect"
import { PersistenceError } from "effect/cluster/ClusterError"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import type { SqlClient } from "effect/sql"
import { makeFirstFailureWarning } from "../internal/log/firstFailure.ts"
import { monotonicMillis } from "../internal/monotonic.ts"
import { decodeOnlyRow, decodeRows } from "../internal/sql/decodeRows.ts"
import { heartbeatIntervalMs, heartbeatTimeoutMs, judgmentDelayMs, maxOwnSilenceMs, leaseDurationMs } from "./Timing.ts"

const decodeRunners = decodeRows(Schema.Struct({ runner: Schema.String }))
const decodeId = decodeOnlyRow(Schema.Struct({ id: Schema.Int }))

/**
 * The instances: those with a recent heartbeat in the store. The cluster's locks are always granted: the lease alone
 * decides who may write, and a lock lost to a slow response of the store would move work for nothing.
 */
export const makeHeartbeats = (sql: SqlClient.SqlClient, instance: string) => {
  let own: string | undefined
  let beatAt = Number.NEGATIVE_INFINITY
  let judgesFrom = Number.NEGATIVE_INFINITY
  let known: Array<readonly [string, boolean]> = []

  const write = Effect.fnUntraced(function* (runner: string) {
    const { id } = yield* decodeId(sql`insert into ownership_instance (name, runner, at)
      values (${instance}, ${runner}, clock_timestamp())
      on conflict (name) do update set runner = excluded.runner, at = excluded.at returning id`)
    const now = yield* monotonicMillis
    if (now - beatAt > maxOwnSilenceMs) judgesFrom = now + judgmentDelayMs
    beatAt = now
    return id
  })

  /**
   * After an outage of the store, or a pause of this process, every heartbeat is old. (If the machine slept, so did its
   * monotonic clock: work may then move for nothing until the others beat again.)
   */
  const isUncertain = Effect.map(
    monotonicMillis,
    (now) => known.length > 0 && (now < judgesFrom || now - beatAt > maxOwnSilenceMs)
  )

  const living = Effect.gen(function* () {
    if (yield* isUncertain) return known
    const rows = yield* decodeRunners(sql`select runner from ownership_instance
      where name = ${instance} or at > clock_timestamp() - ${leaseDurationMs}::int * interval '1 millisecond'`)
    // The store may have been silent between the query and its response: no instance is gone, and those read have joined.
    const gone = (yield* isUncertain) ? known.filter(([runner]) => !rows.some((row) => row.runner === runner)) : []
    known = [...rows.map(({ runner }) => [runner, true] as const), ...gone]
    return known
  })

  const storage = RunnerStorage.makeEncoded({
    getRunners: PersistenceError.refail(living),
    register: (_, runner) =>
      PersistenceError.refail(
        Effect.suspend(() => {
          own = runner
          return write(runner)
        })
      ),
    unregister: () =>
      PersistenceError.refail(
        Effect.suspend(() => {
          own = undefined
          return Effect.asVoid(
            sql`delete from ownership_instance where name = ${instance} or at < clock_timestamp() - interval '1 day'`
          )
        })
      ),
    setRunnerHealth: () => Effect.void,
    acquire: (_, shards) => Effect.succeed(shards),
    refresh: (_, shards) => Effect.succeed(shards),
    release: () => Effect.void,
    releaseAll: () => Effect.void
  })

  const warnOfFirst = makeFirstFailureWarning("The heartbeat cannot be written")
  const keepBeating: Effect.Effect<never> = Effect.suspend(() =>
    own === undefined ? Effect.void : write(own).pipe(Effect.timeout(heartbeatTimeoutMs), warnOfFirst)
  ).pipe(Effect.repeat(Schedule.spaced(heartbeatIntervalMs)), Effect.andThen(Effect.never))
  return { storage, keepBeating }
}
