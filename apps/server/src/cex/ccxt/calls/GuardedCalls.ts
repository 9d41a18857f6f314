import { Data, Effect, Result } from "effect"
import { backoffMs } from "../../../internal/backoff.ts"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import { ExchangeError, isTransient } from "../../ExchangeSource.ts"
import type { ExchangeErrorReason } from "../../ExchangeSource.ts"
import type { CallContext } from "../class/CcxtExchange.ts"
import type { CallLimits } from "./CallLimits.ts"
import { callCcxt } from "./FailureMapping.ts"
import type { OutageBreaker, Reachability } from "./OutageBreaker.ts"
import type { RequestGate } from "./RequestGate.ts"

export interface GuardedCallsOptions {
  /** The exchange's id, for errors. */
  readonly id: string
  readonly limits: CallLimits
  readonly gate: RequestGate
  readonly breaker: OutageBreaker
}

/** Calls of one exchange, each with a slot in the queue, retries and the circuit breaker. */
export interface GuardedCalls {
  /**
   * `deadline` (ms of `monotonicMillis`) is the latest start of a retry. A response that `decode` rejects counts as a
   * failure of the whole exchange and is not retried.
   */
  readonly run: RunCall
  /** Runs a call without a caller, by the rules of `run`: it waits for those that have one. */
  readonly runInBackground: RunCall
}

type RunCall = <A, B>(
  deadline: number,
  work: (context: CallContext) => Promise<A>,
  decode: (response: A) => Effect.Effect<B, ExchangeError>
) => Effect.Effect<B, ExchangeError>

/** The requests of the exchange are held for longer than the call may wait: becomes an `ExchangeError` in this file. */
class HoldTooLongError extends Data.TaggedError("HoldTooLongError")<{
  readonly retryAfterMs: number
  /** The failure of the attempt before, if there was one. */
  readonly before: ExchangeError | undefined
}> {}

const reachability = {
  Busy: "alive",
  Timeout: "down",
  Unavailable: "down",
  Refused: "alive",
  BadResponse: "down",
  Rejected: "alive",
  MarketNotFound: "alive",
  NotSupported: "alive"
} satisfies Record<ExchangeErrorReason, Reachability>

const toReachability = (error: ExchangeError | HoldTooLongError): Reachability => {
  if (error._tag === "HoldTooLongError") return error.before === undefined ? "none" : toReachability(error.before)
  return reachability[error.reason]
}

export const makeGuardedCalls = ({ id, limits, gate, breaker }: GuardedCallsOptions): GuardedCalls => {
  const later = (reason: ExchangeError["reason"], message: string) => (retryAfterMs: number) =>
    new ExchangeError({ exchange: id, reason, message, retryAfterMs })
  const backoff = { firstMs: limits.backoffMs, maxMs: limits.maxBackoffMs }
  const held = later("Busy", `The exchange "${id}" limits our requests.`)
  const full = later("Busy", `Too many requests wait for the exchange "${id}".`)
  const isOpen = later("Unavailable", `The exchange "${id}" failed several times in a row and is left alone for now.`)

  const attempt = Effect.fnUntraced(function* <A>(work: (context: CallContext) => Promise<A>, isInBackground: boolean) {
    const context = yield* Effect.context<never>()
    const pace = (signal: AbortSignal) => (weight: number) =>
      Effect.runPromiseWith(context)(isInBackground ? gate.paceInBackground(weight) : gate.pace(weight), { signal })
    return yield* callCcxt(id, (signal) => work({ signal, pace: pace(signal) }))
  })

  /** Waits while the whole exchange is held, or fails with the delay if it is too long. */
  const awaitHold = Effect.fnUntraced(function* (deadline: number, before: ExchangeError | undefined) {
    const wait = yield* gate.held
    if (wait > 0 && (yield* monotonicMillis) + wait >= deadline) {
      return yield* new HoldTooLongError({ retryAfterMs: wait, before })
    }
    if (wait > 0) yield* Effect.sleep(wait)
  })

  const retry = Effect.fnUntraced(function* <A>(
    deadline: number,
    work: (context: CallContext) => Promise<A>,
    isInBackground: boolean
  ) {
    const turn = isInBackground ? gate.runInBackground : gate.run
    let before: ExchangeError | undefined
    for (let tries = 1; ; tries++) {
      yield* awaitHold(deadline, before)
      const result = yield* Effect.result(turn(attempt(work, isInBackground)))
      if (Result.isSuccess(result)) return result.success
      const error = result.failure
      const wait = yield* backoffMs(tries, backoff, error.retryAfterMs)
      const now = yield* monotonicMillis
      const isBusy = error.reason === "Busy"
      if (isBusy) yield* gate.hold(wait)
      const isRetryable = isBusy || isTransient(error)
      if (!isRetryable || tries >= limits.attempts || now + wait >= deadline) return yield* error
      yield* Effect.sleep(wait)
      before = error
    }
  })

  const guard = <A, B>(
    call: Effect.Effect<A, ExchangeError | HoldTooLongError>,
    decode: (response: A) => Effect.Effect<B, ExchangeError>
  ) =>
    breaker
      .guard(Effect.flatMap(call, decode), { toReachability, onOpen: isOpen })
      .pipe(Effect.catchTag("HoldTooLongError", ({ retryAfterMs }) => Effect.fail(held(retryAfterMs))))

  return {
    run: (deadline, work, decode) => gate.admit(guard(retry(deadline, work, false), decode), full),
    runInBackground: (deadline, work, decode) => guard(retry(deadline, work, true), decode)
  }
}
