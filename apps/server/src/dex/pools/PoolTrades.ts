import { Effect, Struct } from "effect"
import type { TradeQuery, TradeScope } from "../DexQueries.ts"
import type { BurnRow, DexView, MintRow, SwapRow, TradeKind } from "../DexSource.ts"
import { toViewError } from "../ViewError.ts"
import type { ViewError } from "../ViewError.ts"
import { requirePool } from "./Pools.ts"
import { requireToken } from "./Tokens.ts"

/** The selection of trades of a request. */
export type WantedKinds = Readonly<Record<TradeKind, boolean>>

/** The trades of each requested kind. */
interface Trades {
  readonly burns?: ReadonlyArray<BurnRow>
  readonly mints?: ReadonlyArray<MintRow>
  readonly swaps?: ReadonlyArray<SwapRow>
}

const readKinds = Effect.fnUntraced(function* (
  view: DexView,
  wanted: WantedKinds,
  scope: TradeScope,
  query: TradeQuery
): Effect.fn.Return<Trades, ViewError> {
  const read = <Kind extends TradeKind>(kind: Kind) => Effect.mapError(view.trades(kind, scope, query), toViewError)
  return {
    ...(wanted.burn ? { burns: yield* read("burn") } : {}),
    ...(wanted.mint ? { mints: yield* read("mint") } : {}),
    ...(wanted.swap ? { swaps: yield* read("swap") } : {})
  }
})

const as0 = { burns: "burnsAs0", mints: "mintsAs0", swaps: "swapsAs0" } as const
const as1 = { burns: "burnsAs1", mints: "mintsAs1", swaps: "swapsAs1" } as const

/** The trades of a pool, by kind: `burns`, `mints`, `swaps`. */
export const readPoolTrades = Effect.fn("PoolTrades.ofPool")(function* (
  view: DexView,
  pool: string,
  wanted: WantedKinds,
  query: TradeQuery
) {
  yield* requirePool(view, pool)
  return { pool, ...(yield* readKinds(view, wanted, { pool }, query)) }
})

/** The trades of a token, by kind and by its side of the pool: `burnsAs0` and so on. */
export const readTokenTrades = Effect.fn("PoolTrades.ofToken")(function* (
  view: DexView,
  token: string,
  wanted: WantedKinds & { readonly base: boolean; readonly quote: boolean },
  query: TradeQuery
) {
  yield* requireToken(view, token)
  const readSide = (side: 0 | 1) => readKinds(view, wanted, { token, side }, query)
  return {
    token,
    ...(wanted.base ? Struct.renameKeys(yield* readSide(0), as0) : {}),
    ...(wanted.quote ? Struct.renameKeys(yield* readSide(1), as1) : {})
  }
})
