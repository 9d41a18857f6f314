import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Milliseconds that only ever grow, whatever becomes of the time of day: for waits, and bounds of time. */
export const elapsedMillis: Effect.Effect<number> = Effect.map(
  Effect.flatMap(Clock.Clock, (clock) => clock.monotonicTimeNanos),
  (nanos) => Number(nanos / 1_000_000n)
)
