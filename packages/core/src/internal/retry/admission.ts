/** When the attempts of a client may be sent: each when the key's budget allows it. */
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Operation from "../../operation/Operation.ts"
import { RateLimited } from "../../problem/Problem.ts"
import { elapsedMillis } from "../transport/elapsed.ts"
import { makeRateLimiter } from "./rateLimiter.ts"
import type { Admit, PendingAttempt, CallError, AttemptResult } from "./retries.ts"

/**
 * One per request, plus one for each full thousand rows of `limit`: the `toCost` of the service, which reads the limit as
 * text and needs the maximum of each operation. That would add to the bundle.
 */
export const getUnits = (request: unknown): number =>
  1 +
  (Predicate.hasProperty(request, "limit") && Predicate.isNumber(request.limit)
    ? Math.max(0, Math.floor(request.limit / 1000))
    : 0)

const turnTooLate = (wait: number) =>
  new RateLimited({
    retryAfterMs: wait,
    detail: `The budget of the key has room for this call in ${wait} ms, after its deadline: ask for less, or set a later one.`
  })

export const makeAdmission = () => {
  const limiter = makeRateLimiter()

  const admit: Admit = <Op extends Operation.Any>(
    attempt: Effect.Effect<AttemptResult<Op>>,
    { end, last, late, operation, policy, request }: PendingAttempt<Op>
  ) => {
    const { requiresApiKey } = operation
    const learning = Effect.tap(attempt, (result) =>
      Effect.sync(() => {
        if (requiresApiKey && Result.isSuccess(result)) limiter.lift()
      })
    )
    return limiter.run(learning, {
      units: requiresApiKey ? getUnits(request) : 0,
      isPatient: requiresApiKey && policy.rateLimit,
      end,
      // An operation with a cost has RateLimited among its problems.
      tooLate: (wait): CallError<Op> =>
        last ?? (wait > 0 && wait < Infinity ? (turnTooLate(wait) as Operation.Problem<Op>) : late())
    })
  }

  /** Reads the budget from a response's headers. */
  const observe = (headers: Headers.Headers) => Effect.map(elapsedMillis, (now) => limiter.observe(headers, now))

  return { admit, observe }
}
