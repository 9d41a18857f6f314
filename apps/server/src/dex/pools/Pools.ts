import { OperationNotSupported, PoolNotFound, type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Effect, Option } from "effect"
import type { PoolQuery, CandleQuery, Page } from "../DexQueries.ts"
import type { DexSourceError, DexView, TokenRow, UnknownValueError } from "../DexSource.ts"
import { toViewError } from "../ViewError.ts"

const noPool = (pool: string, view: DexView) =>
  new PoolNotFound({ pool, detail: `There was no pool "${pool}" as of block ${view.asOf.number}.` })

/** A token inside a pool has one field less than in the token list. */
const toPoolToken = ({ totalValueLockedUSDUntracked: _, ...token }: TokenRow) => token

/** A list of pools, each with its tokens as of the same block. */
export const listPools = Effect.fn("Pools.list")(function* (view: DexView, query: PoolQuery) {
  const rows = yield* Effect.mapError(view.pools(query), toViewError)
  return rows.map((row) => ({ ...row, token0: toPoolToken(row.token0), token1: toPoolToken(row.token1) }))
})

/** One pool; a problem if it does not exist at the view's block. */
export const readPool = Effect.fn("Pools.read")(function* (view: DexView, pool: string) {
  const [row] = yield* listPools(view, { limit: 1, skip: 0, order: Option.none(), id: Option.some(pool) })
  return row ?? (yield* noPool(pool, view))
})

/** Fails unless the pool exists at the view's block. */
export const requirePool = Effect.fn("Pools.require")(function* (view: DexView, pool: string) {
  if (!(yield* Effect.mapError(view.hasPool(pool), toViewError))) return yield* noPool(pool, view)
})

/** That the source lacks what a value follows from is a problem, too. */
const toValueError = (exchange: string) => (error: DexSourceError | UnknownValueError) =>
  error._tag === "UnknownValueError"
    ? new OperationNotSupported({ exchange, detail: error.message })
    : toViewError(error)

/** Candles of a pool; a problem if the pool does not exist at the view's block, or they are not known. */
export const readCandles = Effect.fn("Pools.readCandles")(function* (
  view: DexView,
  { exchange, pool, timeframe }: { readonly exchange: string; readonly pool: string; readonly timeframe: Timeframe },
  query: Omit<CandleQuery, "seconds">
) {
  yield* requirePool(view, pool)
  const aggregates = yield* Effect.mapError(
    view.candles(pool, { ...query, seconds: timeframeSeconds[timeframe] }),
    toValueError(exchange)
  )
  return { pool, timeframe, aggregates }
})

/** The initialized ticks of a pool; a problem if the pool does not exist at the view's block, or they are not known. */
export const readTicks = Effect.fn("Pools.readTicks")(function* (
  view: DexView,
  { exchange, pool }: { readonly exchange: string; readonly pool: string },
  page: Page
) {
  yield* requirePool(view, pool)
  return yield* Effect.mapError(view.ticks(pool, page), toValueError(exchange))
})
