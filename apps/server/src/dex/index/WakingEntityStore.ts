import { Effect, Layer } from "effect"
import { Wakeups } from "../../live/Wakeups.ts"
import { EntityStore } from "./IndexedBlock.ts"

export const indexTopic = (key: string): string => `index ${key}`

/** The index's rows, whose writes wake those who follow them in this process. */
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
