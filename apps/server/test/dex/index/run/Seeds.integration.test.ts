import { Devnet } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { makeNodes } from "../../../../src/blocks/rpc/Nodes.ts"
import type { RpcCall } from "../../../../src/blocks/rpc/RpcCall.ts"
import { Decimal34 } from "../../../../src/dex/index/accounting/Decimal34.ts"
import { toTokenAmount } from "../../../../src/dex/index/accounting/Prices.ts"
import { balanceOf, readUint } from "../../../../src/dex/index/decode/ContractCall.ts"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import type { IndexedPool } from "../../../../src/dex/index/IndexedBlock.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import type { MemoryIndex } from "../store/MemoryEntityStore.ts"
import { followToHead } from "../synthetic/SyntheticIndex.ts"
import { compareAt } from "./ContractComparison.ts"

const begin = 50

const poolsAt = (index: MemoryIndex, block: number): ReadonlyArray<IndexedPool> =>
  [...index.rows.pool.values()].flatMap((versions) => versions.findLast(({ from }) => from <= block)?.row ?? [])

const difference = (a: string, b: string) => Decimal34.parse(a).minus(Decimal34.parse(b)).toText()

/** The difference of the locked amounts of the two indexes: independent of the events after the seeds. */
const lockedApart = (one: ReadonlyArray<IndexedPool>, other: ReadonlyArray<IndexedPool>) =>
  new Map(
    one.flatMap((pool) => {
      const same = other.find(({ id }) => id === pool.id)
      if (same === undefined) return []
      const apart0 = difference(pool.totalValueLockedToken0, same.totalValueLockedToken0)
      return [[pool.id, [apart0, difference(pool.totalValueLockedToken1, same.totalValueLockedToken1)]]]
    })
  )

/** The contracts' balances before the first block, without the amounts locked according to the other index. */
const heldApart = Effect.fnUntraced(function* (rpc: string, index: MemoryIndex, pools: ReadonlyArray<IndexedPool>) {
  const { read: readNodes } = makeNodes(yield* HttpClient.HttpClient, "devnet", [rpc])
  const send = (calls: ReadonlyArray<RpcCall>) => readNodes((sendCalls) => sendCalls(calls))
  const block = `0x${(begin - 1).toString(16)}`
  const apart = new Map<string, ReadonlyArray<string>>()
  for (const { id, token0, token1, totalValueLockedToken0, totalValueLockedToken1 } of pools) {
    const balances = yield* send(
      [token0, token1].map((token) => ({ method: "eth_call", params: [{ to: token, data: balanceOf(id) }, block] }))
    )
    const [held0, held1] = [token0, token1].map((token, place) =>
      toTokenAmount(
        readUint(balances[place]) ?? -1n,
        Number(index.rows.token.get(token)?.at(-1)?.row.decimals ?? "-1")
      ).toText()
    )
    apart.set(id, [difference(held0 ?? "", totalValueLockedToken0), difference(held1 ?? "", totalValueLockedToken1)])
  }
  return apart
})

describe("an index that begins in the middle of a chain", () => {
  it.live(
    "continues from the state of the contracts of older pools, also across a reorg and from the store",
    () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet
        const whole: IndexConfig = {
          ...devnet.config,
          key: "uniswap-v3/devnet",
          blockchain: "devnet",
          rpc: [devnet.rpc],
          finality: 12
        }
        const wholeStore = makeMemoryEntityStore()
        const follower = yield* makeIndexer(whole).pipe(Effect.provide(wholeStore.layer))
        yield* followToHead(follower)
        const older = poolsAt(wholeStore.index(whole.key), begin - 1)
        const seeded: IndexConfig = {
          ...whole,
          startBlock: begin,
          seedPools: older.map(({ feeTier, id, token0, token1 }) => ({
            pool: id,
            token0,
            token1,
            fee: Number(feeTier)
          }))
        }
        const seededStore = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(seeded).pipe(Effect.provide(seededStore.layer)))
        yield* devnet.chain.reorg(9)
        for (let step = 0; step < 12; step++) yield* devnet.chain.step
        yield* followToHead(follower)
        // Another indexer: it knows the pools from the store.
        yield* followToHead(yield* makeIndexer(seeded).pipe(Effect.provide(seededStore.layer)))

        const index = seededStore.index(seeded.key)
        const oracle = wholeStore.index(whole.key)
        const head = index.checkpoint?.number ?? 0
        assert.isAbove(head, begin + 20)
        const apart = lockedApart(poolsAt(index, begin), poolsAt(oracle, begin))
        assert.deepStrictEqual(apart, yield* heldApart(devnet.rpc, oracle, older))
        let compared = 0
        for (let block = begin; block <= head; block += 3) {
          compared += yield* compareAt(devnet.rpc, index, seeded.factory, block)
          assert.deepStrictEqual(lockedApart(poolsAt(index, block), poolsAt(oracle, block)), apart, `block ${block}`)
        }
        assert.isAbove(compared, 30)
        for (const pool of poolsAt(index, head)) {
          const same = poolsAt(oracle, head).find(({ id }) => id === pool.id)
          if (same?.token0Price !== "0") assert.strictEqual(pool.token0Price, same?.token0Price)
        }
        const fresh = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(seeded).pipe(Effect.provide(fresh.layer)))
        assert.deepStrictEqual(index.contents, fresh.index(seeded.key).contents)
      }).pipe(Effect.provide([Devnet.layer({ mode: "manual", prefill: 80, seed: 11 }), FetchHttpClient.layer])),
    180_000
  )
})
