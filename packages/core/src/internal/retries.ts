/** The loop around the attempts of a call. Internal for the same reason as the attempt. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type * as Operation from "../api/Operation.ts"
import type { Answer } from "../client/Answer.ts"
import { type ClientError, TimeoutError } from "../client/ClientError.ts"
import { delayAfter, type RetryPolicy } from "../client/RetryPolicy.ts"
import { type AttemptError, retryAfterMsOf } from "./attempt.ts"

export const withRetries = (policy: RetryPolicy) => {
  let budget = policy.budget // shared by all calls of the client

  return <Op extends Operation.Any>(
    operation: Op,
    attempt: (attempts: number) => Effect.Effect<Answer<Operation.Success<Op>>, AttemptError<Op>>,
    callDeadline: Duration.Duration | undefined
  ): Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError> => {
    const name = `${operation.group}.${operation.name}`
    const deadline = Duration.toMillis(callDeadline ?? policy.deadline)
    const timeout = Duration.toMillis(policy.attemptTimeout)
    const timedOut = (attempts: number, limit: "attempt" | "deadline", milliseconds: number) =>
      new TimeoutError({ operation: name, attempts, limit, milliseconds })

    const loop = Effect.fnUntraced(function* (
      attempts: number,
      end: number
    ): Effect.fn.Return<Answer<Operation.Success<Op>>, AttemptError<Op> | TimeoutError> {
      const left = end - (yield* Clock.currentTimeMillis)
      const last = left <= timeout
      const result = yield* attempt(attempts).pipe(
        Effect.timeoutOrElse({
          duration: Math.max(0, Math.min(left, timeout)),
          orElse: () =>
            Effect.fail(last ? timedOut(attempts, "deadline", deadline) : timedOut(attempts, "attempt", timeout))
        }),
        Effect.result
      )
      if (result._tag === "Success") {
        budget = Math.min(policy.budget, budget + policy.budgetRefund)
        return result.success
      }
      const error = result.failure
      const wish = retryAfterMsOf(error)
      const delay = delayAfter(policy, attempts, yield* Random.next, wish)
      const now = yield* Clock.currentTimeMillis
      const worthWaiting = (wish ?? 0) <= Duration.toMillis(policy.maxRetryAfter) && now + delay < end
      if (!error.isRetryable || attempts >= policy.attempts || budget < 1 || !worthWaiting) {
        return yield* Effect.fail(error)
      }
      budget -= 1
      yield* Effect.sleep(delay)
      return yield* loop(attempts + 1, end)
    })

    return Clock.currentTimeMillis.pipe(
      Effect.flatMap((now) => loop(1, now + deadline)),
      Effect.withSpan(`chaintape.${name}`, { kind: "client" })
    )
  }
}
