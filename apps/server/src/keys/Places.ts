import { Effect } from "effect"
import type { Scope } from "effect"

/** How many requests of each key are under way on this instance. */
export const makePlaces = () => {
  const taken = new Map<string, number>()
  const leave = (key: string) =>
    Effect.sync(() => {
      const left = (taken.get(key) ?? 1) - 1
      if (left === 0) taken.delete(key)
      else taken.set(key, left)
    })
  return {
    /** Holds a place until the scope, which is the request's, ends: false where all `most` are held. */
    take: (key: string, most: number): Effect.Effect<boolean, never, Scope.Scope> =>
      Effect.suspend(() => {
        const before = taken.get(key) ?? 0
        if (before >= most) return Effect.succeed(false)
        taken.set(key, before + 1)
        return Effect.as(
          Effect.addFinalizer(() => leave(key)),
          true
        )
      }).pipe(Effect.uninterruptible)
  }
}
