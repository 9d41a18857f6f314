import type { Effect } from "effect"
import { Semaphore } from "effect"
import { makeSlots, withSlot } from "./Slots.ts"

/** Runs an effect as soon as fewer than `atOnce` others run; fails at once if `waiting` others wait already. */
export type ConcurrencyLimiter<E2> = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>

export const makeConcurrencyLimiter = <E2>(options: {
  readonly atOnce: number
  readonly waiting: number
  readonly onFull: () => E2
}): ConcurrencyLimiter<E2> => {
  const permits = Semaphore.makeUnsafe(options.atOnce)
  const admit = withSlot(makeSlots(options.atOnce + options.waiting), options.onFull)
  return (effect) => admit(permits.withPermits(1)(effect))
}
