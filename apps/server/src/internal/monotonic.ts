import { Clock, Effect } from "effect"

/**
 * Milliseconds since a moment that nobody knows, which no step of the wall clock changes: for everything that lasts, is due
 * or is held. A wait that is counted in Unix time lasts an hour longer where the clock is set back by an hour.
 */
export const monotonicMillis: Effect.Effect<number> = Effect.map(Clock.Clock, (clock) => monotonicMillisOf(clock))

/** The same for those who wait for nothing. */
export const monotonicMillisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
