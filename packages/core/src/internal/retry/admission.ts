/** When the attempts of a client may be sent: while the circuit is closed, each when the key's budget allows it. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Headers from "effect/http/Headers"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type * as Operation from "../../api/Operation.ts"
import { CircuitOpen, TimeoutError, TransportError, UnexpectedAnswer } from "../../client/ClientError.ts"
import type { RetryPolicy } from "../../client/RetryPolicy.ts"
import { RateLimited } from "../../problem/Problem.ts"
import { getName } from "../transport/request.ts"
import { makeCircuit } from "./circuit.ts"
import { elapsedMillis } from "./elapsed.ts"
import { makePace } from "./pace.ts"
import type { Admission, Beginning, CallError, Outcome } from "./retries.ts"

/** One per request, plus one for each full thousand rows of `limit`. */
const getUnits = (request: unknown): number =>
  1 +
  (Predicate.hasProperty(request, "limit") && Predicate.isNumber(request.limit)
    ? Math.max(0, Math.floor(request.limit / 1000))
    : 0)

const turnTooLate = (wait: number) =>
  new RateLimited({
    retryAfterMs: wait,
    detail: `The budget of the key has room for this call in ${wait} ms, after its deadline: ask for less, or set a later one.`
  })

/** No response, or a gateway says that the service is unavailable. */
const isOutage = (error: object): error is TransportError | UnexpectedAnswer =>
  error instanceof TransportError || (error instanceof UnexpectedAnswer && [502, 503, 504].includes(error.status))

export const makeAdmission = (shared: RetryPolicy) => {
  const circuit = makeCircuit(shared)
  const pace = makePace()
  const patience = Math.min(Duration.toMillis(shared.attemptTimeout), Duration.toMillis(shared.deadline))

  /** Records what an attempt, which had this timeout, shows about the service. */
  const learn = (result: Outcome<Operation.Any>, given: number, entered: number, now: number) => {
    if (Result.isSuccess(result)) return circuit.answered()
    const error = result.failure
    if (error instanceof TimeoutError) {
      // A timeout shorter than the client's policy shows nothing about the service.
      if (given >= patience) circuit.failed(entered, now, error.message)
    } else if (isOutage(error)) circuit.failed(entered, now, error.message)
    else circuit.answered()
  }

  const admit: Admission["admit"] = <Op extends Operation.Any>(
    attempt: Effect.Effect<Outcome<Op>>,
    { end, last, late, operation, policy, request }: Beginning<Op>
  ) => {
    const { keyed } = operation
    let [begun, entered] = [0, 0]
    const learning = Effect.gen(function* () {
      const result = yield* attempt
      learn(result, Math.min(end - begun, Duration.toMillis(policy.attemptTimeout)), entered, yield* elapsedMillis)
      if (keyed && Result.isSuccess(result)) pace.answered()
      return result
    })
    return pace.run(learning, {
      units: keyed ? getUnits(request) : 0,
      isPatient: keyed && policy.paced,
      end,
      refused: (now): CallError<Op> | undefined => {
        const retryAfterMs = circuit.openFor(now)
        if (retryAfterMs === 0) return undefined
        return last ?? new CircuitOpen({ operation: getName(operation), retryAfterMs, ...circuit.seen() })
      },
      begin: (now) => {
        begun = now
        entered = circuit.enter(now)
      },
      // An operation with a cost has RateLimited among its problems.
      tooLate: (wait): CallError<Op> =>
        last ?? (wait === undefined || wait === 0 ? late() : (turnTooLate(wait) as Operation.Problem<Op>))
    })
  }

  /** Reads the budget from a response's headers. */
  const observe = (headers: Headers.Headers) => Effect.map(elapsedMillis, (now) => pace.observe(headers, now))

  return { admit, closedFor: circuit.openFor, observe }
}
