import { Effect, Random } from "effect"

export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/** How long to wait after the n-th failure in a row: twice as long after each, and different for everyone who waits. */
export const delayMs = (failures: number, { firstMs, longestMs }: Backoff, demandedMs = 0): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => {
    const growing = Math.min(longestMs, firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 16))
    return Math.max(demandedMs, growing * (0.5 + random / 2))
  })
