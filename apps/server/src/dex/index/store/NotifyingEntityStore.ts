import { Effect, Layer } from "effect"
import { Wakeups } from "../../../live/Wakeups.ts"
import { EntityStore } from "./EntityStore.ts"

export const indexTopic = (key: string): string => `index ${key}`

/** An index store whose writes wake the subscribers of this process. */
export const layer = Layer.effect(
  EntityStore,
  Effect.gen(function* () {
    const store = yield* EntityStore
    const wakeups = yield* Wakeups
    return EntityStore.of({
      ...store,
      append: (key, blocks, finalized) =>
        Effect.ensuring(store.append(key, blocks, finalized), wakeups.announce(indexTopic(key))),
      rewind: (key, number, blocks, finalized) =>
        Effect.ensuring(store.rewind(key, number, blocks, finalized), wakeups.announce(indexTopic(key)))
    })
  })
)
