import { Context, Effect, Latch, Layer } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"

/** How often the store is asked for what another instance writes. */
const pollMs = 100

/** The same while this instance writes it, and says so. */
const pollOfOwnMs = 1000

/** A writer who was silent for so long may write elsewhere by now. */
const ownForMs = 5000

interface Topic {
  announcedAt: number
  readonly latches: Set<Latch.Latch>
}

/** Who waits for what is written: writers in this process announce it, those of other instances are found by asking. */
export class Wakeups extends Context.Service<
  Wakeups,
  {
    readonly announce: (topic: string) => Effect.Effect<void>
    /** An effect that completes when the topic was announced since it last did, or when it is time to ask. */
    readonly watch: (topic: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()("@chaintape/server/live/Wakeups") {
  static readonly layer = Layer.sync(Wakeups, () => {
    const topics = new Map<string, Topic>()
    const topicOf = (name: string): Topic => {
      const found = topics.get(name) ?? { announcedAt: Number.NEGATIVE_INFINITY, latches: new Set() }
      topics.set(name, found)
      return found
    }
    return Wakeups.of({
      announce: (name) =>
        Effect.map(monotonicMillis, (now) => {
          const topic = topicOf(name)
          topic.announcedAt = now
          for (const latch of topic.latches) latch.openUnsafe()
        }),
      watch: Effect.fnUntraced(function* (name) {
        const topic = topicOf(name)
        const latch = Latch.makeUnsafe()
        yield* Effect.acquireRelease(
          Effect.sync(() => topic.latches.add(latch)),
          () => Effect.sync(() => topic.latches.delete(latch))
        )
        return Effect.gen(function* () {
          const now = yield* monotonicMillis
          const wait = now - topic.announcedAt < ownForMs ? pollOfOwnMs : pollMs
          yield* Effect.timeoutOption(latch.await, wait)
          latch.closeUnsafe()
        })
      })
    })
  })
}
