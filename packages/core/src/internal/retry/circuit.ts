import * as Duration from "effect/Duration"
import type { RetryPolicy } from "../../client/RetryPolicy.ts"

/**
 * The circuit breaker of one client: the policy's number of consecutive failures opens the circuit. After each
 * cool-down one attempt is let through, until the service responds.
 */
export const makeCircuit = ({ coolDown, failuresToOpen }: RetryPolicy) => {
  const closedFor = Duration.toMillis(coolDown)
  let failures = 0
  let answers = 0
  let openUntil = 0
  let detail = ""
  const isOpen = () => failures >= failuresToOpen

  return {
    /** Milliseconds until the next attempt is allowed; 0 if one is allowed now. */
    openFor: (now: number) => (isOpen() ? Math.max(0, openUntil - now) : 0),
    seen: () => ({ failures, detail }),
    /** Called before an attempt. Its result is passed to `failed`. */
    enter: (now: number): number => {
      if (isOpen()) openUntil = now + closedFor
      return answers
    },
    answered: () => {
      answers++
      failures = 0
    },
    /** An attempt that began before the last response carries no new information. */
    failed: (entered: number, now: number, message: string) => {
      if (entered !== answers) return
      failures++
      detail = message
      if (isOpen()) openUntil = now + closedFor
    }
  }
}
