import { Array as Arr, Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import { findTouchedPools } from "../decode/ChainFacts.ts"
import type { BlockFacts, StatedFacts, Seed } from "../decode/ChainFacts.ts"
import { balanceOf, callAt, findNodeFailure, readAddress, selectors, readUint } from "../decode/ContractCall.ts"
import { poolsCall, poolsPerProgram, readPools } from "../decode/PoolProgram.ts"
import type { PoolState } from "../decode/PoolState.ts"
import type { SeedPool } from "../IndexConfig.ts"
import type { ChainReader } from "./ChainReader.ts"

/** Pools of one block that are read together. */
export interface AskedPools {
  readonly number: number
  readonly hash: string
  readonly pools: ReadonlyArray<string>
}

interface AskedPool extends Omit<AskedPools, "pools"> {
  readonly pool: string
}

/** The balances of a pool that the contracts of the tokens state. A contract that fails states nothing, and the pool still counts. */
const readBalances = Effect.fnUntraced(function* (reader: ChainReader, pools: ReadonlyArray<AskedPool>) {
  const tokens = yield* reader.calls(
    pools.flatMap(({ hash, pool }) => [callAt(hash, pool, selectors.token0), callAt(hash, pool, selectors.token1)]),
    (replies) => {
      const addresses = replies.map(readAddress)
      return addresses.every((address) => address !== undefined)
        ? Effect.succeed(addresses)
        : Effect.fail(reader.bad("states no tokens of a pool"))
    }
  )
  const calls = tokens.map((token, index): RpcCall => {
    const { hash = "", pool = "" } = pools[Math.floor(index / 2)] ?? {}
    return { ...callAt(hash, token, balanceOf(pool)), mayFail: true }
  })
  return yield* reader.calls(calls, (replies) => {
    const failure = findNodeFailure(replies)
    return failure === undefined ? Effect.succeed(Arr.chunksOf(replies, 2)) : Effect.fail(reader.bad(failure))
  })
})

/** One call per pool and function. */
const readOneByOne = Effect.fnUntraced(function* (
  reader: ChainReader,
  state: PoolState,
  pools: ReadonlyArray<AskedPool>
) {
  const balances = state.hasBalances === true ? yield* readBalances(reader, pools) : []
  const calls = pools.flatMap(({ hash, pool }) => state.calls.map(({ selector }) => callAt(hash, pool, selector)))
  return yield* reader.calls(calls, (replies) => {
    const results = Arr.chunksOf(replies, state.calls.length)
    return Effect.forEach(pools, ({ number, pool }, index) => {
      const stated = state.read([...(results[index] ?? []), ...(balances[index] ?? [])])
      return stated === undefined
        ? Effect.fail(reader.bad(`states nothing of pool "${pool}" in block ${number}`))
        : Effect.succeed(stated)
    })
  })
})

/** The state of the pools after each of the blocks. Nodes that cannot run our program are asked pool by pool. */
export const readPoolsByBlock = Effect.fnUntraced(function* (
  reader: ChainReader,
  state: PoolState,
  blocks: ReadonlyArray<AskedPools>
): Effect.fn.Return<ReadonlyArray<ReadonlyMap<string, StatedFacts>>, BlockSourceError> {
  const asked = blocks.flatMap(({ hash, number, pools }) =>
    Arr.chunksOf(pools, poolsPerProgram(state)).map((some): AskedPools => ({ number, hash, pools: some }))
  )
  const programs = yield* reader.calls(
    asked.map(({ hash, pools }) => poolsCall(state, hash, pools)),
    (replies) => Effect.succeed(asked.map(({ pools }, index) => readPools(state, replies[index], pools)))
  )
  const others = asked
    .filter((_, index) => programs[index] === undefined)
    .flatMap(({ hash, number, pools }) => pools.map((pool): AskedPool => ({ number, hash, pool })))
  const read = others.length === 0 ? [] : yield* readOneByOne(reader, state, others)
  const found = new Map(blocks.map(({ number }) => [number, new Map<string, StatedFacts>()]))
  for (const [index, { number }] of asked.entries()) {
    for (const [pool, facts] of programs[index] ?? []) found.get(number)?.set(pool, facts)
  }
  for (const [index, facts] of read.entries()) {
    const one = others[index]
    if (one !== undefined) found.get(one.number)?.set(one.pool, facts)
  }
  return [...found.values()]
})

/**
 * Which pools to read after which blocks: those that `isAsked` names after every block, and all others after the last
 * block that touches them, to verify what follows from the events.
 */
export const findPoolsToAsk = (
  blocks: ReadonlyArray<Pick<BlockFacts, "number" | "hash" | "events">>,
  isAsked: (pool: string) => boolean
): ReadonlyArray<AskedPools> => {
  const later = new Set<string>()
  return blocks
    .toReversed()
    .map((block): AskedPools => {
      const touched = findTouchedPools(block)
      const pools = [...touched].filter((pool) => !later.has(pool) || isAsked(pool))
      for (const pool of touched) later.add(pool)
      return { number: block.number, hash: block.hash, pools }
    })
    .toReversed()
}

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
