import { Clock, Effect } from "effect"

/** The clock of the test with a stepped time of day: code that uses monotonic time is unaffected. */
export const makeSteppedClock = Effect.map(Clock.Clock, (clock) => {
  let ahead = 0
  const millis = () => clock.currentTimeMillisUnsafe() + ahead
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n
  const stepped: Clock.Clock = {
    // The additional members of a `TestClock`.
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(duration)
  }
  return {
    /** For the program under test. */
    clock: stepped,
    /** Sets the time of day ahead of the test's. */
    step: (ms: number) => Effect.sync(() => void (ahead = ms))
  }
})

/** Runs an effect at this time of day (Unix ms). */
export const atTime =
  (time: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(makeSteppedClock, ({ clock, step }) =>
      Effect.andThen(step(time - clock.currentTimeMillisUnsafe()), Effect.provideService(effect, Clock.Clock, clock))
    )
