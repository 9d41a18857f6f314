import { assert } from "@effect/vitest"
import { Effect } from "effect"

/**
 * Repeats an assertion about time until it passes. Other load on the machine can only slow an attempt down: some
 * attempts may fail because of it, while code that is too slow by itself fails in all of them.
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
