import type { BlockFacts, Seed } from "../decode/ChainFacts.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { BlockDraft, EventScope } from "./BlockDraft.ts"
import { findScope } from "./BlockDraft.ts"
import { setFee } from "./Entities.ts"
import type { Pool } from "./Entities.ts"
import { setLocked, setValueLocked } from "./LiquidityEvents.ts"
import { setReserves } from "./PairAccounting.ts"
import { createPool } from "./PoolCreation.ts"
import { setPoolPrices, updatePrices } from "./Prices.ts"

const takeOver = (scope: EventScope, { balance0, balance1, liquidity, stated }: Seed): void => {
  const { draft, pool, token0, token1 } = scope
  pool.liquidity = liquidity
  if (stated.kind === "pair") {
    setReserves(scope, stated)
    draft.initialPrices.push({ pool: pool.id, sqrtPrice: "", price: pool.token1Price.toText() })
    return
  }
  pool.simulation = undefined
  pool.feeGrowthGlobal0X128 = stated.feeGrowthGlobal0X128
  pool.feeGrowthGlobal1X128 = stated.feeGrowthGlobal1X128
  pool.observationIndex = stated.observationIndex
  if (stated.holdings !== undefined) setFee(pool, stated.holdings.fee)
  setLocked(scope, balance0, balance1)
  if (stated.sqrtPrice === 0n) return
  draft.initialPrices.push({ pool: pool.id, sqrtPrice: stated.sqrtPrice.toString() })
  pool.sqrtPrice = stated.sqrtPrice
  pool.tick = stated.tick
  setPoolPrices(pool, token0.decimals, token1.decimals)
}

const isPriced = ({ pool }: { readonly pool: Pool }) => !pool.isConcentrated || pool.tick !== undefined

/**
 * Adds the pools that existed before the first block, with what they hold. Tokens are priced in two passes over all
 * pools: first those that a whitelisted token prices, then those that need the prices of the first pass.
 */
export const seedPools = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts): void => {
  const { number, seeds } = facts
  for (const [index, { fee, pool, token0, token1 }] of seeds.entries()) {
    createPool(rules, draft, facts, {
      event: "PoolCreated",
      blockNumber: number,
      transactionHash: "",
      // Before everything that happened in the block.
      logIndex: index - seeds.length,
      token0,
      token1,
      fee,
      ...(rules.protocol.isConcentrated ? { tickSpacing: 1 } : {}),
      pool
    })
  }
  const scopes = seeds.flatMap((seed) => {
    const scope = findScope(rules, draft, facts, seed.pool)
    if (scope === undefined) return []
    takeOver(scope, seed)
    return [scope]
  })
  const priced = scopes.filter(isPriced)
  for (const { token0, token1, totals } of [...priced, ...priced]) updatePrices(rules, draft, totals, token0, token1)
  for (const scope of scopes) {
    setValueLocked(scope)
    for (const token of [scope.token0, scope.token1]) {
      token.totalValueLockedUSD = token.totalValueLocked.times(token.derivedETH.times(scope.totals.nativeUSD))
    }
  }
}
