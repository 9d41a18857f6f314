import { Clock, Effect, Layer } from "effect"
import { dayMs } from "../../../internal/day.ts"
import { runOwnedWork } from "../../../ownership/OwnedWork.ts"
import type { Ownership } from "../../../ownership/Ownership.ts"
import { catchFailure } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import { RetentionStatus, TapeRetention } from "../../../status/TapeRetention.ts"
import { isLockTimeout } from "../../../store/LockTimeout.ts"
import { Tape } from "../Tape.ts"

const name = "retention"

const toStarting = (days: number): RetentionStatus => ({ days, lastRunAt: null, dropped: 0, lastError: null })

/** Drops the days of the tape that are older than `days`: at the start, and then once a day. */
const makeRetention = Effect.fnUntraced(function* (days: number) {
  const tape = yield* Tape
  let status = toStarting(days)
  const once = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const dropped = yield* tape.dropBefore(now - days * dayMs)
    status = { days, lastRunAt: now, dropped, lastError: null }
    if (dropped > 0) yield* Effect.logInfo(`${dropped} trades older than ${days} days were dropped.`)
  })
  const failed = ({ error, message }: Failure<unknown>) => {
    const why = isLockTimeout(error) ? "another session, such as a backup, uses the trades of that day." : message
    status = { ...status, lastError: `Old days cannot be dropped: ${why}` }
    return Effect.andThen(
      Effect.logWarning(`Old days of the tape cannot be dropped, and are tried again in 10 minutes: ${why}`),
      Effect.sleep("10 minutes")
    )
  }
  return {
    run: Effect.forever(catchFailure(Effect.andThen(once, Effect.sleep("1 day")), failed)),
    status: Effect.sync(() => status)
  }
})

/** The retention, owned by one of the instances. */
export const layer = (days: number): Layer.Layer<TapeRetention, never, Tape | Ownership> =>
  Layer.effect(
    TapeRetention,
    Effect.gen(function* () {
      const { status } = yield* runOwnedWork({
        role: "recorder",
        status: RetentionStatus,
        withoutOwner: (known: RetentionStatus, lastError) => ({ ...known, lastError }),
        works: [{ name, begin: makeRetention(days) }]
      })
      return TapeRetention.of({ status: Effect.asSome(status(name, toStarting(days))) })
    })
  )
