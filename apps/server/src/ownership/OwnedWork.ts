import { Clock, Effect, Option, Schema } from "effect"
import type { Scope } from "effect"
import { Ownership } from "./Ownership.ts"
import type { Undertaking } from "./Ownership.ts"
import type { OwningRole } from "./Roles.ts"

/** Milliseconds. Of an owner that has told nothing for longer it is not known whether it still does its work. */
const silence = 3000

/** Work that runs on this instance. */
interface Running<A, R> extends Undertaking<R> {
  readonly status: Effect.Effect<A>
}

/** What the owner told, and how long ago. */
export interface Known<A> {
  readonly status: A
  readonly ageMs: number
  /** Whether its owner is there. */
  readonly isKept: boolean
}

/** Sentence for work that was done, and that nobody does now. */
export const isNotKept = "No instance does this work at the moment."

/**
 * Does the pieces of work that fall to this instance, and knows how all of them go. `begin` makes what runs here, of which
 * `running` answers; `told` answers of what runs elsewhere, as its owner told it.
 */
export const ownAll = Effect.fnUntraced(function* <A, I, B, R>(options: {
  readonly role: OwningRole
  readonly status: Schema.Codec<A, I>
  readonly works: ReadonlyArray<{ readonly name: string; readonly begin: Effect.Effect<B & Running<A, R>, never, R> }>
}): Effect.fn.Return<
  {
    readonly running: (name: string) => (B & Running<A, R>) | undefined
    readonly told: (name: string) => Effect.Effect<Option.Option<Known<A>>>
    /** Why nobody tells of a piece of work; null as long as it may be about to begin here. */
    readonly whySilent: Effect.Effect<string | null>
  },
  never,
  Ownership | R | Scope.Scope
> {
  const { own, roles, told } = yield* Ownership
  const encode = Schema.encodeEffect(options.status)
  const decode = Schema.decodeUnknownOption(options.status)
  const running = new Map<string, B & Running<A, R>>()
  const begunAt = yield* Clock.monotonicTimeNanos

  const started = (name: string, undertaking: B & Running<A, R>): Undertaking<R> => ({
    run: Effect.acquireUseRelease(
      Effect.sync(() => running.set(name, undertaking)),
      // What has ended by itself is done, and still tells how.
      () => Effect.andThen(undertaking.run, Effect.never),
      () => Effect.sync(() => running.delete(name))
    ),
    status: Effect.orDie(Effect.flatMap(undertaking.status, encode))
  })

  yield* Effect.forEach(
    options.works,
    ({ begin, name }) =>
      own({ name, role: options.role, begin: Effect.map(begin, (undertaking) => started(name, undertaking)) }),
    { discard: true }
  )
  return {
    running: (name) => running.get(name),
    told: (name) =>
      Effect.map(told(name), (found) =>
        Option.flatMap(found, ({ ageMs, status }) =>
          Option.map(decode(status), (decoded) => ({ status: decoded, ageMs, isKept: ageMs <= silence }))
        )
      ),
    whySilent: Effect.map(Clock.monotonicTimeNanos, (now) =>
      roles.includes(options.role) && now - begunAt <= BigInt(silence) * 1_000_000n ? null : isNotKept
    )
  }
})
