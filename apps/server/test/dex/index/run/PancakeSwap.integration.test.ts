import { Devnet } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { casesOf } from "../../../Cases.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { eventNames, readEvents, readTicks, readWords } from "../../ChainTruth.ts"
import type { ChainEvent } from "../../ChainTruth.ts"
import { assertSums } from "../RecordSums.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { makeDraws } from "../synthetic/SyntheticChain.ts"
import { followToHead } from "../synthetic/SyntheticIndex.ts"
import { allFollowed, compareAt } from "./ContractComparison.ts"
import { emptyLedger, post } from "./PancakeLedger.ts"

const least = casesOf("CHAINTAPE_PANCAKE_EVENTS", { few: 500, many: 2000 })
const seed = Number(process.env["CHAINTAPE_PANCAKE_SEED"] ?? 1)

const toConfig = (devnet: Devnet["Service"]): IndexConfig => ({
  ...(devnet.pancakeswap ?? devnet).config,
  key: "pancakeswap-v3/devnet",
  protocol: "pancakeswap-v3",
  blockchain: "devnet",
  rpc: [devnet.rpc],
  finality: 16
})

/** An index that followed a devnet through reorgs, and the events of the branch that is left. */
const followed = Effect.gen(function* () {
  const devnet = yield* Devnet
  const { pancakeswap } = devnet
  if (pancakeswap === undefined) return yield* Effect.die(new Error("the devnet has no PancakeSwap V3"))
  const config = toConfig(devnet)
  const store = makeMemoryEntityStore()
  const indexer = yield* makeIndexer(config).pipe(Effect.provide(store.layer))
  const pools = pancakeswap.pools.map(({ address }) => address)
  const draw = makeDraws(seed)
  let reorgs = 0
  let events: ReadonlyArray<ChainEvent> = []
  while (events.length < least) {
    for (let step = 0; step < 10; step++) yield* devnet.chain.step
    yield* followToHead(indexer)
    yield* devnet.chain.reorg(1 + draw(9))
    reorgs += 1
    yield* followToHead(indexer)
    events = yield* readEvents(devnet.rpc, pools)
  }
  const index = store.index(config.key)
  return { devnet, pancakeswap, config, index, events, reorgs, head: index.checkpoint?.number ?? 0 }
})

class World extends Context.Service<World, Effect.Success<typeof followed>>()("@chaintape/server/test/dex/Pancake") {
  static readonly layer = Layer.effect(World, followed).pipe(
    Layer.provideMerge(Devnet.layer({ mode: "manual", prefill: 5, seed, pancakeswap: true, activity: 4 })),
    Layer.provideMerge(FetchHttpClient.layer)
  )
}

const toRaw = (decimal: string, decimals: number): bigint => {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return BigInt(`${sign}${whole}${part.padEnd(decimals, "0")}`)
}

