import { Effect, Option, Ref } from "effect"
import type { Checkpoint } from "../store/EntityStore.ts"
import type { GatheredRange } from "./BlockGathering.ts"

/** The prefetched range: at most one, so that memory stays bounded. */
export const makeLookahead = Effect.gen(function* () {
  const kept = yield* Ref.make(Option.none<GatheredRange>())
  return {
    put: (range: Option.Option<GatheredRange>) => Ref.set(kept, range),
    clear: Ref.set(kept, Option.none()),
    /** The range that begins right after this position. */
    take: (position: Checkpoint | undefined) =>
      Effect.map(Ref.getAndSet(kept, Option.none()), (found) => {
        const range = Option.getOrUndefined(found)
        return range?.range.parent?.hash === position?.hash ? range : undefined
      })
  }
})
