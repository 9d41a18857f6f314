import { Cause, Effect, Exit, Option } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"

/** What an error proves of the exchange: that it is down, that it is alive, or nothing, as it was not asked. */
export type Evidence = "down" | "alive" | "none"

/**
 * A circuit breaker: `failures` failed calls in a row open the circuit for `openMs`; then one probe call decides
 * whether it closes. A call that proves nothing leaves the circuit as it was, and another one probes; so does another one
 * after a probe that takes longer than `openMs`, because it may wait for as long as the exchange asks it to.
 */
export interface OutageBreaker {
  /** A success proves the exchange alive; an interruption proves nothing. */
  readonly guard: <A, E, R, E2>(
    call: Effect.Effect<A, E, R>,
    options: { readonly toEvidence: (error: E) => Evidence; readonly onOpen: (retryAfterMs: number) => E2 }
  ) => Effect.Effect<A, E | E2, R>
}

const getEvidence = <A, E>(exit: Exit.Exit<A, E>, toEvidence: (error: E) => Evidence): Evidence =>
  Exit.isSuccess(exit)
    ? "alive"
    : Option.match(Cause.findErrorOption(exit.cause), { onNone: () => "none", onSome: toEvidence })

export const makeOutageBreaker = (options: { readonly failures: number; readonly openMs: number }): OutageBreaker => {
  let failed = 0
  let openUntil = 0
  /** Until when a trial holds other calls back. */
  let tryingUntil = 0

  const settle = (evidence: Evidence, now: number, isTrial: boolean) => {
    if (isTrial) tryingUntil = 0
    if (evidence === "alive") failed = 0
    if (evidence !== "down") return
    failed++
    if (failed >= options.failures) openUntil = now + options.openMs
  }

  return {
    guard: (call, { onOpen, toEvidence }) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const now = yield* monotonicMillis
          const isOpen = failed >= options.failures
          if (isOpen && now < Math.max(openUntil, tryingUntil)) {
            return yield* Effect.fail(onOpen(Math.max(openUntil - now, 1000)))
          }
          if (isOpen) tryingUntil = now + options.openMs
          const exit = yield* Effect.exit(restore(call))
          settle(getEvidence(exit, toEvidence), yield* monotonicMillis, isOpen)
          return yield* exit
        })
      )
  }
}