const sides = [0, 1] as const
describe(`an index of PancakeSwap V3, after ${least} events and reorgs`, () => {
  layer(World.layer, { excludeTestServices: true, timeout: "10 minutes" })((it) => {
    it.effect("has seen every kind of event, and every pool", () =>
      Effect.gen(function* () {
        const { devnet, events, index, pancakeswap, reorgs } = yield* World
        for (const name of eventNames.slice(3))
          assert.isTrue(
            events.some((event) => event.name === name),
            name
          )
        assert.isAbove(reorgs, 2)
        assert.strictEqual(index.rewindCount, reorgs)
        assert.strictEqual((yield* devnet.chain.stats).failed, 0)
        assert.sameMembers(
          [...index.rows.pool.keys()],
          pancakeswap.pools.map(({ address }) => address)
        )
      })
    )

    it.effect(
      "holds after every block the price, liquidity and fee growth that the contracts state",
      () =>
        Effect.gen(function* () {
          const { config, devnet, head, index } = yield* World
          let compared = 0
          for (let block = 1; block <= head; block++) {
            compared += yield* compareAt(devnet.rpc, index, config.factory, block)
          }
          assert.isAbove(compared, 4 * (head - 10))
          allFollowed(index)
        }),
      600_000
    )

    it.effect(
      "holds after every block the balances and the protocol fees that the contracts state",
      () =>
        Effect.gen(function* () {
          const { devnet, events, head, index, pancakeswap } = yield* World
          for (const { address, fee, token0, token1 } of pancakeswap.pools) {
            const own = events.filter((event) => event.address === address)
            const ledger = emptyLedger()
            // Fees of flashes and withdrawn protocol fees are in the balance, and not in what the index states as locked.
            const beside = [0n, 0n]
            const versions = index.rows.pool.get(address) ?? []
            for (let block = versions[0]?.from ?? 1; block <= head; block++) {
              for (const event of own.filter((one) => one.block === block)) {
                post(ledger, fee, event)
                for (const side of sides) {
                  if (event.name === "Flash") beside[side] = (beside[side] ?? 0n) + (event.words[2 + side] ?? 0n)
                  if (event.name === "CollectProtocol") beside[side] = (beside[side] ?? 0n) - (event.words[side] ?? 0n)
                }
              }
              const [[balance0] = [], [balance1] = [], protocolFees = [], slot0 = []] = yield* readWords(
                devnet.rpc,
                block,
                [
                  { to: token0.address, name: "balanceOf", account: address },
                  { to: token1.address, name: "balanceOf", account: address },
                  { to: address, name: "protocolFees" },
                  { to: address, name: "slot0" }
                ]
              )
              const row = versions.findLast(({ from }) => from <= block)?.row
              const what = `pool ${address} in block ${block}`
              assert.deepStrictEqual([balance0, balance1], ledger.balances, what)
              assert.deepStrictEqual(protocolFees, ledger.protocolFees, what)
              assert.strictEqual(slot0[5], ledger.shares[0] + ledger.shares[1] * 65_536n, what)
              assert.strictEqual(BigInt(row?.simulation?.feeProtocol ?? -1), slot0[5], what)
              assert.deepStrictEqual(
                [
                  toRaw(row?.totalValueLockedToken0 ?? "", token0.decimals) + (beside[0] ?? 0n),
                  toRaw(row?.totalValueLockedToken1 ?? "", token1.decimals) + (beside[1] ?? 0n)
                ],
                ledger.balances,
                what
              )
            }
            assert.isAbove(Number(ledger.protocolFees[0] + ledger.protocolFees[1]), 0)
          }
        }),
      600_000
    )

    it.effect("has the mints, burns and swaps of the receipts, and the ticks of the contracts", () =>
      Effect.gen(function* () {
        const { devnet, events, head, index, pancakeswap } = yield* World
        const decimalsOf = new Map<string, readonly [number, number]>(
          pancakeswap.pools.map(({ address, token0, token1 }) => [address, [token0.decimals, token1.decimals] as const])
        )
        const first = { Swap: 0, Mint: 2, Burn: 1 } as const
        const expected = events.flatMap(({ address, id, name, words }) =>
          name === "Swap" || name === "Mint" || name === "Burn"
            ? [
                [
                  name.toLowerCase(),
                  address,
                  id,
                  ...sides.map((side) => BigInt.asIntN(256, words[first[name] + side] ?? 0n))
                ]
              ]
            : []
        )
        assert.deepStrictEqual(
          index.trades.map(({ trade: { kind, row } }) => {
            const [decimals0 = 0, decimals1 = 0] = decimalsOf.get(row.pool) ?? []
            return [kind, row.pool, row.id, toRaw(row.amount0, decimals0), toRaw(row.amount1, decimals1)]
          }),
          expected
        )
        for (const { address } of pancakeswap.pools) {
          const ticks = yield* readTicks(devnet.rpc, head, address, events)
          assert.deepStrictEqual(
            index.state.ticks
              .filter(({ pool }) => pool === address)
              .map(({ gross, net, tick }) => ({ tick: String(tick), liquidityGross: gross, liquidityNet: net })),
            ticks
          )
        }
      })
    )

    it.effect("has totals that are the sum of its records", () =>
      Effect.gen(function* () {
        const { events, index } = yield* World
        assertSums(index, events)
      })
    )

    it.effect("is the same as one that never saw the other branches", () =>
      Effect.gen(function* () {
        const { config, index } = yield* World
        const fresh = makeMemoryEntityStore()
        yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(fresh.layer)))
        assert.deepStrictEqual(fresh.index(config.key).contents, index.contents)
      })
    )

    it.effect("is refused by name if its factory speaks another protocol than the configured one", () =>
      Effect.gen(function* () {
        const { config, devnet } = yield* World
        const failureOf = Effect.fnUntraced(function* (wrong: IndexConfig) {
          const indexer = yield* makeIndexer(wrong).pipe(Effect.provide(makeMemoryEntityStore().layer))
          return (yield* Effect.flip(indexer.step).pipe(withLease)).message
        })
        assert.strictEqual(
          yield* failureOf({ ...config, protocol: "uniswap-v3" }),
          `The factory ${config.factory} on "devnet" is one of PancakeSwap V3, whose events have another shape than those ` +
            `of Uniswap V3: "${config.key}" cannot be indexed. Write "protocol": "pancakeswap-v3" in its entry under ` +
            `dexes, or give the factory of a Uniswap V3 deployment.`
        )
        assert.match(
          yield* failureOf({ ...config, ...devnet.config }),
          /is one of Uniswap V3, .* Write "protocol": "uniswap-v3" in its entry/
        )
      })
    )
  })
})
