import { Array as Arr, Effect } from "effect"
import type { BlockSourceError } from "../../blocks/BlockSource.ts"
import type { PoolFacts } from "./BlockFacts.ts"
import type { BlockPlan } from "./BlockPlan.ts"
import type { ChainReader } from "./ChainReader.ts"
import { callAt, readPoolFacts, selectors } from "./ContractCall.ts"
import { poolsCall, poolsPerProgram, readPools } from "./PoolProgram.ts"

/** Pools of one block that are asked together. */
interface Asked {
  readonly number: number
  readonly hash: string
  readonly pools: ReadonlyArray<string>
}

const ofPool = [selectors.slot0, selectors.feeGrowthGlobal0X128, selectors.feeGrowthGlobal1X128]

/** Three calls for each pool. */
const readOneByOne = Effect.fnUntraced(function* (reader: ChainReader, { hash, number, pools }: Asked) {
  const replies = yield* reader.calls(pools.flatMap((pool) => ofPool.map((data) => callAt(hash, pool, data))))
  const facts = new Map<string, PoolFacts>()
  for (const [index, pool] of pools.entries()) {
    const [slot0, growth0, growth1] = replies.slice(index * ofPool.length, (index + 1) * ofPool.length)
    const stated = readPoolFacts(slot0, growth0, growth1)
    if (stated === undefined) return yield* reader.bad(`states nothing of pool "${pool}" in block ${number}`)
    facts.set(pool, stated)
  }
  return facts
})

/** What the touched pools state after each block. Nodes that do not run our program are asked pool by pool. */
export const readPoolsOf = Effect.fnUntraced(function* (
  reader: ChainReader,
  plans: ReadonlyArray<BlockPlan>
): Effect.fn.Return<ReadonlyArray<ReadonlyMap<string, PoolFacts>>, BlockSourceError> {
  const asked = plans.flatMap(({ hash, number, touchedPools }) =>
    Arr.chunksOf([...touchedPools], poolsPerProgram).map((pools): Asked => ({ number, hash, pools }))
  )
  const replies = yield* reader.calls(asked.map(({ hash, pools }) => poolsCall(hash, pools)))
  const read = yield* Effect.forEach(
    asked,
    (part, index) => {
      const facts = readPools(replies[index], part.pools)
      return facts === undefined ? readOneByOne(reader, part) : Effect.succeed(facts)
    },
    { concurrency: 4 }
  )
  const ofBlock = new Map<number, Map<string, PoolFacts>>()
  for (const [index, { number }] of asked.entries()) {
    ofBlock.set(number, new Map([...(ofBlock.get(number) ?? []), ...(read[index] ?? [])]))
  }
  return plans.map(({ number }) => ofBlock.get(number) ?? new Map())
})
