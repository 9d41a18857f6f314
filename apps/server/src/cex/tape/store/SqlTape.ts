import { Effect, Layer, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { withFence } from "../../../ownership/Lease.ts"
import { Tape } from "../Tape.ts"
import { append } from "./SqlTapeAppend.ts"
import { makeDays } from "./SqlTapeDays.ts"
import { dropBefore } from "./SqlTapeRetention.ts"
import { findSeries, openSeries } from "./SqlTapeSeries.ts"

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
      // No text of the database contains NUL, and it fails a query with one.
      find: Effect.fn("SqlTape.find")((exchange, market) =>
        market.includes("\0") ? Effect.succeedNone : findSeries(sql, exchange, market)
      ),
      append: Effect.fn("SqlTape.append")(
        function* (series, change) {
          yield* days.ensure(change.trades.map(({ timestamp }) => timestamp))
          return yield* withFence(sql, append(sql, series, change))
        },
        turn.withPermit,
        // A cached table may be gone: dropped by another process, or never committed.
        Effect.tapError(() => days.forget)
      ),
      dropBefore: Effect.fn("SqlTape.dropBefore")((time) => Effect.ensuring(dropBefore(sql, time), days.forget))
    })
  })
)
