import { Effect } from "effect"

/** Shows readers whether data was written since they read it. */
export interface ChangeCounter {
  /** Runs a write. One that fails counts as well, because its transaction may have been committed in the database. */
  readonly write: <A, E, R>(write: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Counts a change that has already happened. */
  readonly changed: () => void
  /** Opens a check whether nothing was written since. Undefined during a write. */
  readonly watch: () => (() => boolean) | undefined
}

export const makeChangeCounter = (): ChangeCounter => {
  // Incremented when a write begins and when it ends: odd during a write.
  let changes = 0
  const count = Effect.sync(() => void (changes += 1))
  return {
    write: (write) =>
      Effect.acquireUseRelease(
        count,
        () => write,
        () => count
      ),
    changed: () => void (changes += 2),
    watch: () => {
      const before = changes
      return before % 2 === 1 ? undefined : () => changes === before
    }
  }
}
