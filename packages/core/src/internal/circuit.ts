import * as Duration from "effect/Duration"
import type { RetryPolicy } from "../client/RetryPolicy.ts"

/**
 * What the attempts of one client have last met: as many failures in a row as the policy bears open the circuit. It lets
 * one attempt through at the end of each cool-down, until something answers.
 */
export const makeCircuit = ({ coolDown, failuresToOpen }: RetryPolicy) => {
  const closedFor = Duration.toMillis(coolDown)
  let failures = 0
  let answers = 0
  let openUntil = 0
  let detail = ""
  const isOpen = () => failures >= failuresToOpen

  return {
    /** Milliseconds until an attempt may go; 0 where one may go now. */
    openFor: (now: number) => (isOpen() ? Math.max(0, openUntil - now) : 0),
    seen: () => ({ failures, detail }),
    /** Before an attempt. What it gives is handed to `failed`. */
    enter: (now: number): number => {
      if (isOpen()) openUntil = now + closedFor
      return answers
    },
    answered: () => {
      answers++
      failures = 0
    },
    /** An attempt that began before the last answer tells nothing new. */
    failed: (entered: number, now: number, message: string) => {
      if (entered !== answers) return
      failures++
      detail = message
      if (isOpen()) openUntil = now + closedFor
    }
  }
}
