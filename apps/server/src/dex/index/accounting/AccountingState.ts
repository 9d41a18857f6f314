import type { IndexedPool, IndexedState } from "../IndexedBlock.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { Pool, Token, Totals } from "./Entities.ts"
import { toPool, toToken, toTotals } from "./Entities.ts"
import { PoolTicks } from "./PoolTicks.ts"
import type { TickLiquidity } from "./PoolTicks.ts"

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

/** For each token the pools that can price it: those whose other token is whitelisted, in order of creation. */
const whitelistPools = (rules: AccountingRules, pools: ReadonlyArray<IndexedPool>) => {
  const ofToken = new Map<string, Array<string>>()
  const append = (token: string, pool: string) => {
    const known = ofToken.get(token)
    if (known === undefined) ofToken.set(token, [pool])
    else known.push(pool)
  }
  for (const { id, token0, token1 } of pools) {
    if (rules.whitelist.has(token0)) append(token1, id)
    if (rules.whitelist.has(token1)) append(token0, id)
  }
  return ofToken
}

const groupTicks = ({ ticks }: IndexedState): ReadonlyMap<string, ReadonlyArray<TickLiquidity>> => {
  const ofPool = new Map<string, Array<TickLiquidity>>()
  for (const { gross, net, pool, tick } of ticks) {
    const restored = { tick, gross: BigInt(gross), net: BigInt(net) }
    const known = ofPool.get(pool)
    if (known === undefined) ofPool.set(pool, [restored])
    else known.push(restored)
  }
  return ofPool
}

export const restoreState = (rules: AccountingRules, stored: IndexedState): AccountingState => {
  const pricing = whitelistPools(rules, stored.pools)
  const ticks = groupTicks(stored)
  return {
    totals: stored.deployment === undefined ? undefined : toTotals(stored.deployment),
    tokens: new Map(stored.tokens.map((row) => [row.id, toToken(row, pricing.get(row.id) ?? [])])),
    pools: new Map(stored.pools.map((row) => [row.id, toPool(row, new PoolTicks(ticks.get(row.id)))])),
    diverged: new Set()
  }
}
