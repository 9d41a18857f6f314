import { Effect, Random } from "effect"

export interface Backoff {
  readonly firstMs: number
  readonly maxMs: number
}

/** Between attempts of a recording or an index, whose source or store fails. */
export const recoveryBackoff: Backoff = { firstMs: 500, maxMs: 30_000 }

/** The delay after the n-th failure in a row: doubles each time, with jitter. */
export const backoffMs = (failures: number, { firstMs, maxMs }: Backoff, demandedMs = 0): Effect.Effect<number> =>
  Effect.map(Random.next, (random) => {
    const growing = Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(failures, 1) - 1, 16))
    return Math.max(demandedMs, growing * (0.5 + random / 2))
  })
