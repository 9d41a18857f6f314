import { Cause, Clock, Duration, Effect, Exit, Random, SubscriptionRef } from "effect"
import { BlockSourceError } from "../../blocks/BlockSource.ts"
import { LeaseLost } from "../../ownership/Lease.ts"
import { ReorgTooDeep } from "./IndexFailure.ts"
import type { IndexFailure } from "./IndexFailure.ts"
import type { IndexStatus } from "./IndexStatus.ts"

export type StepResult =
  /** Blocks were indexed; there may be more. */
  | "advanced"
  /** The index is at the head. */
  | "atHead"

const firstDelayMs = 500
const longestDelayMs = 30_000

/** Twice as long after each failure, and different for everyone who waits. */
const delayAfter = (failures: number, cause: Cause.Cause<IndexFailure>) =>
  Effect.map(Random.next, (random) => {
    const growing = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 16))
    const error = Cause.squash(cause)
    const demanded = error instanceof BlockSourceError ? (error.retryAfterMs ?? 0) : 0
    return Duration.millis(Math.max(demanded, growing * (0.5 + random / 2)))
  })

const messageOf = (cause: Cause.Cause<IndexFailure>): string => {
  const error = Cause.squash(cause)
  return error instanceof Error ? error.message : String(error)
}

/**
 * Steps until the index must stop, or another instance keeps it. No other failure ends the loop, not even a defect: the
 * status tells it, and it goes on.
 */
export const runSteps = <R>(
  step: Effect.Effect<StepResult, IndexFailure, R>,
  status: SubscriptionRef.SubscriptionRef<IndexStatus>,
  pollInterval: Effect.Effect<Duration.Duration>
): Effect.Effect<void, LeaseLost, R> => {
  const failed = Effect.fnUntraced(function* (cause: Cause.Cause<IndexFailure>) {
    const error = Cause.squash(cause)
    if (error instanceof LeaseLost) return yield* error
    const message = messageOf(cause)
    const at = yield* Clock.currentTimeMillis
    const isOver = error instanceof ReorgTooDeep
    const { failures, key } = yield* SubscriptionRef.updateAndGet(status, (before): IndexStatus => ({
      ...before,
      state: isOver ? "stopped" : before.state,
      failures: before.failures + 1,
      lastError: { message, at }
    }))
    yield* Effect.logWarning(`Index "${key}": ${message}`)
    if (!isOver) yield* Effect.sleep(yield* delayAfter(failures, cause))
    return isOver
  })

  const succeeded = Effect.fnUntraced(function* (result: StepResult) {
    yield* SubscriptionRef.update(status, (before): IndexStatus => ({ ...before, failures: 0, lastError: undefined }))
    if (result === "atHead") yield* Effect.sleep(yield* pollInterval)
    return false
  })

  return Effect.exit(step).pipe(
    Effect.flatMap((exit) => {
      if (Exit.isSuccess(exit)) return succeeded(exit.value)
      return Cause.hasInterruptsOnly(exit.cause) ? Effect.interrupt : failed(exit.cause)
    }),
    Effect.repeat({ until: (isOver) => isOver }),
    Effect.asVoid
  )
}
