import { assert } from "@effect/vitest"
import { Effect } from "effect"

/**
 * Measures something that only real time can show, such as the latency of a process or the rate of frames, on a machine
 * that other programs use too. Their load only adds to durations: it may spoil some attempts, while code that is too slow
 * is too slow in all of them. Returns the first attempt that holds.
 *
 * Nothing else needs attempts: what waits has a `TestClock`, and what happens at some time is awaited as a condition.
 */
export const measureRealTime = <A, E, R>(attempt: Effect.Effect<A, E, R>, holds: (found: A) => boolean, max = 5) =>
  Effect.gen(function* () {
    const found: Array<A> = []
    while (found.length < max) {
      const one = yield* attempt
      if (holds(one)) return one
      found.push(one)
    }
    return assert.fail(`none of the attempts holds: ${JSON.stringify(found)}`)
  })
