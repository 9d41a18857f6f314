import { Effect } from "effect"

/** Probes per batch: each round divides the remaining range by one more than that. */
const probes = 15

/**
 * The smallest number in `[low, high]` whose time is not before `time`, or `high + 1`. Times must not decrease with the
 * number. A chain of 25 million blocks takes seven rounds.
 */
export const firstNotBefore = Effect.fnUntraced(function* <E, R>(
  time: number,
  low: number,
  high: number,
  timesOf: (numbers: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, E, R>
): Effect.fn.Return<number, E, R> {
  let from = low
  let end = high + 1 // the answer lies in [from, end]
  while (from < end) {
    const step = Math.max(1, Math.ceil((end - from) / (probes + 1)))
    const numbers: Array<number> = []
    for (let number = from + step - 1; number < end; number += step) numbers.push(number)
    const times = yield* timesOf(numbers)
    const reached = times.findIndex((found) => found >= time)
    const before = reached < 0 ? numbers.at(-1) : numbers[reached - 1]
    if (reached >= 0) end = numbers[reached] ?? end
    if (before !== undefined) from = before + 1
  }
  return from
})
