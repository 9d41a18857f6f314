import { Clock, Effect } from "effect"

/**
 * Milliseconds since an arbitrary moment, unaffected by steps of the wall clock: for durations, deadlines and expiry. A
 * wait that is measured in Unix time lasts an hour longer if the clock is set back by an hour.
 */
export const monotonicMillis: Effect.Effect<number> = Effect.map(Clock.Clock, (clock) => toMonotonicMillis(clock))

/** The same for synchronous code. */
export const toMonotonicMillis = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
