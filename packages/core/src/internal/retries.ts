/** The loop around the attempts of a call. Internal for the same reason as the attempt. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type * as Operation from "../api/Operation.ts"
import type { Answer } from "../client/Answer.ts"
import type { CallOptions } from "../client/CallOptions.ts"
import { type ClientError, TimeoutError } from "../client/ClientError.ts"
import { delayAfter, type RetryPolicy } from "../client/RetryPolicy.ts"
import { type AttemptError, retryAfterMsOf } from "./attempt.ts"
import { elapsedMillis } from "./elapsed.ts"
import { nameOf } from "./request.ts"

export type CallError<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

export type Outcome<Op extends Operation.Any> = Result.Result<
  Answer<Operation.Success<Op>>,
  AttemptError<Op> | TimeoutError
>

/** An attempt that may begin. Times are elapsed milliseconds. */
export interface Beginning<Op extends Operation.Any> {
  readonly operation: Op
  readonly request: Operation.Request<Op>
  readonly policy: RetryPolicy
  /** When the call has to be over. */
  readonly end: number
  /** What the attempt before it has failed with. */
  readonly last: CallError<Op> | undefined
  /** What the call fails with where it has to be over before the attempt begins. */
  readonly late: () => TimeoutError
}

/** What keeps attempts of a client back, and learns from those that were made. */
export interface Admission {
  /** Runs an attempt when it may be sent. Where it must not be, the call fails. */
  readonly admit: <Op extends Operation.Any>(
    attempt: Effect.Effect<Outcome<Op>>,
    beginning: Beginning<Op>
  ) => Effect.Effect<Outcome<Op>, CallError<Op>>
  /** For how many milliseconds none is sent. */
  readonly closedFor: (now: number) => number
}

/** What a part of a policy does not say stays, also where it says so by `undefined`. The cast says that the rest is told. */
export const policyWith = (policy: RetryPolicy, part: object = {}): RetryPolicy =>
  ({ ...policy, ...Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) }) as RetryPolicy

/** Runs the attempts of calls, which share one budget of retries. */
export const withRetries = (shared: RetryPolicy, admission?: Admission) => {
  let budget = shared.budget

  return <Op extends Operation.Any>(
    operation: Op,
    request: Operation.Request<Op>,
    attempt: (attempts: number) => Effect.Effect<Answer<Operation.Success<Op>>, AttemptError<Op>>,
    options: CallOptions = {}
  ): Effect.Effect<Answer<Operation.Success<Op>>, CallError<Op>> => {
    const policy = policyWith(shared, options.retry)
    const name = nameOf(operation)
    const deadline = Duration.toMillis(options.deadline ?? policy.deadline)
    const timeout = Duration.toMillis(policy.attemptTimeout)
    const timedOut = (attempts: number, limit: "attempt" | "deadline") =>
      new TimeoutError({ operation: name, attempts, limit, milliseconds: limit === "attempt" ? timeout : deadline })

    const bounded = Effect.fnUntraced(function* (attempts: number, end: number): Effect.fn.Return<Outcome<Op>> {
      const left = end - (yield* elapsedMillis)
      if (left <= 0) return Result.fail(timedOut(attempts - 1, "deadline"))
      return yield* attempt(attempts).pipe(
        Effect.timeoutOrElse({
          duration: Math.min(left, timeout),
          orElse: () => Effect.fail(timedOut(attempts, left <= timeout ? "deadline" : "attempt"))
        }),
        Effect.result
      )
    })

    const loop = Effect.fnUntraced(function* (
      attempts: number,
      end: number,
      last: CallError<Op> | undefined
    ): Effect.fn.Return<Answer<Operation.Success<Op>>, CallError<Op>> {
      const attempted = bounded(attempts, end)
      const beginning = { operation, request, policy, end, last, late: () => timedOut(attempts - 1, "deadline") }
      const result = yield* admission?.admit(attempted, beginning) ?? attempted
      if (Result.isSuccess(result)) {
        budget = Math.min(shared.budget, budget + shared.budgetRefund)
        return result.success
      }
      const error = result.failure
      const wish = retryAfterMsOf(error)
      const delay = delayAfter(policy, attempts, yield* Random.next, wish)
      const now = yield* elapsedMillis
      const isWorthWaiting =
        (wish ?? 0) <= Duration.toMillis(policy.maxRetryAfter) &&
        now + delay < end &&
        (admission?.closedFor(now) ?? 0) <= delay
      if (!error.isRetryable || attempts >= policy.attempts || budget < 1 || !isWorthWaiting) {
        return yield* Effect.fail(error)
      }
      budget -= 1
      // Who leaves before the retry is sent leaves it to others.
      yield* Effect.onInterrupt(Effect.sleep(delay), () => Effect.sync(() => budget++))
      return yield* loop(attempts + 1, end, error)
    })

    return elapsedMillis.pipe(
      Effect.flatMap((now) => loop(1, now + deadline, undefined)),
      Effect.withSpan(`chaintape.${name}`, { kind: "client" })
    )
  }
}
