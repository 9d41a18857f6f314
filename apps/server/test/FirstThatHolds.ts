import { assert } from "@effect/vitest"
import { Effect } from "effect"

/**
 * For promises about time. Other load on the machine only adds to durations: it may spoil some attempts, while code
 * that is too slow is too slow in all of them. Returns the first attempt that holds.
 */
export const firstThatHolds = <A, E, R>(attempt: Effect.Effect<A, E, R>, holds: (found: A) => boolean, max = 5) =>
  Effect.gen(function* () {
    const found: Array<A> = []
    while (found.length < max) {
      const one = yield* attempt
      if (holds(one)) return one
      found.push(one)
    }
    return assert.fail(`none of the attempts holds: ${JSON.stringify(found)}`)
  })
