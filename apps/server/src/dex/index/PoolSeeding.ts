import { Effect } from "effect"
import type { BlockSourceError } from "../../blocks/BlockSource.ts"
import type { BlockDraft } from "./BlockDraft.ts"
import type { BlockFacts, PoolFacts } from "./BlockFacts.ts"
import type { ChainReader } from "./ChainReader.ts"
import { balanceOf, callAt, readUint, selectors } from "./ContractCall.ts"
import type { Pool } from "./Entities.ts"
import { scopeOf } from "./EventScope.ts"
import type { EventScope } from "./EventScope.ts"
import type { AccountingRules, SeedPool } from "./IndexConfig.ts"
import { valueLocked } from "./LiquidityEvents.ts"
import { createPool } from "./PoolCreation.ts"
import { readPoolsOf } from "./PoolReads.ts"
import { setPoolPrices, tokenAmount, updatePrices } from "./Prices.ts"

/** A pool from before the first block, as its contracts state it at the end of the block before. */
export interface Seed extends SeedPool {
  readonly stated: PoolFacts
  readonly liquidity: bigint
  readonly balance0: bigint
  readonly balance1: bigint
}

/** What the pools from before the first block were after the block with this hash. */
export const readSeeds = Effect.fnUntraced(function* (
  reader: ChainReader,
  rules: AccountingRules,
  before: { readonly number: number; readonly hash: string }
): Effect.fn.Return<ReadonlyArray<Seed>, BlockSourceError> {
  const pools = [...rules.seedPools.values()]
  const [stated = new Map<string, PoolFacts>()] = yield* readPoolsOf(reader, [
    { ...before, pools: pools.map(({ pool }) => pool) }
  ])
  const replies = yield* reader.calls(
    pools.flatMap(({ pool, token0, token1 }) => [
      callAt(before.hash, pool, selectors.liquidity),
      callAt(before.hash, token0, balanceOf(pool)),
      callAt(before.hash, token1, balanceOf(pool))
    ])
  )
  return yield* Effect.forEach(pools, (seed, index) => {
    const [liquidity, balance0, balance1] = replies.slice(index * 3, index * 3 + 3).map(readUint)
    const facts = stated.get(seed.pool)
    return facts === undefined || liquidity === undefined || balance0 === undefined || balance1 === undefined
      ? Effect.fail(reader.bad(`states nothing of pool "${seed.pool}" in block ${before.number}`))
      : Effect.succeed({ ...seed, stated: facts, liquidity, balance0, balance1 })
  })
})

const takeOver = (scope: EventScope, { balance0, balance1, liquidity, stated }: Seed): void => {
  const { pool, token0, token1 } = scope
  pool.simulation = undefined
  pool.liquidity = liquidity
  pool.feeGrowthGlobal0X128 = stated.feeGrowthGlobal0X128
  pool.feeGrowthGlobal1X128 = stated.feeGrowthGlobal1X128
  pool.observationIndex = stated.observationIndex
  pool.totalValueLockedToken0 = tokenAmount(balance0, token0.decimals)
  pool.totalValueLockedToken1 = tokenAmount(balance1, token1.decimals)
  token0.totalValueLocked = token0.totalValueLocked.plus(pool.totalValueLockedToken0)
  token1.totalValueLocked = token1.totalValueLocked.plus(pool.totalValueLockedToken1)
  if (stated.sqrtPrice === 0n) return
  pool.sqrtPrice = stated.sqrtPrice
  pool.tick = stated.tick
  setPoolPrices(pool, token0.decimals, token1.decimals)
}

const isPriced = ({ pool }: { readonly pool: Pool }) => pool.tick !== undefined

/**
 * The pools from before the first block begin with what they hold. Tokens are priced twice over all pools: the first
 * time those that a whitelisted token prices, then those that need the prices of the first.
 */
export const seedPools = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts): void => {
  const { number, seeds } = facts
  for (const [index, { fee, pool, token0, token1 }] of seeds.entries()) {
    createPool(rules, draft, facts, {
      event: "PoolCreated",
      blockNumber: number,
      transactionHash: "",
      // In front of everything that happened in the block.
      logIndex: index - seeds.length,
      token0,
      token1,
      fee,
      tickSpacing: 1,
      pool
    })
  }
  const scopes = seeds.flatMap((seed) => {
    const scope = scopeOf(rules, draft, facts, seed.pool)
    if (scope === undefined) return []
    takeOver(scope, seed)
    return [scope]
  })
  const priced = scopes.filter(isPriced)
  for (const { token0, token1, totals } of [...priced, ...priced]) updatePrices(rules, draft, totals, token0, token1)
  for (const scope of scopes) {
    valueLocked(scope)
    for (const token of [scope.token0, scope.token1]) {
      token.totalValueLockedUSD = token.totalValueLocked.times(token.derivedETH.times(scope.totals.nativeUSD))
    }
  }
}
