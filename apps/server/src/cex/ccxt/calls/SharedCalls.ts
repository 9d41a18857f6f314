import { Effect, Exit, Fiber } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../../../internal/monotonic.ts"

interface Shared<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
  /** Absent while the call runs. */
  freshUntil: number | undefined
}

/**
 * Calls with the same key share one run. A success is shared with later callers for `freshMs`; a failure is not cached.
 * The run is interrupted when its last caller leaves, unless `survivesCallers`.
 */
export interface SharedCalls<A, E> {
  readonly get: (
    key: string,
    call: Effect.Effect<A, E>,
    options: { readonly freshMs: number; readonly survivesCallers?: boolean }
  ) => Effect.Effect<A, E>
}

/** The number of entries from which stale ones are evicted. */
const sweepFrom = 256

export const makeSharedCalls = <A, E>(): Effect.Effect<SharedCalls<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const entries = new Map<string, Shared<A, E>>()

    const sweep = (now: number) => {
      if (entries.size < sweepFrom) return
      for (const [key, { freshUntil }] of entries)
        if (freshUntil !== undefined && freshUntil <= now) entries.delete(key)
    }

    const start = Effect.fnUntraced(function* (key: string, call: Effect.Effect<A, E>, freshMs: number) {
      let entry: Shared<A, E> | undefined
      const finish = (exit: Exit.Exit<A, E>) =>
        Effect.map(monotonicMillis, (now) => {
          if (entries.get(key) !== entry || entry === undefined) return
          if (Exit.isSuccess(exit) && freshMs > 0) entry.freshUntil = now + freshMs
          else entries.delete(key)
        })
      const fiber = yield* Effect.forkIn(Effect.onExit(Effect.interruptible(call), finish), scope)
      entry = { fiber, waiting: 0, freshUntil: undefined }
      entries.set(key, entry)
      return entry
    })

    const leave = (key: string, entry: Shared<A, E>, survivesCallers: boolean) =>
      Effect.suspend(() => {
        entry.waiting--
        if (survivesCallers || entry.waiting > 0 || entry.freshUntil !== undefined || entries.get(key) !== entry) {
          return Effect.void
        }
        entries.delete(key)
        return Effect.asVoid(Effect.forkIn(Fiber.interrupt(entry.fiber), scope))
      })

    return {
      get: (key, call, { freshMs, survivesCallers = false }) =>
        Effect.uninterruptibleMask(
          Effect.fnUntraced(function* (restore) {
            const now = yield* monotonicMillis
            const known = entries.get(key)
            const isUsable = known !== undefined && (known.freshUntil === undefined || now < known.freshUntil)
            sweep(now)
            const entry = isUsable ? known : yield* start(key, call, freshMs)
            entry.waiting++
            return yield* Effect.ensuring(restore(Fiber.join(entry.fiber)), leave(key, entry, survivesCallers))
          })
        )
    }
  })
