import { Effect, Option, Schema } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"
import { Ownership } from "./Ownership.ts"
import type { RunningTask } from "./Ownership.ts"
import type { OwningRole } from "./Roles.ts"
import { ownerTimeoutMs } from "./Timing.ts"

/** Work that runs on this instance. */
interface Running<A, R> extends RunningTask<R> {
  readonly status: Effect.Effect<A>
}

/** The owner's published status, and its age. */
export interface StatusElsewhere<A> {
  readonly status: A
  readonly ageMs: number
  /** Whether its owner is alive. */
  readonly isOwned: boolean
}

/** A sentence for work that was done, and that no instance does now. */
export const hasNoOwner = "No instance does this work at the moment."

/**
 * Does the work that is assigned to this instance, and reports the status of all work. `begin` creates the local work,
 * whose status `running` returns; `published` returns the status of work elsewhere, as its owner published it.
 */
export const runOwnedWork = Effect.fnUntraced(function* <A, I, B, R>(options: {
  readonly role: OwningRole
  readonly status: Schema.Codec<A, I>
  readonly works: ReadonlyArray<{ readonly name: string; readonly begin: Effect.Effect<B & Running<A, R>, never, R> }>
}): Effect.fn.Return<
  {
    readonly running: (name: string) => (B & Running<A, R>) | undefined
    readonly published: (name: string) => Effect.Effect<Option.Option<StatusElsewhere<A>>>
    /** Why a piece of work has no status; null while it may be about to start here. */
    readonly missingReason: Effect.Effect<string | null>
  },
  never,
  Ownership | R | Scope.Scope
> {
  const { own, roles, published } = yield* Ownership
  const encode = Schema.encodeEffect(options.status)
  const decode = Schema.decodeUnknownOption(options.status)
  const running = new Map<string, B & Running<A, R>>()
  const begunAt = yield* monotonicMillis

  const trackTask = (name: string, task: B & Running<A, R>): RunningTask<R> => ({
    run: Effect.acquireUseRelease(
      Effect.sync(() => running.set(name, task)),
      // Work that ended by itself is done, and still has a status.
      () => Effect.andThen(task.run, Effect.never),
      () => Effect.sync(() => running.delete(name))
    ),
    status: Effect.orDie(Effect.flatMap(task.status, encode))
  })

  yield* Effect.forEach(
    options.works,
    ({ begin, name }) => own({ name, role: options.role, begin: Effect.map(begin, (task) => trackTask(name, task)) }),
    { discard: true }
  )
  return {
    running: (name) => running.get(name),
    published: (name) =>
      Effect.map(published(name), (found) =>
        Option.flatMap(found, ({ ageMs, status }) =>
          Option.map(decode(status), (decoded) => ({ status: decoded, ageMs, isOwned: ageMs <= ownerTimeoutMs }))
        )
      ),
    missingReason: Effect.map(monotonicMillis, (now) =>
      roles.includes(options.role) && now - begunAt <= ownerTimeoutMs ? null : hasNoOwner
    )
  }
})
