import { Array as Arr, Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { PoolFacts } from "../decode/ChainFacts.ts"
import { callAt, readPoolFacts, selectors } from "../decode/ContractCall.ts"
import { poolsCall, poolsPerProgram, readPools } from "../decode/PoolProgram.ts"
import type { ChainReader } from "./ChainReader.ts"

/** Pools of one block that are read together. */
export interface AskedPools {
  readonly number: number
  readonly hash: string
  readonly pools: ReadonlyArray<string>
}

const ofPool = [selectors.slot0, selectors.feeGrowthGlobal0X128, selectors.feeGrowthGlobal1X128]

/** Three calls per pool. */
const readOneByOne = Effect.fnUntraced(function* (reader: ChainReader, asked: ReadonlyArray<AskedPools>) {
  const calls = asked.flatMap(({ hash, pools }) =>
    pools.flatMap((pool) => ofPool.map((data) => callAt(hash, pool, data)))
  )
  return yield* reader.calls(calls, (replies) => {
    let next = 0
    const decode = (number: number, pool: string) => {
      const [slot0, growth0, growth1] = replies.slice(next, (next += ofPool.length))
      const stated = readPoolFacts(slot0, growth0, growth1)
      return stated === undefined
        ? Effect.fail(reader.bad(`states nothing of pool "${pool}" in block ${number}`))
        : Effect.succeed([pool, stated] as const)
    }
    return Effect.forEach(asked, ({ number, pools }) =>
      Effect.map(
        Effect.forEach(pools, (pool) => Effect.suspend(() => decode(number, pool))),
        (facts): ReadonlyMap<string, PoolFacts> => new Map(facts)
      )
    )
  })
})

const nothing: ReadonlyMap<string, PoolFacts> = new Map()

/** The state of the pools after each of the blocks. Nodes that cannot run our program are asked pool by pool. */
export const readPoolsByBlock = Effect.fnUntraced(function* (
  reader: ChainReader,
  blocks: ReadonlyArray<AskedPools>
): Effect.fn.Return<ReadonlyArray<ReadonlyMap<string, PoolFacts>>, BlockSourceError> {
  const asked = blocks.flatMap(({ hash, number, pools }) =>
    Arr.chunksOf(pools, poolsPerProgram).map((some): AskedPools => ({ number, hash, pools: some }))
  )
  const programs = yield* reader.calls(
    asked.map(({ hash, pools }) => poolsCall(hash, pools)),
    (replies) => Effect.succeed(asked.map(({ pools }, index) => readPools(replies[index], pools)))
  )
  const others = asked.filter((_, index) => programs[index] === undefined)
  const read = others.length === 0 ? [] : yield* readOneByOne(reader, others)
  const byPart = new Map(others.map((part, index) => [part, read[index]]))
  const ofBlock = new Map<number, Map<string, PoolFacts>>()
  for (const [index, part] of asked.entries()) {
    const facts = programs[index] ?? byPart.get(part) ?? nothing
    ofBlock.set(part.number, new Map([...(ofBlock.get(part.number) ?? []), ...facts]))
  }
  return blocks.map(({ number }) => ofBlock.get(number) ?? nothing)
})

/**
 * Which pools to read after which blocks: those that `isAsked` names after every block, and all others after the last
 * block that touches them, to verify what follows from the events.
 */
export const poolsToAsk = (
  blocks: ReadonlyArray<Omit<AskedPools, "pools"> & { readonly touchedPools: ReadonlySet<string> }>,
  isAsked: (pool: string) => boolean
): ReadonlyArray<AskedPools> => {
  const later = new Set<string>()
  return blocks
    .toReversed()
    .map(({ hash, number, touchedPools }): AskedPools => {
      const pools = [...touchedPools].filter((pool) => !later.has(pool) || isAsked(pool))
      for (const pool of touchedPools) later.add(pool)
      return { number, hash, pools }
    })
    .toReversed()
}
