import { Effect, Option, Schema } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"
import { Ownership } from "./Ownership.ts"
import type { PublishedStatus, RunningTask } from "./Ownership.ts"
import type { OwningRole } from "./Roles.ts"
import { ownerTimeoutMs } from "./Timing.ts"

/** A sentence for work that no instance does now. */
const hasNoOwner = "No instance does this work at the moment."

/**
 * Does the work that is assigned to this instance, and reports the status of all work. `begin` creates the local work,
 * which `running` returns; `published` returns the status of work elsewhere, as its owner published it.
 */
export const runOwnedWork = Effect.fnUntraced(function* <A, I, B, R>(options: {
  readonly role: OwningRole
  readonly status: Schema.Codec<A, I>
  /** The status of work without an owner, given its last one. `lastError` is null while it may be about to start here. */
  readonly withoutOwner: (status: A, lastError: string | null) => A
  readonly works: ReadonlyArray<{
    readonly name: string
    readonly begin: Effect.Effect<B & RunningTask<R, A>, never, R>
  }>
}): Effect.fn.Return<
  {
    readonly running: (name: string) => (B & RunningTask<R, A>) | undefined
    readonly published: (name: string) => Effect.Effect<Option.Option<PublishedStatus<A>>>
    /** The status of work, wherever it is done. `starting` is that of work that has none yet. */
    readonly status: (name: string, starting: A) => Effect.Effect<A>
  },
  never,
  Ownership | R | Scope.Scope
> {
  const { own, roles, published } = yield* Ownership
  const encode = Schema.encodeEffect(options.status)
  const decode = Schema.decodeUnknownOption(options.status)
  const running = new Map<string, B & RunningTask<R, A>>()
  const begunAt = yield* monotonicMillis

  const trackTask = (name: string, task: B & RunningTask<R, A>): RunningTask<R> => ({
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
  const statusElsewhere = (name: string) =>
    Effect.map(published(name), (found) =>
      Option.flatMap(found, ({ ageMs, status }) =>
        Option.map(decode(status), (decoded) => ({ status: decoded, ageMs }))
      )
    )
  return {
    running: (name) => running.get(name),
    published: statusElsewhere,
    status: Effect.fnUntraced(function* (name, starting) {
      const own = running.get(name)
      if (own !== undefined) return yield* own.status
      const known = Option.getOrUndefined(yield* statusElsewhere(name))
      if (known !== undefined) {
        return known.ageMs <= ownerTimeoutMs ? known.status : options.withoutOwner(known.status, hasNoOwner)
      }
      const mayStart = roles.includes(options.role) && (yield* monotonicMillis) - begunAt <= ownerTimeoutMs
      return options.withoutOwner(starting, mayStart ? null : hasNoOwner)
    })
  }
})
