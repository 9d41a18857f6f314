import { Effect, Layer, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { withFence } from "../../../ownership/Lease.ts"
import { Tape } from "../Tape.ts"
import type { TapeEvent } from "../Tape.ts"
import { append } from "./SqlTapeAppend.ts"
import { makeDays } from "./SqlTapeDays.ts"
import { dropBefore } from "./SqlTapeRetention.ts"
import { findSeries, openSeries } from "./SqlTapeSeries.ts"

const EventRow = Schema.Struct({
  at: Schema.Int,
  kind: Schema.Literals([
    "connected",
    "disconnected",
    "stale",
    "gap",
    "backfilled",
    "unfillable",
    "conflict",
    "dropped"
  ]),
  from: Schema.NullOr(Schema.Int),
  to: Schema.NullOr(Schema.Int),
  detail: Schema.String
})

const decodeEvents = Schema.decodeUnknownEffect(Schema.Array(EventRow))
const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: Schema.Int })]))

const event = ({ from, to, ...row }: typeof EventRow.Type): TapeEvent => ({
  ...row,
  from: from ?? undefined,
  to: to ?? undefined
})

/** The tape in a SQL store. */
export const layer: Layer.Layer<Tape, never, SqlClient.SqlClient> = Layer.effect(
  Tape,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const days = makeDays(sql)
    // One change after the other: a reader waits for at most one, however many markets are recorded.
    const turn = yield* Semaphore.make(1)
    return Tape.of({
      open: Effect.fn("SqlTape.open")((exchange, market, continuity, firstId) =>
        openSeries(sql, exchange, market, continuity, firstId)
      ),
      find: Effect.fn("SqlTape.find")((exchange, market) => findSeries(sql, exchange, market)),
      append: Effect.fn("SqlTape.append")(
        function* (series, change) {
          yield* days.ensure(change.trades.map(({ timestamp }) => timestamp))
          return yield* withFence(sql, append(sql, series, change))
        },
        turn.withPermit,
        // A cached table may be gone: dropped by another process, or never committed.
        Effect.tapError(() => days.forget)
      ),
      events: Effect.fn("SqlTape.events")(function* (series, limit) {
        const rows = yield* Effect.flatMap(
          sql`select at::float8 as at, kind, from_sequence::float8 as from, to_sequence::float8 as to, detail
            from tape_event where series = ${series}::int order by id desc limit ${limit}::int`,
          decodeEvents
        )
        return rows.map(event)
      }),
      count: Effect.fn("SqlTape.count")(function* (series) {
        const [{ count }] = yield* Effect.flatMap(
          sql`select coalesce(sum(to_sequence - from_sequence + 1), 0)::float8 as count
            from tape_coverage where series = ${series}::int`,
          decodeCount
        )
        return count
      }),
      dropBefore: Effect.fn("SqlTape.dropBefore")((time) => Effect.ensuring(dropBefore(sql, time), days.forget))
    })
  })
)
