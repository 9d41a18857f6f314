import type { Random } from "effect"

export type NonEmpty<A> = readonly [A, ...Array<A>]

export const isNonEmpty = <A>(list: ReadonlyArray<A>): list is NonEmpty<A> => list.length > 0

/** Random values of a seeded generator. */
export interface RandomDraws {
  /** From `low` up to `high`, `high` excluded. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(choices: NonEmpty<A>) => A
  /** Mean 0, standard deviation 1 (the sum of twelve uniform draws). */
  readonly normal: () => number
}

export const makeRandomDraws = (random: typeof Random.Random.Service): RandomDraws => {
  const next = () => random.nextDoubleUnsafe()
  return {
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
    normal: () => {
      let sum = -6
      for (let draw = 0; draw < 12; draw++) sum += next()
      return sum
    }
  }
}
