import { Effect } from "effect"
import { sourceProblem } from "../Deployments.ts"
import type { Page } from "../DexQueries.ts"
import type { DexView } from "../DexSource.ts"
import { notSupported, requirePool } from "./Pools.ts"

/** The initialized ticks of a pool; a problem if the pool does not exist at the view's block, or they are not known. */
export const readTicks = Effect.fn("Ticks.read")(function* (
  view: DexView,
  { exchange, pool }: { readonly exchange: string; readonly pool: string },
  page: Page
) {
  yield* requirePool(view, pool)
  return yield* Effect.mapError(view.ticks(pool, page), (error) =>
    error._tag === "NotKnown" ? notSupported(exchange, error) : sourceProblem(error)
  )
})
