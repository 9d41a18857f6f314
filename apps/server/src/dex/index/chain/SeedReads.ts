import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Seed, StatedFacts } from "../decode/ChainFacts.ts"
import { balanceOf, callAt, readUint, selectors } from "../decode/ContractCall.ts"
import type { PoolState } from "../decode/PoolState.ts"
import type { SeedPool } from "../IndexConfig.ts"
import type { ChainReader } from "./ChainReader.ts"
import { readPoolsByBlock } from "./PoolReads.ts"

/** The reserves of a pool that states them. */
const toReserves = (stated: StatedFacts) => {
  const { liquidity, reserve0, reserve1 } =
    stated.kind === "pair" ? { ...stated, liquidity: stated.supply } : (stated.holdings ?? {})
  if (liquidity === undefined || reserve0 === undefined || reserve1 === undefined) return undefined
  return { liquidity, balance0: reserve0, balance1: reserve1 }
}

/** The state, after the block with this hash, of the pools that were created before the first block. */
export const readSeeds = Effect.fnUntraced(function* (
  reader: ChainReader,
  state: PoolState,
  seedPools: Iterable<SeedPool>,
  before: { readonly number: number; readonly hash: string }
): Effect.fn.Return<ReadonlyArray<Seed>, BlockSourceError> {
  const pools = [...seedPools]
  const [stated = new Map<string, StatedFacts>()] = yield* readPoolsByBlock(reader, state, [
    { ...before, pools: pools.map(({ pool }) => pool) }
  ])
  const nothingOf = (pool: string) => reader.bad(`states nothing of pool "${pool}" in block ${before.number}`)
  const complete = pools.flatMap((seed): ReadonlyArray<Seed> => {
    const facts = stated.get(seed.pool)
    const held = facts && toReserves(facts)
    return facts === undefined || held === undefined ? [] : [{ ...seed, stated: facts, ...held }]
  })
  if (complete.length === pools.length) return complete
  const calls = pools.flatMap(({ pool, token0, token1 }) => [
    callAt(before.hash, pool, selectors.liquidity),
    callAt(before.hash, token0, balanceOf(pool)),
    callAt(before.hash, token1, balanceOf(pool))
  ])
  return yield* reader.calls(calls, (replies) =>
    Effect.forEach(pools, (seed, index) => {
      const [liquidity, balance0, balance1] = replies.slice(index * 3, index * 3 + 3).map(readUint)
      const facts = stated.get(seed.pool)
      return facts === undefined || liquidity === undefined || balance0 === undefined || balance1 === undefined
        ? Effect.fail(nothingOf(seed.pool))
        : Effect.succeed({ ...seed, stated: facts, liquidity, balance0, balance1 })
    })
  )
})
