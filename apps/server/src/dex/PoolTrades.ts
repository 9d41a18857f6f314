import { Effect } from "effect"
import { sourceProblem } from "./Deployments.ts"
import type { SourceProblem } from "./Deployments.ts"
import type { DexView, TradeKind, TradeQuery, TradeRow, TradeScope } from "./DexSource.ts"
import { requirePool } from "./Pools.ts"
import { requireToken } from "./Tokens.ts"

export type { Order, TradeQuery } from "./DexSource.ts"

/** The selection of trades of a request. */
export interface WantedKinds {
  readonly swap: boolean
  readonly mint: boolean
  readonly burn: boolean
}

type Arrays = { readonly [name: string]: ReadonlyArray<TradeRow> }

const names = { burn: "burns", mint: "mints", swap: "swaps" } as const satisfies Record<TradeKind, string>
const kinds = ["burn", "mint", "swap"] as const

const readKinds = (
  view: DexView,
  wanted: WantedKinds,
  scope: TradeScope,
  query: TradeQuery,
  suffix: string
): Effect.Effect<Arrays, SourceProblem> =>
  Effect.forEach(
    kinds.filter((kind) => wanted[kind]),
    (kind) =>
      view.trades(kind, scope, query).pipe(
        Effect.map((rows) => [`${names[kind]}${suffix}`, rows] as const),
        Effect.mapError(sourceProblem)
      )
  ).pipe(Effect.map((entries) => Object.fromEntries(entries)))

/** The trades of a pool, by kind: `burns`, `mints`, `swaps`. */
export const readPoolTrades = Effect.fn("PoolTrades.ofPool")(function* (
  view: DexView,
  pool: string,
  wanted: WantedKinds,
  query: TradeQuery
) {
  yield* requirePool(view, pool)
  return { pool, ...(yield* readKinds(view, wanted, { pool }, query, "")) }
})

/** The trades of a token, by kind and by its side of the pool: `burnsAs0` and so on. */
export const readTokenTrades = Effect.fn("PoolTrades.ofToken")(function* (
  view: DexView,
  token: string,
  wanted: WantedKinds & { readonly base: boolean; readonly quote: boolean },
  query: TradeQuery
) {
  yield* requireToken(view, token)
  const sides = ([0, 1] as const).filter((side) => (side === 0 ? wanted.base : wanted.quote))
  const arrays = yield* Effect.forEach(sides, (side) => readKinds(view, wanted, { token, side }, query, `As${side}`))
  return { token, ...Object.assign({}, ...arrays) }
})
