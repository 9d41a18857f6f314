import { Deferred, Effect } from "effect"
import type { Scope } from "effect"

/** Answers a question by its key. Equal keys are equal questions. */
export type SingleFlight<A, E> = (key: string, read: Effect.Effect<A, E>) => Effect.Effect<A, E>

interface Waiting<A, E> {
  readonly answer: Deferred.Deferred<A, E>
  readonly read: Effect.Effect<A, E>
}

/**
 * While a question is being answered, later callers of the same question wait for one further read, which starts when
 * the current one ends and answers all of them. No caller receives data that was read before its call, and the
 * store answers each question once at a time.
 */
export const makeSingleFlight = <A, E>(): Effect.Effect<SingleFlight<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    /** A key is present while its question is being answered. */
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
        // Not in the fiber of the reader, which is done or interrupted.
        return Effect.asVoid(Effect.forkIn(Effect.ensuring(turn, next(key)), scope))
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
            answer: Deferred.makeUnsafe<A, E>(),
            read: Effect.provideContext(read, context)
          }
          groups.set(key, waiting)
          return restore(Deferred.await(waiting.answer))
        })
      )
  })
