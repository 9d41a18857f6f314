import { Clock, Effect } from "effect"

/** The clock of the test, whose time of day can be set, and whose time passes at once. What sleeps is unaffected. */
export const makeSteppedClock = Effect.map(Clock.Clock, (clock) => {
  let ahead = 0
  let passed = 0
  const toNanos = (ms: number) => BigInt(ms) * 1_000_000n
  const millis = () => clock.currentTimeMillisUnsafe() + ahead + passed
  const nanos = () => clock.currentTimeNanosUnsafe() + toNanos(ahead + passed)
  const monotonic = () => clock.monotonicTimeNanosUnsafe() + toNanos(passed)
  const stepped: Clock.Clock = {
    // The additional members of a `TestClock`.
    ...clock,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) => clock.sleep(duration)
  }
  return {
    /** For the program under test. */
    clock: stepped,
    /** Sets the time of day ahead of the test's: code that uses monotonic time is unaffected. */
    step: (ms: number) => Effect.sync(() => void (ahead = ms)),
    pass: (ms: number) => Effect.sync(() => void (passed += ms))
  }
})

/** Runs an effect at this time of day (Unix ms). */
export const atTime =
  (time: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(makeSteppedClock, ({ clock, step }) =>
      Effect.andThen(step(time - clock.currentTimeMillisUnsafe()), Effect.provideService(effect, Clock.Clock, clock))
    )
