import { Cause, Effect, Exit, Option } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"
import type { CallLimits } from "./CallLimits.ts"

/** An error proves that the exchange is down, that it is alive, or nothing, as it was not asked. */
export type Reachability = "down" | "alive" | "none"

/**
 * A circuit breaker: `failureThreshold` failed calls in a row open the circuit for `resetTimeoutMs`; then one probe
 * call decides whether it closes. A call that proves nothing leaves the circuit as it was, and another one probes; so
 * does another one after a probe that takes longer than `resetTimeoutMs`, because it may wait for as long as the
 * exchange asks it to.
 */
export interface OutageBreaker {
  /** A success proves the exchange alive; an interruption proves nothing. */
  readonly guard: <A, E, R, E2>(
    call: Effect.Effect<A, E, R>,
    options: { readonly toReachability: (error: E) => Reachability; readonly onOpen: (retryAfterMs: number) => E2 }
  ) => Effect.Effect<A, E | E2, R>
}

const getReachability = <A, E>(exit: Exit.Exit<A, E>, toReachability: (error: E) => Reachability): Reachability =>
  Exit.isSuccess(exit)
    ? "alive"
    : Option.match(Cause.findErrorOption(exit.cause), { onNone: () => "none", onSome: toReachability })

export const makeOutageBreaker = (options: Pick<CallLimits, "failureThreshold" | "resetTimeoutMs">): OutageBreaker => {
  let failed = 0
  let openUntil = 0
  /** Until when a probe holds other calls back. */
  let probingUntil = 0

  const count = (reachability: Reachability, now: number, isProbe: boolean) => {
    if (isProbe) probingUntil = 0
    if (reachability === "alive") failed = 0
    if (reachability !== "down") return
    failed++
    if (failed >= options.failureThreshold) openUntil = now + options.resetTimeoutMs
  }

  return {
    guard: (call, { onOpen, toReachability }) =>
      Effect.uninterruptibleMask(
        Effect.fnUntraced(function* (restore) {
          const now = yield* monotonicMillis
          const isOpen = failed >= options.failureThreshold
          if (isOpen && now < Math.max(openUntil, probingUntil)) {
            return yield* Effect.fail(onOpen(Math.max(openUntil - now, 1000)))
          }
          if (isOpen) probingUntil = now + options.resetTimeoutMs
          const exit = yield* Effect.exit(restore(call))
          count(getReachability(exit, toReachability), yield* monotonicMillis, isOpen)
          return yield* exit
        })
      )
  }
}
