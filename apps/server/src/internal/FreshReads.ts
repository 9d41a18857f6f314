import { Deferred, Effect } from "effect"
import type { Scope } from "effect"

/** Reads what the key names. Equal keys name the same data. */
export type FreshReads<A, E> = (key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>

interface Waiting<A, E> {
  readonly result: Deferred.Deferred<A, E>
  readonly read: Effect.Effect<A, E>
}

/**
 * Shares reads: a caller gets the result of a read that began after its call. Callers that arrive while a read of their
 * key runs wait for the next one, and share it: the store runs one read of a key at a time.
 */
export const makeFreshReads = <A, E>(): Effect.Effect<FreshReads<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    /** A key is present while it is being read. */
    const groups = new Map<string, Waiting<A, E> | undefined>()

    const next = (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const waiting = groups.get(key)
        if (waiting === undefined) {
          groups.delete(key)
          return Effect.void
        }
        groups.set(key, undefined)
        const turn = Effect.ensuring(Deferred.into(waiting.read, waiting.result), next(key))
        // Not in the fiber of the reader, which is done or interrupted.
        return Effect.asVoid(Effect.forkIn(turn, scope))
      })

    return (key, read) =>
      // An entered key is always left, even if the fiber is interrupted at once.
      Effect.uninterruptibleMask((restore) =>
        Effect.contextWith((context) => {
          if (!groups.has(key)) {
            groups.set(key, undefined)
            return Effect.ensuring(restore(read), next(key))
          }
          const waiting = groups.get(key) ?? {
            result: Deferred.makeUnsafe<A, E>(),
            read: Effect.provideContext(read, context)
          }
          groups.set(key, waiting)
          return restore(Deferred.await(waiting.result))
        })
      )
  })
