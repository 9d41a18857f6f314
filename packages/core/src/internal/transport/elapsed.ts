import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Monotonic milliseconds: for delays and timeouts. */
export const elapsedMillis: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) =>
  Number(nanos / 1_000_000n)
)
