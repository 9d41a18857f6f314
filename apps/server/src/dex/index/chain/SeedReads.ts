import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { PoolFacts, Seed } from "../decode/ChainFacts.ts"
import { balanceOf, callAt, readUint, selectors } from "../decode/ContractCall.ts"
import type { SeedPool } from "../IndexConfig.ts"
import type { ChainReader } from "./ChainReader.ts"
import { readPoolsByBlock } from "./PoolReads.ts"

/** The state, after the block with this hash, of the pools that were created before the first block. */
export const readSeeds = Effect.fnUntraced(function* (
  reader: ChainReader,
  seedPools: Iterable<SeedPool>,
  before: { readonly number: number; readonly hash: string }
): Effect.fn.Return<ReadonlyArray<Seed>, BlockSourceError> {
  const pools = [...seedPools]
  const [stated = new Map<string, PoolFacts>()] = yield* readPoolsByBlock(reader, [
    { ...before, pools: pools.map(({ pool }) => pool) }
  ])
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
        ? Effect.fail(reader.bad(`states nothing of pool "${seed.pool}" in block ${before.number}`))
        : Effect.succeed({ ...seed, stated: facts, liquidity, balance0, balance1 })
    })
  )
})
