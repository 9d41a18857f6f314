import { Clock, Effect, Result, SubscriptionRef } from "effect"
import type { Duration } from "effect"
import { backoffMs } from "../../../internal/backoff.ts"
import { toResult } from "../../../ownership/Failure.ts"
import type { Failure } from "../../../ownership/Failure.ts"
import type { LeaseLost } from "../../../ownership/Lease.ts"
import type { IndexFailure } from "./IndexFailure.ts"
import type { IndexStatus } from "./IndexStatus.ts"

export type StepResult =
  /** Blocks were indexed; there may be more. */
  | "advanced"
  /** The index is at the head. */
  | "atHead"

const backoff = { firstMs: 500, longestMs: 30_000 }

/**
 * Runs steps until the index must stop, or another instance owns it. No other failure ends the loop, not even a defect:
 * the status reports it, and the loop continues.
 */
export const runSteps = <R>(
  step: Effect.Effect<StepResult, IndexFailure, R>,
  status: SubscriptionRef.SubscriptionRef<IndexStatus>,
  pollInterval: Effect.Effect<Duration.Duration>
): Effect.Effect<void, LeaseLost, R> => {
  const failed = Effect.fnUntraced(function* ({ error, message, retryAfterMs }: Failure<IndexFailure>) {
    const at = yield* Clock.currentTimeMillis
    const isOver = error?._tag === "ReorgTooDeep"
    const { failures, key } = yield* SubscriptionRef.updateAndGet(status, (before): IndexStatus => ({
      ...before,
      state: isOver ? "stopped" : before.state,
      failures: before.failures + 1,
      lastError: { message, at }
    }))
    yield* Effect.logWarning(`Index "${key}": ${message}`)
    if (!isOver) yield* Effect.sleep(yield* backoffMs(failures, backoff, retryAfterMs))
    return isOver
  })

  const succeeded = Effect.fnUntraced(function* (result: StepResult) {
    yield* SubscriptionRef.update(status, (before): IndexStatus => ({ ...before, failures: 0, lastError: undefined }))
    if (result === "atHead") yield* Effect.sleep(yield* pollInterval)
    return false
  })

  return toResult(step).pipe(
    Effect.flatMap(Result.match({ onSuccess: succeeded, onFailure: failed })),
    Effect.repeat({ until: (isOver) => isOver }),
    Effect.asVoid
  )
}
