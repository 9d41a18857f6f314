import { Clock, Effect, Latch } from "effect"
import { LinkedList } from "../internal/LinkedList.ts"
import { toMonotonicMillis } from "../internal/monotonic.ts"

/** A command without a reply. */
interface Pending {
  readonly since: number
  readonly expire: () => void
}

/** The outcome of a command. */
type RedisOutcome =
  | { readonly _tag: "Reply"; readonly reply: unknown }
  /** Redis replied with an error: it is available, and did not execute the command. */
  | { readonly _tag: "Refusal"; readonly message: string }
  | { readonly _tag: "Silence" }

const silence: RedisOutcome = { _tag: "Silence" }

/** The errors of Redis begin with a code in capital letters; those of a connection do not. */
const toOutcome = (error: unknown): RedisOutcome =>
  error instanceof Error && /^[A-Z]{2,} /.test(error.message) ? { _tag: "Refusal", message: error.message } : silence

/** The commands that wait for a reply. One timer bounds all of them: a timer for each costs more than the command. */
export interface PendingReplies {
  /** Sends a command, and waits for its outcome until it expires. */
  readonly request: (begin: () => Promise<unknown>) => Effect.Effect<RedisOutcome>
  /** Expires what waits for `timeoutMs`, at most a half longer, and longer by pauses of this process. Never ends. */
  readonly expireAfter: (timeoutMs: number) => Effect.Effect<never>
}

export const makePendingReplies = Effect.fnUntraced(function* (): Effect.fn.Return<PendingReplies> {
  const clock = yield* Clock.Clock
  const isWaiting = yield* Latch.make(false)
  /** In the order of the commands, which is the order of their replies. */
  const pending = new LinkedList<Pending>()

  const expire = (timeoutMs: number): void => {
    const before = toMonotonicMillis(clock) - timeoutMs
    for (const one of pending.toArray()) {
      if (one.since > before) break
      one.expire()
    }
  }

  return {
    request: (begin) =>
      Effect.callback((resume) => {
        const settle = (outcome: RedisOutcome) => {
          remove()
          resume(Effect.succeed(outcome))
        }
        const remove = pending.add({ since: toMonotonicMillis(clock), expire: () => settle(silence) })
        if (pending.size === 1) isWaiting.openUnsafe()
        begin().then(
          (reply) => settle({ _tag: "Reply", reply }),
          (error: unknown) => settle(toOutcome(error))
        )
        return Effect.sync(remove)
      }),
    expireAfter: (timeoutMs) =>
      Effect.forever(
        Effect.gen(function* () {
          yield* isWaiting.await
          const due = toMonotonicMillis(clock) + timeoutMs / 2
          yield* Effect.sleep(timeoutMs / 2)
          // After a pause of this process the timer fires before the replies that wait are read.
          expire(timeoutMs + Math.max(0, toMonotonicMillis(clock) - due))
          if (pending.size === 0) yield* isWaiting.close
        })
      )
  }
})
