import { Clock, Effect, Latch } from "effect"
import { LinkedList } from "../internal/LinkedList.ts"
import { toMonotonicMillis } from "../internal/monotonic.ts"

/** A command without a reply. */
interface Pending {
  readonly since: number
  readonly expire: () => void
}

/** The commands that wait for a reply. One timer bounds all of them: a timer for each costs more than the command. */
export interface PendingReplies {
  /** Adds a command. Call the result when there is a reply. */
  readonly add: (expire: () => void) => () => void
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
    add: (expired) => {
      const settle = pending.add({
        since: toMonotonicMillis(clock),
        expire: () => {
          settle()
          expired()
        }
      })
      if (pending.size === 1) isWaiting.openUnsafe()
      return settle
    },
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
