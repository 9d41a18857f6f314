import { Cause, Effect, Exit, Option } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"

/**
 * A circuit breaker: `failures` failed calls in a row open the circuit for `openMs`; then one probe call decides
 * whether it closes.
 */
export interface OutageBreaker {
  /** `isOutage` selects the errors that count. Any other result except an interruption proves the exchange alive. */
  readonly guard: <A, E, R, E2>(
    call: Effect.Effect<A, E, R>,
    options: { readonly isOutage: (error: E) => boolean; readonly onOpen: (retryAfterMs: number) => E2 }
  ) => Effect.Effect<A, E | E2, R>
}

export const makeOutageBreaker = (options: { readonly failures: number; readonly openMs: number }): OutageBreaker => {
  let failed = 0
  let openUntil = 0
  let isTrying = false

  const settle = <A, E>(exit: Exit.Exit<A, E>, now: number, isTrial: boolean, isOutage: (error: E) => boolean) => {
    if (isTrial) isTrying = false
    if (Exit.isFailure(exit)) {
      const error = Cause.findErrorOption(exit.cause)
      if (Option.isNone(error)) return
      if (isOutage(error.value)) {
        failed++
        if (failed >= options.failures) openUntil = now + options.openMs
        return
      }
    }
    failed = 0
  }

  return {
    guard: (call, { isOutage, onOpen }) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const now = yield* monotonicMillis
          const isOpen = failed >= options.failures
          if (isOpen && (now < openUntil || isTrying)) {
            return yield* Effect.fail(onOpen(Math.max(openUntil - now, 1000)))
          }
          if (isOpen) isTrying = true
          const exit = yield* Effect.exit(restore(call))
          settle(exit, yield* monotonicMillis, isOpen, isOutage)
          return yield* exit
        })
      )
  }
}
