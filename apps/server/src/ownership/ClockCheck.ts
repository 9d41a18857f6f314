import { Clock, Effect, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { groupDigits } from "../internal/groupDigits.ts"
import { decodeOnlyRow } from "../internal/sql/decodeRows.ts"

const decodeTime = decodeOnlyRow(Schema.Struct({ time: Schema.Finite }))

/** Milliseconds. Clocks that NTP sets differ by less. */
const maxSkewMs = 5000
const interval = "1 minute"

/**
 * Logs when the clock of this machine begins to differ from that of the database, and when it no longer does. Ownership does
 * not depend on it; whether a candle is closed, and what is immutable, does.
 */
export const watchClock = (sql: SqlClient.SqlClient): Effect.Effect<never> =>
  Effect.gen(function* () {
    let wasWrong = false
    const check = Effect.gen(function* () {
      const before = yield* Clock.currentTimeMillis
      const { time } = yield* decodeTime(
        sql`select extract(epoch from clock_timestamp())::float8 * 1000 as time limit 1`
      )
      const after = yield* Clock.currentTimeMillis
      // The database read its clock in between.
      const skew = before > time ? before - time : Math.min(0, after - time)
      const isWrong = Math.abs(skew) > maxSkewMs
      if (isWrong === wasWrong) return
      wasWrong = isWrong
      if (!isWrong) return yield* Effect.logInfo("The clock of this machine agrees with that of the database again.")
      yield* Effect.logWarning(
        `The clock of this machine is ${groupDigits(Math.round(Math.abs(skew) / 1000))} s ${skew > 0 ? "ahead of" : "behind"} that of ` +
          "the database: this instance states wrongly which candles are closed. Set the clock, for example by NTP."
      )
    })
    yield* check.pipe(
      Effect.catchCause((cause) => Effect.logDebug("The clock of the database cannot be read", cause)),
      Effect.repeat(Schedule.spaced(interval))
    )
    return yield* Effect.never
  })
