import { Effect, Option, Schema, Semaphore } from "effect"
import type { SqlClient } from "effect/sql"
import { makeOutageWarning } from "../internal/log/firstFailure.ts"
import { monotonicMillis } from "../internal/monotonic.ts"
import { decodeRows } from "../internal/sql/decodeRows.ts"
import type { Lease } from "./Lease.ts"
import type { PublishedStatus } from "./Ownership.ts"
import { readTimeoutMs, sharedReadMs } from "./Timing.ts"

const decodeNames = decodeRows(Schema.Struct({ name: Schema.String }))

export interface OwnStatus {
  readonly lease: Lease["Service"]
  readonly status: unknown
}

/** Publishes the status of work to the other instances. Returns the names whose lease is still the newest. */
export const publish = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, statuses: ReadonlyArray<OwnStatus>) {
  const rows = statuses.map(({ lease, status }) => ({ ...lease, status }))
  const held = yield* decodeNames(sql`with published as (
        select name, epoch, status
        from json_to_recordset(${JSON.stringify(rows)}::text::json) as row(name text, epoch bigint, status jsonb)
      ), held as (
        select published.* from published join ownership_lease as lease using (name, epoch)
      ), written as (
        insert into ownership_status as known (name, epoch, status, at)
        select name, epoch, status, clock_timestamp() from held
        on conflict (name) do update set epoch = excluded.epoch, status = excluded.status, at = excluded.at
        where known.epoch <= excluded.epoch
      )
      select name from held`)
  return new Set(held.map(({ name }) => name))
})

const decodeStatuses = decodeRows(Schema.Struct({ name: Schema.String, status: Schema.Unknown, ageMs: Schema.Finite }))

/** The published statuses. If the store does not answer, the last read is returned, with increasing age. */
export const makePublishedStatuses = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const lock = yield* Semaphore.make(1)
  let known = new Map<string, PublishedStatus>()
  let readAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY
  const warnOfOutage = makeOutageWarning("The statuses of other instances cannot be read")

  const readStore = Effect.gen(function* () {
    const begun = yield* monotonicMillis
    const rows = yield* decodeStatuses(sql`select name, status,
        (extract(epoch from clock_timestamp() - at) * 1000)::float8 as "ageMs"
      from ownership_status`)
    known = new Map(rows.map(({ ageMs, name, status }) => [name, { status, ageMs: Math.max(0, ageMs) }]))
    readAt = begun
  }).pipe(
    Effect.timeout(readTimeoutMs),
    warnOfOutage,
    // A caller that reads many names waits for the store once.
    Effect.catch(() =>
      Effect.map(monotonicMillis, (now) => {
        failedAt = now
      })
    )
  )
  const read = Effect.flatMap(monotonicMillis, (now) =>
    now - Math.max(readAt, failedAt) < sharedReadMs ? Effect.void : readStore
  ).pipe(lock.withPermit)

  return Effect.fnUntraced(function* (name: string): Effect.fn.Return<Option.Option<PublishedStatus>> {
    yield* read
    const now = yield* monotonicMillis
    return Option.map(Option.fromUndefinedOr(known.get(name)), ({ ageMs, status }) => ({
      status,
      ageMs: ageMs + now - readAt
    }))
  })
})
