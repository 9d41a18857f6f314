import { Effect, Option, Semaphore } from "effect"

/** Runs an effect as soon as fewer than `atOnce` others run; fails at once if `waiting` others wait already. */
export type ConcurrencyLimiter<E2> = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>

/** Holds a permit while the effect runs; fails at once if none is free. */
export const withPermitOrFail =
  <E2>(permits: Semaphore.Semaphore, onFull: () => E2): ConcurrencyLimiter<E2> =>
  (effect) =>
    Effect.flatMap(
      permits.withPermitsIfAvailable(1)(effect),
      Option.match({
        onNone: () => Effect.fail(onFull()),
        onSome: Effect.succeed
      })
    )

export const makeConcurrencyLimiter = <E2>(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly onFull: () => E2
}): ConcurrencyLimiter<E2> => {
  const permits = Semaphore.makeUnsafe(options.atOnce)
  const admit = withPermitOrFail(Semaphore.makeUnsafe(options.atOnce + options.waiting), options.onFull)
  return (effect) => admit(permits.withPermits(1)(effect))
}
