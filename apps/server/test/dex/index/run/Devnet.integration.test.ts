import { Devnet } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { followToHead } from "../synthetic/SyntheticIndex.ts"
import { allFollowed, compareAt } from "./ContractComparison.ts"

describe("an index of the devnet", () => {
  it.live(
    "holds what the pools' contracts state, in every 7th block and across reorgs",
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
        for (let step = 0; step < 20; step++) yield* devnet.chain.step
        yield* followToHead(indexer)
        for (let reorg = 0; reorg < 8; reorg++) {
          yield* devnet.chain.reorg(9)
          for (let step = 0; step < 9; step++) yield* devnet.chain.step
          yield* followToHead(indexer)
        }
        const head = store.index(config.key).checkpoint?.number ?? 0
        let compared = 0
        for (let block = head; block > 0; block -= block > head - 12 ? 1 : 7) {
          compared += yield* compareAt(devnet.rpc, store.index(config.key), config.factory, block)
        }
        assert.isAbove(compared, 100)
        allFollowed(store.index(config.key))
        // The same as an index that never saw the other branch.
        const fresh = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(fresh.layer)))
        assert.deepStrictEqual(store.index(config.key).contents, fresh.index(config.key).contents)
      }).pipe(Effect.provide([Devnet.layer({ mode: "manual", prefill: 80, seed: 7 }), FetchHttpClient.layer])),
    180_000
  )
})
