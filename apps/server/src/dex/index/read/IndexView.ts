import { Effect } from "effect"
import type { Option } from "effect"
import { IndexStatuses } from "../../../status/IndexStatuses.ts"
import { BlockOutOfRangeError, DexSourceError } from "../../DexSource.ts"
import type { DexReadError } from "../../DexSource.ts"
import * as SqlDexView from "./SqlDexView.ts"

/** Adds why an index does not go on, if that is why it lacks what was asked for. Any other failure stays as it is. */
const explain = (key: string, error: DexReadError, why: string): DexReadError => {
  if (error._tag === "BlockOutOfRangeError") {
    const { block, first, head } = error
    return block > head ? new BlockOutOfRangeError({ block, first, head, why }) : error
  }
  if (error.reason !== "NotReady") return error
  const { retryAfterMs, source } = error
  return new DexSourceError({
    source,
    reason: "NotReady",
    message: `The index of "${key}" has no block yet. ${why}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}

export const explainFailure = Effect.fnUntraced(function* (
  indexes: IndexStatuses["Service"],
  key: string,
  error: DexReadError
) {
  const why = (yield* indexes.all).find((one) => one.key === key)?.lastError
  return yield* why ? explain(key, error, why) : error
})

/** Opens views of the indexes of all instances. */
export const makeIndexView = Effect.gen(function* () {
  const { view } = yield* SqlDexView.make
  const indexes = yield* IndexStatuses
  return {
    view: (key: string, block: Option.Option<number>) =>
      Effect.catch(view(key, block), (error) => explainFailure(indexes, key, error)),
    watchUnchanged: indexes.watchUnchanged
  }
})
