import { Clock, Effect, Latch, Queue } from "effect"
import { toMonotonicMillis } from "../../../internal/monotonic.ts"
import { getSize } from "../ledger/Ledger.ts"
import type { Arrival } from "../ledger/Ledger.ts"

/** Collects arrivals for the next transaction. */
export interface Intake {
  /** Waits while a whole transaction is collected, so that the flow of the market notices a slow store. */
  readonly offer: (arrival: Arrival) => Effect.Effect<void>
  /** Waits until there is an arrival. */
  readonly arrived: Effect.Effect<void>
  /** All collected arrivals. */
  readonly take: Effect.Effect<ReadonlyArray<Arrival>>
  /** The number of collected trades. */
  readonly waiting: () => number
  /** Since when the oldest arrival waits, by `monotonicMillis`. */
  readonly waitingSince: () => number | undefined
}

/** `capacity` is the number of trades that make a whole transaction. */
export const makeIntake = Effect.fnUntraced(function* (capacity: number): Effect.fn.Return<Intake> {
  const clock = yield* Clock.Clock
  const arrived = yield* Queue.sliding<void>(1)
  const space = yield* Latch.make(true)
  let arrivals: Array<Arrival> = []
  let waiting = 0
  let since: number | undefined

  return {
    offer: Effect.fnUntraced(function* (arrival) {
      yield* space.await
      arrivals.push(arrival)
      since ??= toMonotonicMillis(clock)
      waiting += getSize(arrival)
      if (waiting >= capacity) yield* space.close
      yield* Queue.offer(arrived, undefined)
    }),
    arrived: Queue.take(arrived),
    take: Effect.gen(function* () {
      const all = arrivals
      arrivals = []
      waiting = 0
      since = undefined
      yield* space.open
      return all
    }),
    waiting: () => waiting,
    waitingSince: () => since
  }
})
