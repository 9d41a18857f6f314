import { Devnet } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { makeNodes } from "../../../../src/blocks/rpc/Nodes.ts"
import type { RpcCall } from "../../../../src/blocks/rpc/RpcCall.ts"
import { readPoolFacts, selectors } from "../../../../src/dex/index/decode/ContractCall.ts"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { casesOf } from "../../../Cases.ts"
import { allFollowed, compareAt } from "../run/ContractComparison.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { roughBlock } from "../synthetic/RoughActivity.ts"
import { makeDraws } from "../synthetic/SyntheticChain.ts"
import { followToHead } from "../synthetic/SyntheticIndex.ts"

const blocks = casesOf("CHAINTAPE_SIMULATION_BLOCKS", { few: 60, many: 150 })
const seed = Number(process.env["CHAINTAPE_SIMULATION_SEED"] ?? 1)

/** Each pool with its current price. */
const poolsNow = Effect.fnUntraced(function* (devnet: Devnet["Service"]) {
  const { read: readNodes } = makeNodes(yield* HttpClient.HttpClient, "devnet", [devnet.rpc])
  const send = (calls: ReadonlyArray<RpcCall>) => readNodes((sendCalls) => sendCalls(calls))
  const replies = yield* send(
    devnet.pools.map(({ address }) => ({
      method: "eth_call",
      params: [{ to: address, data: selectors.slot0 }, "latest"]
    }))
  )
  return devnet.pools.map((pool, index) => {
    const facts = readPoolFacts(replies[index], `0x${"0".repeat(64)}`, `0x${"0".repeat(64)}`)
    return { ...pool, price: facts?.sqrtPrice ?? 0n, tick: facts?.tick ?? 0 }
  })
})

describe("the state of pools that is derived from events", () => {
  it.live(
    `equals that of their contracts in each of ${blocks} blocks of random activity`,
    () =>
      Effect.gen(function* () {
        const devnet = yield* Devnet
        const draw = makeDraws(seed)
        for (let block = 0; block < blocks; block++) yield* devnet.chain.run(roughBlock(yield* poolsNow(devnet), draw))
        const config: IndexConfig = {
          ...devnet.config,
          key: "uniswap-v3/devnet",
          blockchain: "devnet",
          rpc: [devnet.rpc],
          finality: 2
        }
        // In a few large ranges, so that contracts are read for few blocks.
        const store = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(store.layer)))
        const index = store.index(config.key)
        const head = index.checkpoint?.number ?? 0
        for (let block = head - blocks; block <= head; block++) {
          yield* compareAt(devnet.rpc, index, config.factory, block)
        }
        allFollowed(index)
        assert.isAbove(index.trades.filter(({ trade }) => trade.kind === "swap").length, blocks)
      }).pipe(Effect.provide([Devnet.layer({ mode: "manual", prefill: 20, seed }), FetchHttpClient.layer])),
    600_000
  )
})
