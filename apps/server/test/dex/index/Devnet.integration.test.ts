import { Devnet } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { makeJsonRpc } from "../../../src/blocks/rpc/JsonRpc.ts"
import { readAddress, readPoolFacts, readUint, selectors } from "../../../src/dex/index/ContractCall.ts"
import type { IndexConfig } from "../../../src/dex/index/IndexConfig.ts"
import type { IndexedPool } from "../../../src/dex/index/IndexedBlock.ts"
import { makeIndexer } from "../../../src/dex/index/Indexer.ts"
import { makeMemoryEntityStore } from "./MemoryEntityStore.ts"
import type { MemoryIndex } from "./MemoryEntityStore.ts"
import { followToHead } from "./SyntheticIndex.ts"

const liquidity = "0x1a686502"

/** The newest version that is valid at a block. */
const asOf = <Row>(versions: ReadonlyArray<{ readonly from: number; readonly row: Row }>, block: number) =>
  versions.findLast(({ from }) => from <= block)?.row

const stated = ({
  feeGrowthGlobal0X128,
  feeGrowthGlobal1X128,
  liquidity,
  observationIndex,
  sqrtPrice,
  tick
}: IndexedPool) => ({
  sqrtPrice,
  tick: tick === "" ? "0" : tick,
  liquidity,
  observationIndex,
  feeGrowthGlobal0X128,
  feeGrowthGlobal1X128
})

/** Compares every pool as of a block with what its contract says. */
const compareAt = Effect.fnUntraced(function* (rpc: string, index: MemoryIndex, factory: string, block: number) {
  const send = makeJsonRpc(yield* HttpClient.HttpClient, "devnet", [rpc])
  const ask = (to: string, data: string) => ({ method: "eth_call", params: [{ to, data }, `0x${block.toString(16)}`] })
  const pools = [...index.rows.pool.values()].flatMap((versions) => asOf(versions, block) ?? [])
  for (const pool of pools) {
    const [slot0, growth0, growth1, inRange] = yield* send(
      [selectors.slot0, selectors.feeGrowthGlobal0X128, selectors.feeGrowthGlobal1X128, liquidity].map((data) =>
        ask(pool.id, data)
      )
    )
    const facts = readPoolFacts(slot0, growth0, growth1)
    assert.deepStrictEqual(
      stated(pool),
      {
        sqrtPrice: String(facts?.sqrtPrice),
        tick: String(facts?.tick),
        liquidity: String(readUint(inRange)),
        observationIndex: String(facts?.observationIndex),
        feeGrowthGlobal0X128: String(facts?.feeGrowthGlobal0X128),
        feeGrowthGlobal1X128: String(facts?.feeGrowthGlobal1X128)
      },
      `pool ${pool.id} in block ${block}`
    )
  }
  const totals = [...index.rows.deployment.values()].flatMap((versions) => asOf(versions, block) ?? [])[0]
  if (totals !== undefined) {
    const [owner] = yield* send([ask(factory, selectors.owner)])
    assert.strictEqual(totals.owner, readAddress(owner))
  }
  return pools.length
})

describe("an index of the devnet", () => {
  it.live(
    "holds what the pools' contracts state, in every 7th block and across a reorg",
    () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet
        const config: IndexConfig = {
          ...devnet.config,
          key: "uniswap-v3/devnet",
          blockchain: "devnet",
          rpc: [devnet.rpc],
          finality: 12
        }
        const store = makeMemoryEntityStore()
        const indexer = yield* makeIndexer(config).pipe(Effect.provide(store.layer))
        yield* followToHead(indexer)
        for (let step = 0; step < 20; step++) yield* devnet.step
        yield* followToHead(indexer)
        yield* devnet.reorg(9)
        yield* devnet.step
        yield* followToHead(indexer)
        const head = store.index(config.key).checkpoint?.number ?? 0
        let compared = 0
        for (let block = head; block > 0; block -= block > head - 12 ? 1 : 7) {
          compared += yield* compareAt(devnet.rpc, store.index(config.key), config.factory, block)
        }
        assert.isAbove(compared, 100)
        // The same as an index that never saw the other branch.
        const fresh = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(fresh.layer)))
        assert.deepStrictEqual(store.index(config.key).contents, fresh.index(config.key).contents)
      }).pipe(Effect.provide([Devnet.layer({ mode: "manual", prefill: 80, seed: 7 }), FetchHttpClient.layer])),
    60_000
  )
})
