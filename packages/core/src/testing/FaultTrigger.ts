/**
 * Selects the requests that a fault affects.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"

/**
 * A fault affects the requests that match all given conditions; without any, every request. Requests are counted, and
 * times are measured, from the build of the layer.
 *
 * @example
 * ```ts
 * import type { Faults } from "@chaintape/core/testing"
 *
 * const firstMinuteOfTrades: Faults.FaultTrigger = { until: "1 minute", path: /trades$/ }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface FaultTrigger {
  /** Only after this many requests. */
  readonly skip?: number | undefined
  /** Only this many requests, after those that are skipped. */
  readonly first?: number | undefined
  /** Only this fraction of the requests, from 0 to 1, drawn for each. */
  readonly share?: number | undefined
  /** The seed of the random draws. */
  readonly seed?: string | undefined
  /** Only from this time on, after the layer was built. */
  readonly from?: Duration.Input | undefined
  /** Only before this time, after the layer was built. */
  readonly until?: Duration.Input | undefined
  /** Only requests whose path matches; the others are not counted. */
  readonly path?: RegExp | undefined
}

const millis = (input: Duration.Input | undefined, standard: number) =>
  input === undefined ? standard : Duration.toMillis(Duration.fromInputUnsafe(input))

/**
 * Decides whether the fault affects a request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeTrigger = (trigger: FaultTrigger): Effect.Effect<(url: URL) => Effect.Effect<boolean>> =>
  Effect.gen(function* () {
    const built = yield* Clock.currentTimeMillis
    // Its own generator, so that no other random value affects the selection.
    const random = yield* Random.withSeed(Random.Random, trigger.seed ?? "fault")
    const skip = trigger.skip ?? 0
    const end = skip + (trigger.first ?? Infinity)
    const from = millis(trigger.from, 0)
    const until = millis(trigger.until, Infinity)
    let count = 0
    return (url) =>
      Effect.gen(function* () {
        if (trigger.path !== undefined && !trigger.path.test(url.pathname)) return false
        const number = count++
        const drawn = random.nextDoubleUnsafe()
        if (number < skip || number >= end) return false
        const age = (yield* Clock.currentTimeMillis) - built
        if (age < from || age >= until) return false
        return drawn < (trigger.share ?? 1)
      })
  })
