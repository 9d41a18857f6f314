import type { IndexedPool, IndexedState, IndexedTick } from "../IndexedBlock.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { Pool, Token, Totals } from "./Entities.ts"
import { toPool, toToken, toTotals } from "./Entities.ts"
import { PoolTicks } from "./PoolTicks.ts"

/** The state of the accounting as of one block. */
export interface AccountingState {
  totals: Totals | undefined
  readonly tokens: Map<string, Token>
  readonly pools: Map<string, Pool>
  /** Pools whose contract diverges from what follows from their events. */
  readonly diverged: Set<string>
}

export const emptyState = (): AccountingState => ({
  totals: undefined,
  tokens: new Map(),
  pools: new Map(),
  diverged: new Set()
})

/** By token the pools that can price it: those whose other token is whitelisted, in order of creation. */
const groupPricing = ({ whitelist }: AccountingRules, pools: ReadonlyArray<IndexedPool>) =>
  Map.groupBy(
    pools.flatMap(({ id, token0, token1 }) => [
      ...(whitelist.has(token0) ? [{ token: token1, id }] : []),
      ...(whitelist.has(token1) ? [{ token: token0, id }] : [])
    ]),
    ({ token }) => token
  )

const restoreTicks = (ticks: ReadonlyArray<IndexedTick> = []): PoolTicks =>
  new PoolTicks(ticks.map(({ gross, net, tick }) => ({ tick, gross: BigInt(gross), net: BigInt(net) })))

export const restoreState = (rules: AccountingRules, stored: IndexedState): AccountingState => {
  const pricing = groupPricing(rules, stored.pools)
  const ticks = Map.groupBy(stored.ticks, ({ pool }) => pool)
  return {
    totals: stored.deployment === undefined ? undefined : toTotals(stored.deployment),
    tokens: new Map(stored.tokens.map((row) => [row.id, toToken(row, pricing.get(row.id)?.map(({ id }) => id) ?? [])])),
    pools: new Map(stored.pools.map((row) => [row.id, toPool(row, restoreTicks(ticks.get(row.id)))])),
    diverged: new Set()
  }
}
