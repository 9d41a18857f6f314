import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Effect } from "effect"
import { sourceProblem } from "../Deployments.ts"
import type { CandleQuery } from "../DexQueries.ts"
import type { DexView } from "../DexSource.ts"
import { notSupported, requirePool } from "./Pools.ts"

/** Candles of a pool; a problem if the pool does not exist at the view's block, or they are not known. */
export const readCandles = Effect.fn("PoolCandles.read")(function* (
  view: DexView,
  { exchange, pool, timeframe }: { readonly exchange: string; readonly pool: string; readonly timeframe: Timeframe },
  query: Omit<CandleQuery, "seconds">
) {
  yield* requirePool(view, pool)
  const aggregates = yield* Effect.mapError(
    view.candles(pool, { ...query, seconds: timeframeSeconds[timeframe] }),
    (error) => (error._tag === "NotKnown" ? notSupported(exchange, error) : sourceProblem(error))
  )
  return { pool, timeframe, aggregates }
})
