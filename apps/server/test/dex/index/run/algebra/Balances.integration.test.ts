import { Devnet } from "@chaintape/sandbox"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { encodeFunctionData, getContractAddress, parseAbi } from "viem"
import type { Hex } from "viem"
import type { IndexConfig } from "../../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../../src/dex/index/run/Indexer.ts"
import { readNamedLogs } from "../../../ChainTruth.ts"
import { makeMemoryEntityStore } from "../../store/MemoryEntityStore.ts"
import { followToHead } from "../../synthetic/SyntheticIndex.ts"
import { algebraNames } from "./AlgebraLedger.ts"

/** An `eth_call` that creates a contract. */
const program = /\{"data":"0x[0-9a-f]+"\}/g
const withoutCode = '{"to":"0x000000000000000000000000000000000000dead"}'

/** A node that runs no programs: the calls go to an account without code, and return nothing. */
const withoutPrograms = (onProgram: () => void) =>
  HttpClient.mapRequest((request) => {
    if (request.body._tag !== "Uint8Array") return request
    const calls = new TextDecoder().decode(request.body.body).replaceAll(program, () => {
      onProgram()
      return withoutCode
    })
    return HttpClientRequest.bodyText(request, calls, "application/json")
  })

const abi = parseAbi([
  "function createPool(address tokenA, address tokenB) returns (address)",
  "function initialize(uint160 initialPrice)"
])

/** One raw token 1 for one raw token 0. */
const price = 1n << 96n

/** The creation code of a token with 18 decimals, whose `balanceOf` fails. */
const brokenToken = "0x601e600c600039601e6000f360003560e01c6370a0823114601957601260005260206000f35b600080fd"

class World extends Context.Service<
  World,
  {
    readonly devnet: Devnet["Service"]
    readonly algebra: NonNullable<Devnet["Service"]["algebra"]>
    readonly config: IndexConfig
  }
>()("@chaintape/server/test/dex/AlgebraBalances") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const devnet = yield* Devnet
      const { algebra } = devnet
      if (algebra === undefined) return yield* Effect.die(new Error("the devnet has no Algebra"))
      const config: IndexConfig = {
        ...algebra.config,
        key: "algebra/devnet",
        protocol: "algebra-1",
        blockchain: "devnet",
        rpc: [devnet.rpc],
        finality: 16
      }
      return World.of({ devnet, algebra, config })
    })
  ).pipe(
    Layer.provide(Devnet.layer({ mode: "manual", prefill: 20, algebra: "1.0" })),
    Layer.provideMerge(FetchHttpClient.layer)
  )
}

const indexOf = Effect.fnUntraced(function* (config: IndexConfig) {
  const store = makeMemoryEntityStore()
  yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(store.layer)))
  return store.index(config.key)
})

layer(World.layer, { excludeTestServices: true, timeout: 120_000 })("the balances of pools of Algebra 1.0", (it) => {
  it.effect("are the same from a node that runs no programs", () =>
    Effect.gen(function* () {
      const { config } = yield* World
      let programs = 0
      const client = withoutPrograms(() => programs++)(yield* HttpClient.HttpClient)
      const asked = yield* indexOf(config).pipe(Effect.provideService(HttpClient.HttpClient, client))
      assert.isAbove(programs, 0)
      assert.isNotEmpty(asked.trades)
      assert.deepStrictEqual(asked.contents, (yield* indexOf(config)).contents)
    })
  )

  it.effect("follow from the events if the contract of a token fails, and the index continues", () =>
    Effect.gen(function* () {
      const { algebra, config, devnet } = yield* World
      const from = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720"
      const call = (to: Hex, data: Hex) => ({ from, to, data, gas: 8_000_000 }) as const
      yield* devnet.chain.run([{ from, data: brokenToken, gas: 200_000 }])
      const [{ token0 }] = algebra.pools
      const args = [getContractAddress({ from, nonce: 0n }), token0.address] as const
      yield* devnet.chain.run([call(algebra.factory, encodeFunctionData({ abi, functionName: "createPool", args }))])
      const created = (yield* readNamedLogs(devnet.rpc, [algebra.factory], algebraNames)).at(-1)
      const pool: Hex = `0x${(created?.words[0] ?? 0n).toString(16).padStart(40, "0")}`
      assert.isFalse(algebra.pools.some(({ address }) => address === pool))
      yield* devnet.chain.run([call(pool, encodeFunctionData({ abi, functionName: "initialize", args: [price] }))])
      yield* devnet.chain.step
      const { number } = yield* devnet.chain.step
      const index = yield* indexOf(config)
      assert.strictEqual(index.checkpoint?.number, number)
      const row = index.rows.pool.get(pool)?.at(-1)?.row
      assert.deepInclude(row, { sqrtPrice: String(price), totalValueLockedToken0: "0", totalValueLockedToken1: "0" })
    })
  )
})
