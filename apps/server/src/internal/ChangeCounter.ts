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
  let changes = 0
  let writing = 0
  return {
    write: (write) =>
      Effect.acquireUseRelease(
        Effect.sync(() => void (writing += 1)),
        () => write,
        () =>
          Effect.sync(() => {
            writing -= 1
            changes += 1
          })
      ),
    changed: () => void (changes += 1),
    watch: () => {
      const before = changes
      return writing > 0 ? undefined : () => writing === 0 && changes === before
    }
  }
}
