import { Context, Effect, Latch, Layer } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"

/** How often the store is polled for writes of other instances. */
const pollMs = 100

/** How often the store is polled while this instance writes, which announces its writes. */
const pollOfOwnMs = 1000

/** A writer that was silent for this long may have moved to another instance. */
const ownForMs = 5000

interface Topic {
  announcedAt: number
  readonly latches: Set<Latch.Latch>
}

/**
 * Wakes readers of the store: writers in this process announce their writes, those of other instances are found by
 * polling.
 */
export class Wakeups extends Context.Service<
  Wakeups,
  {
    readonly announce: (topic: string) => Effect.Effect<void>
    /** An effect that completes when the topic was announced since its last completion, or when it is time to poll. */
    readonly watch: (topic: string) => Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
  }
>()("@chaintape/server/live/Wakeups") {
  static readonly layer = Layer.sync(Wakeups, () => {
    const topics = new Map<string, Topic>()
    const getTopic = (name: string): Topic => {
      const found = topics.get(name) ?? { announcedAt: Number.NEGATIVE_INFINITY, latches: new Set() }
      topics.set(name, found)
      return found
    }
    return Wakeups.of({
      announce: (name) =>
        Effect.map(monotonicMillis, (now) => {
          const topic = getTopic(name)
          topic.announcedAt = now
          for (const latch of topic.latches) latch.openUnsafe()
        }),
      watch: Effect.fnUntraced(function* (name) {
        const topic = getTopic(name)
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
