import { Deferred, Effect } from "effect"
import type { Scope } from "effect"

/** Answers a question by its key. The same key stands for the same question. */
export type GroupedReads<A, E> = (key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>

interface Waiting<A, E> {
  readonly answer: Deferred.Deferred<A, E>
  readonly read: Effect.Effect<A, E>
}

/**
 * While a question is being answered, whoever else asks it waits for one further read, which begins when that one has
 * ended and answers all of them. Nobody is told what was read before he asked, and however many ask, the store answers
 * each question once at a time.
 */
export const makeGroupedReads = <A, E>(): Effect.Effect<GroupedReads<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    /** A key is there while its question is being answered. */
    const groups = new Map<string, Waiting<A, E> | undefined>()

    const next = (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const waiting = groups.get(key)
        if (waiting === undefined) {
          groups.delete(key)
          return Effect.void
        }
        groups.set(key, undefined)
        const turn = Effect.flatMap(Effect.exit(waiting.read), (exit) => Deferred.done(waiting.answer, exit))
        // Not in the fiber of the one who has read: he has his answer, or is gone.
        return Effect.asVoid(Effect.forkIn(Effect.ensuring(turn, next(key)), scope))
      })

    return (key, read) =>
      // Whoever enters a key leaves it, also when he is interrupted at once.
      Effect.uninterruptibleMask((restore) =>
        Effect.contextWith((context) => {
          if (!groups.has(key)) {
            groups.set(key, undefined)
            return Effect.ensuring(restore(read), next(key))
          }
          const waiting = groups.get(key) ?? {
            answer: Deferred.makeUnsafe<A, E>(),
            read: Effect.provideContext(read, context)
          }
          groups.set(key, waiting)
          return restore(Deferred.await(waiting.answer))
        })
      )
  })
