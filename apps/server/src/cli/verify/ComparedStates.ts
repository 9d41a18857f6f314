import { Effect } from "effect"
import type { CommandFailure } from "../terminal/CommandFailure.ts"
import { Progress } from "../terminal/Progress.ts"
import { compareState, findFirst } from "./Comparison.ts"
import type { ComparedState, FirstDifference, Sides } from "./Comparison.ts"

interface ComparedStates {
  /** The state that was compared last. */
  readonly state: ComparedState
  readonly found: FirstDifference | undefined
}

/** Compares the states after every `every` blocks and as of the last one, up to the first difference. */
export const compareStates = Effect.fn("Comparison.compareStates")(function* (
  sides: Sides,
  first: number,
  last: number,
  every: number | undefined
): Effect.fn.Return<ComparedStates, CommandFailure, Progress> {
  const progress = yield* Progress
  yield* progress.begin({ since: first, until: last, position: first, rows: 0, unit: "states" })
  let equalAt = first
  let block = every === undefined ? last : first
  for (let count = 1; ; count++) {
    const state = yield* compareState(sides, block)
    if (state.differences.length > 0) {
      return { state, found: yield* findFirst(sides, equalAt, { block, differences: state.differences }) }
    }
    equalAt = block
    yield* progress.advance(block, count)
    if (block === last) return { state, found: undefined }
    block = Math.min(block + (every ?? 1), last)
  }
})
