import { Clock, Duration, Effect, Result, Stream, SubscriptionRef } from "effect"
import { backoffMs, recoveryBackoff } from "../../../internal/backoff.ts"
import type { LeaseLost } from "../../../ownership/Lease.ts"
import { toResult } from "../../../ownership/StepFailure.ts"
import type { Failure } from "../../../ownership/StepFailure.ts"
import type { IndexFailure } from "./IndexFailure.ts"
import type { IndexProgress } from "./IndexProgress.ts"

export type StepResult =
  /** Blocks were indexed; there may be more. */
  | "advanced"
  /** The index is at the head. */
  | "atHead"

/** How long the proof rests when it can go no further: what stops it may change with the node. */
const proofInterval = Duration.seconds(30)

/** Proves blocks forever, behind the index. A failure is retried: the index itself reports nodes that fail. */
export const runProver = Effect.fnUntraced(function* <E, R>(
  prove: Effect.Effect<boolean, E, R>,
  status: SubscriptionRef.SubscriptionRef<IndexProgress>
): Effect.fn.Return<never, Extract<E, LeaseLost>, R> {
  let failures = 0
  while (true) {
    const { head, indexed, key } = yield* SubscriptionRef.get(status)
    const result = yield* toResult(prove)
    if (Result.isFailure(result)) {
      failures++
      yield* Effect.logWarning(`Index "${key}" is not proven further: ${result.failure.message}`)
      yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, result.failure.retryAfterMs))
      continue
    }
    failures = 0
    if (result.success) continue
    const { unproven } = yield* SubscriptionRef.get(status)
    if (unproven !== undefined) yield* Effect.sleep(proofInterval)
    yield* SubscriptionRef.changes(status).pipe(
      Stream.filter((now) => now.head !== head || now.indexed !== indexed),
      Stream.take(1),
      Stream.runDrain
    )
  }
})

/**
 * Runs steps until the index must stop, or another instance owns it. No other failure ends the loop, not even a defect:
 * the status reports it, and the loop continues.
 */
export const runSteps = <R>(
  step: Effect.Effect<StepResult, IndexFailure, R>,
  status: SubscriptionRef.SubscriptionRef<IndexProgress>,
  pollMs: () => number
): Effect.Effect<void, LeaseLost, R> => {
  const handleFailure = Effect.fnUntraced(function* ({ error, message, retryAfterMs }: Failure<IndexFailure>) {
    const at = yield* Clock.currentTimeMillis
    const isOver = error?._tag === "ReorgTooDeep" || error?._tag === "OtherProtocol"
    const { failures, key } = yield* SubscriptionRef.updateAndGet(status, (before): IndexProgress => ({
      ...before,
      state: isOver ? "stopped" : before.state,
      failures: before.failures + 1,
      lastError: { message, at }
    }))
    // A node that is behind another one, or between two blocks, contradicts itself once.
    yield* failures === 1 && !isOver
      ? Effect.logInfo(`Index "${key}": ${message} The step is repeated.`)
      : Effect.logWarning(`Index "${key}": ${message}`)
    if (!isOver) yield* Effect.sleep(yield* backoffMs(failures, recoveryBackoff, retryAfterMs))
    return isOver
  })

  const handleSuccess = Effect.fnUntraced(function* (result: StepResult) {
    yield* SubscriptionRef.update(status, (before): IndexProgress => ({ ...before, failures: 0, lastError: undefined }))
    if (result === "atHead") yield* Effect.sleep(pollMs())
    return false
  })

  return toResult(step).pipe(
    Effect.flatMap(Result.match({ onSuccess: handleSuccess, onFailure: handleFailure })),
    Effect.repeat({ until: (isOver) => isOver }),
    Effect.asVoid
  )
}
