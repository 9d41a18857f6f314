import { Context, Data, Effect, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { decodeOnlyRow } from "../internal/sql/decodeRows.ts"
import { maxIdleWriteMs } from "./Timing.ts"

/**
 * The right to write the results of a piece of work. A new owner increments the epoch, and writes under earlier epochs
 * fail from then on.
 */
export class Lease extends Context.Service<
  Lease,
  {
    readonly name: string
    readonly epoch: number
    /** How long a write may be idle in the middle of its transaction, in milliseconds; 0 for any time. */
    readonly maxIdleMs: number
  }
>()("@chaintape/server/ownership/Lease") {}

/** Another instance has taken the work over. Nothing was written. */
export class LeaseLostError extends Data.TaggedError("LeaseLostError")<{
  readonly name: string
  readonly epoch: number
}> {
  override get message(): string {
    return `Epoch ${this.epoch} of "${this.name}" is over: another instance has taken this work over.`
  }
}

/**
 * Runs a write in a transaction that holds the lease. A takeover waits for the end of the transaction, and a write
 * under a lease that was taken over fails before it begins.
 */
export const withFence = <A, E, R>(
  sql: SqlClient.SqlClient,
  write: Effect.Effect<A, E, R>
): Effect.Effect<A, E | LeaseLostError | SqlError.SqlError, R | Lease> =>
  Effect.flatMap(Lease, ({ epoch, maxIdleMs, name }) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const held = yield* sql`
          select set_config('idle_in_transaction_session_timeout', ${String(maxIdleMs)}, true)
          from ownership_lease where name = ${name} and epoch = ${epoch}::bigint for share`
        if (held.length === 0) return yield* new LeaseLostError({ name, epoch })
        return yield* write
      })
    )
  )

const decodeTaken = decodeOnlyRow(Schema.Struct({ epoch: Schema.Int }))

/** Takes the work over from its current owner. Waits for a write in progress. */
export const take = Effect.fn("Lease.take")(function* (
  sql: SqlClient.SqlClient,
  name: string,
  owner: string,
  maxIdleMs: number = maxIdleWriteMs
) {
  const { epoch } = yield* decodeTaken(sql`insert into ownership_lease (name, epoch, owner)
    values (${name}, 1, ${owner})
    on conflict (name) do update
    set epoch = ownership_lease.epoch + 1, owner = excluded.owner, taken_at = now()
    returning epoch::float8 as epoch`)
  return Lease.of({ name, epoch, maxIdleMs })
})
