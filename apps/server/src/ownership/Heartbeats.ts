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

/** The knowledge of an instance about itself and the others. */
interface Heartbeats {
  readonly sql: SqlClient.SqlClient
  readonly instance: string
  /** Its own runner, while it is registered. */
  runner: string | undefined
  /** By `monotonicMillis`: when it last wrote its heartbeat. */
  beatAt: number
  /** By `monotonicMillis`: from when on it considers others gone. */
  judgesFrom: number
  /** The runners that it read last. */
  known: Array<readonly [string, boolean]>
}

/**
 * After an outage of the store, or a pause of this process, every heartbeat is old. (If the machine slept, so did its
 * monotonic clock: work may then move for nothing until the others beat again.)
 */
const isUncertain = ({ beatAt, judgesFrom, known }: Heartbeats, now: number): boolean =>
  known.length > 0 && (now < judgesFrom || now - beatAt > maxOwnSilenceMs)

const writeHeartbeat = Effect.fnUntraced(function* (beats: Heartbeats, runner: string) {
  const { id } = yield* decodeId(beats.sql`insert into ownership_instance (name, runner, at)
    values (${beats.instance}, ${runner}, clock_timestamp())
    on conflict (name) do update set runner = excluded.runner, at = excluded.at returning id`)
  const now = yield* monotonicMillis
  if (now - beats.beatAt > maxOwnSilenceMs) beats.judgesFrom = now + judgmentDelayMs
  beats.beatAt = now
  return id
})

const removeHeartbeat = ({ instance, sql }: Heartbeats) =>
  Effect.asVoid(
    sql`delete from ownership_instance where name = ${instance} or at < clock_timestamp() - interval '1 day'`
  )

const readLiving = Effect.fnUntraced(function* (beats: Heartbeats) {
  if (isUncertain(beats, yield* monotonicMillis)) return beats.known
  const rows = yield* decodeRunners(beats.sql`select runner from ownership_instance
    where name = ${beats.instance} or at > clock_timestamp() - ${leaseDurationMs}::int * interval '1 millisecond'`)
  // The store may have been silent between the query and its response: no instance is gone, and those read have joined.
  const gone = isUncertain(beats, yield* monotonicMillis)
    ? beats.known.filter(([runner]) => !rows.some((row) => row.runner === runner))
    : []
  beats.known = [...rows.map(({ runner }) => [runner, true] as const), ...gone]
  return beats.known
})

const makeStorage = (beats: Heartbeats) =>
  RunnerStorage.makeEncoded({
    getRunners: PersistenceError.refail(readLiving(beats)),
    register: (_, runner) =>
      PersistenceError.refail(
        Effect.suspend(() => {
          beats.runner = runner
          return writeHeartbeat(beats, runner)
        })
      ),
    unregister: () =>
      PersistenceError.refail(
        Effect.suspend(() => {
          beats.runner = undefined
          return removeHeartbeat(beats)
        })
      ),
    setRunnerHealth: () => Effect.void,
    acquire: (_, shards) => Effect.succeed(shards),
    refresh: (_, shards) => Effect.succeed(shards),
    release: () => Effect.void,
    releaseAll: () => Effect.void
  })

/**
 * The instances: those with a recent heartbeat in the store. The cluster's locks are always granted: the lease alone
 * decides who may write, and a lock lost to a slow response of the store would move work for nothing.
 */
export const makeHeartbeats = (sql: SqlClient.SqlClient, instance: string) => {
  const beats: Heartbeats = {
    sql,
    instance,
    runner: undefined,
    beatAt: Number.NEGATIVE_INFINITY,
    judgesFrom: Number.NEGATIVE_INFINITY,
    known: []
  }
  const warnOfFirst = makeFirstFailureWarning("The heartbeat cannot be written")
  const keepBeating: Effect.Effect<never> = Effect.suspend(() =>
    beats.runner === undefined
      ? Effect.void
      : writeHeartbeat(beats, beats.runner).pipe(Effect.timeout(heartbeatTimeoutMs), warnOfFirst)
  ).pipe(Effect.repeat(Schedule.spaced(heartbeatIntervalMs)), Effect.andThen(Effect.never))
  return { storage: makeStorage(beats), keepBeating }
}
