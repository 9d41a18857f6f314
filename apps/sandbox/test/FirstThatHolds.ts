import { assert } from "@effect/vitest"
import { Effect } from "effect"

/**
 * For what is promised of time. Whatever else the machine does only ever adds to it: some attempts may be spoiled, while
 * what is too slow by itself is too slow in all of them. Ends with the first attempt that holds.
 */
export const firstThatHolds = <A, E, R>(attempt: Effect.Effect<A, E, R>, holds: (found: A) => boolean, most = 5) =>
  Effect.gen(function* () {
    const found: Array<A> = []
    while (found.length < most) {
      const one = yield* attempt
      if (holds(one)) return one
      found.push(one)
    }
    return assert.fail(`none of the attempts holds: ${JSON.stringify(found)}`)
  })
