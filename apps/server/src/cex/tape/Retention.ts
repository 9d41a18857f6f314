import { Cause, Clock, Effect, Exit, Layer, Option } from "effect"
import { LeaseLost } from "../../ownership/Lease.ts"
import { isNotKept, ownAll } from "../../ownership/OwnedWork.ts"
import type { Ownership } from "../../ownership/Ownership.ts"
import { RetentionStatus, TapeRetention } from "../../sources/TapeRetention.ts"
import { failureOf } from "./Failure.ts"
import { Tape } from "./Tape.ts"

const dayMs = 86_400_000

const name = "retention"

/** Gives up the days of the tape that are older than `days`: at the start, and then once a day. */
const makeRetention = Effect.fnUntraced(function* (days: number) {
  const tape = yield* Tape
  let status: RetentionStatus = { days, lastRunAt: null, dropped: 0, lastError: null }
  const once = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const exit = yield* Effect.exit(tape.dropBefore(now - days * dayMs))
    if (Exit.isSuccess(exit)) {
      status = { days, lastRunAt: now, dropped: exit.value, lastError: null }
      if (exit.value > 0) yield* Effect.logInfo(`${exit.value} trades older than ${days} days were given up.`)
      return
    }
    if (Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.interrupt
    const { error, message } = failureOf(exit.cause)
    if (error instanceof LeaseLost) return yield* error
    status = { ...status, lastError: message }
    yield* Effect.logWarning(`Old days of the tape cannot be given up: ${message}`)
  })
  return {
    run: Effect.forever(Effect.andThen(once, Effect.sleep("1 day"))),
    status: Effect.sync(() => status)
  }
})

/** The retention, which one of the instances does. */
export const layer = (days: number): Layer.Layer<TapeRetention, never, Tape | Ownership> =>
  Layer.effect(
    TapeRetention,
    Effect.gen(function* () {
      const { running, told, whySilent } = yield* ownAll({
        role: "recorder",
        status: RetentionStatus,
        works: [{ name, begin: makeRetention(days) }]
      })
      const elsewhere = Effect.zipWith(told(name), whySilent, (known, why) =>
        Option.match(known, {
          onNone: (): RetentionStatus => ({ days, lastRunAt: null, dropped: 0, lastError: why }),
          onSome: ({ isKept, status }) => (isKept ? status : { ...status, lastError: isNotKept })
        })
      )
      return TapeRetention.of({
        status: Effect.suspend(() => Effect.map(running(name)?.status ?? elsewhere, Option.some))
      })
    })
  )
