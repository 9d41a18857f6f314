/** The retry loop of a call. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type { Answer } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { CallOptions } from "../../options/CallOptions.ts"
import { delayAfter, type RetryPolicy } from "../../options/RetryPolicy.ts"
import { isMarked } from "../../problem/ChaintapeError.ts"
import { type ClientError, RequestTimeout } from "../../problem/ClientError.ts"
import { InvalidParameter } from "../../problem/Problem.ts"
import { findUnknown, findWrongDuration, findWrongRetry } from "../options/checkOptions.ts"
import type { AttemptFailure, Failure } from "../transport/attempt.ts"
import type { ClientEvents } from "../transport/clientEvents.ts"
import { elapsedMillis } from "../transport/elapsed.ts"
import { getName } from "../transport/request.ts"

export type CallError<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

export type AttemptResult<Op extends Operation.Any> = Result.Result<
  Answer<Operation.Success<Op>>,
  AttemptFailure<Op> | Failure<RequestTimeout>
>

/** An attempt that may start. Times are elapsed milliseconds. */
export interface PendingAttempt<Op extends Operation.Any> {
  readonly operation: Op
  readonly request: Operation.Request<Op>
  readonly policy: RetryPolicy
  /** The deadline of the call. */
  readonly end: number
  /** The error of the previous attempt. */
  readonly last: CallError<Op> | undefined
  /** The error of the call if its deadline is before the attempt starts. */
  readonly late: () => RequestTimeout
}

/** Runs an attempt when it may be sent. If that is not before the deadline, the call fails. */
export type Admit = <Op extends Operation.Any>(
  attempt: Effect.Effect<AttemptResult<Op>>,
  pending: PendingAttempt<Op>
) => Effect.Effect<AttemptResult<Op>, CallError<Op>>

/** Undefined members of a partial policy use the defaults. The cast says that the others are defined. */
export const policyWith = (policy: RetryPolicy, part: object = {}): RetryPolicy =>
  ({ ...policy, ...Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) }) as RetryPolicy

/** Runs the attempts of calls, which share one retry budget. */
export const withRetries = (shared: RetryPolicy, admit: Admit, events: Pick<ClientEvents, "retry">) => {
  let budget = shared.retryBudget

  return <Op extends Operation.Any>(
    operation: Op,
    request: Operation.Request<Op>,
    url: string,
    attempt: (attempts: number) => Effect.Effect<Answer<Operation.Success<Op>>, AttemptFailure<Op>>,
    options: CallOptions = {}
  ): Effect.Effect<Answer<Operation.Success<Op>>, CallError<Op>> => {
    const wrong =
      findUnknown("a call", options, ["deadline", "retry"]) ??
      (options.deadline === undefined ? undefined : findWrongDuration("deadline", options.deadline)) ??
      findWrongRetry(options.retry)
    if (wrong !== undefined) {
      const issues = [{ parameter: "options", message: wrong }]
      // Every operation can be called with wrong parameters.
      return Effect.fail(new InvalidParameter({ detail: `${wrong}.`, issues }) as CallError<Op>)
    }
    const policy = policyWith(shared, options.retry)
    const name = getName(operation)
    const deadline = Duration.toMillis(options.deadline ?? policy.deadline)
    const timeout = Duration.toMillis(policy.attemptTimeout)
    const timedOut = (attempts: number, limit: "attempt" | "deadline") =>
      new RequestTimeout({
        operation: name,
        url,
        attempts,
        limit,
        milliseconds: limit === "attempt" ? timeout : deadline
      })

    const bounded = Effect.fnUntraced(function* (attempts: number, end: number): Effect.fn.Return<AttemptResult<Op>> {
      const left = end - (yield* elapsedMillis)
      if (left <= 0) return Result.fail({ error: timedOut(attempts - 1, "deadline") })
      return yield* attempt(attempts).pipe(
        Effect.timeoutOrElse({
          duration: Math.min(left, timeout),
          orElse: () => Effect.fail({ error: timedOut(attempts, left <= timeout ? "deadline" : "attempt") })
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
      const pending = { operation, request, policy, end, last, late: () => timedOut(attempts - 1, "deadline") }
      const result = yield* admit(attempted, pending)
      if (Result.isSuccess(result)) {
        budget = Math.min(shared.retryBudget, budget + shared.retryRefund)
        return result.success
      }
      const { error, retryAfterMs } = result.failure
      const delay = delayAfter(policy, attempts, yield* Random.next, retryAfterMs)
      const now = yield* elapsedMillis
      const isWorthWaiting = (retryAfterMs ?? 0) <= Duration.toMillis(policy.maxRetryAfter) && now + delay < end
      if (!error.isRetryable || attempts >= policy.attempts || budget < 1 || !isWorthWaiting) {
        return yield* Effect.fail(error)
      }
      budget -= 1
      if (isMarked(error)) {
        yield* events.retry({ operation: name, url, attempt: attempts, error, delayMilliseconds: delay })
      }
      // A caller interrupted during the delay returns its share to the budget.
      yield* Effect.onInterrupt(Effect.sleep(delay), () =>
        Effect.sync(() => (budget = Math.min(shared.retryBudget, budget + 1)))
      )
      return yield* loop(attempts + 1, end, error)
    })

    return elapsedMillis.pipe(
      Effect.flatMap((now) => loop(1, now + deadline, undefined)),
      Effect.withSpan(`chaintape.${name}`, { kind: "client" })
    )
  }
}
