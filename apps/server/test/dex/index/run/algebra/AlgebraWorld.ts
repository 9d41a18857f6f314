import { Devnet } from "@chaintape/sandbox"
import { Context, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { encodeFunctionData, parseAbi } from "viem"
import type { IndexConfig } from "../../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../../src/dex/index/run/Indexer.ts"
import type { ProtocolId } from "../../../../../src/dex/ProtocolIds.ts"
import { casesOf } from "../../../../Cases.ts"
import { readNamedLogs } from "../../../ChainTruth.ts"
import { makeMemoryEntityStore } from "../../store/MemoryEntityStore.ts"
import { makeDraws } from "../../synthetic/SyntheticChain.ts"
import { followToHead } from "../../synthetic/SyntheticIndex.ts"
import { algebraNames } from "./AlgebraLedger.ts"
import type { AlgebraEvent } from "./AlgebraLedger.ts"

export const least = casesOf("CHAINTAPE_ALGEBRA_EVENTS", { few: 500, many: 2000 })
const seed = Number(process.env["CHAINTAPE_ALGEBRA_SEED"] ?? 1)

export type AlgebraRelease = NonNullable<Devnet["Service"]["algebra"]>["release"]

export const protocolIds = {
  "1.0": "algebra-1",
  "2.0": "algebra-2",
  integral: "algebra-integral",
  "integral-1.2.2": "algebra-integral"
} as const satisfies Record<AlgebraRelease, ProtocolId>

/** An index that followed a devnet through reorgs, and the events of the branch that is left. */
const followed = Effect.gen(function* () {
  const devnet = yield* Devnet
  const { algebra } = devnet
  if (algebra === undefined) return yield* Effect.die(new Error("the devnet has no Algebra"))
  const config: IndexConfig = {
    ...algebra.config,
    key: "algebra/devnet",
    protocol: protocolIds[algebra.release],
    blockchain: "devnet",
    rpc: [devnet.rpc],
    finality: 16
  }
  const store = makeMemoryEntityStore()
  const indexer = yield* makeIndexer(config).pipe(Effect.provide(store.layer))
  const pools = algebra.pools.map(({ address }) => address)
  const draw = makeDraws(seed)
  let reorgs = 0
  let events: ReadonlyArray<AlgebraEvent> = []
  while (events.length < least) {
    for (let step = 0; step < 10; step++) yield* devnet.chain.step
    yield* followToHead(indexer)
    yield* devnet.chain.reorg(1 + draw(9))
    reorgs += 1
    yield* followToHead(indexer)
    events = yield* readNamedLogs(devnet.rpc, pools, algebraNames)
  }
  const index = store.index(config.key)
  const transfers = yield* readNamedLogs(
    devnet.rpc,
    devnet.tokens.map(({ address }) => address),
    algebraNames
  )
  return { devnet, algebra, config, index, events, transfers, reorgs, head: index.checkpoint?.number ?? 0 }
})

export class AlgebraWorld extends Context.Service<AlgebraWorld, Effect.Success<typeof followed>>()(
  "@chaintape/server/test/dex/AlgebraWorld"
) {
  /** An hour from block to block: a pool pays out fees every eight hours. */
  static readonly layer = (release: AlgebraRelease) =>
    Layer.effect(AlgebraWorld, followed).pipe(
      Layer.provideMerge(
        Devnet.layer({ mode: "manual", prefill: 5, seed, algebra: release, activity: 4, blockTime: 3600 })
      ),
      Layer.provideMerge(FetchHttpClient.layer)
    )
}

const traderAbi = parseAbi([
  "function poke(address pool, int24 lower, int24 upper)",
  "function flash(address pool, uint256 amount0, uint256 amount1)",
  "function donate(address pool, uint256 amount0, uint256 amount1)"
])

type Algebra = AlgebraWorld["Service"]["algebra"]

/** A transaction of an account that the bots do not use. */
const toTransaction = ({ trader }: Algebra, data: `0x${string}`) => ({
  from: "0x14dc79964da2c08b23698b3d3cc7ca32193d9955" as const,
  to: trader,
  data,
  gas: 900_000
})

/** Sends units of token 0 to the first pool, without a call of the pool. */
export const donate = (algebra: Algebra, amount: bigint) =>
  toTransaction(
    algebra,
    encodeFunctionData({ abi: traderAbi, functionName: "donate", args: [algebra.pools[0].address, amount, 0n] })
  )

/** Burns nothing of the widest position of the first pool. */
export const poke = (algebra: Algebra) =>
  toTransaction(
    algebra,
    encodeFunctionData({ abi: traderAbi, functionName: "poke", args: [algebra.pools[0].address, -887_220, 887_220] })
  )

export const flash = (algebra: Algebra) =>
  toTransaction(
    algebra,
    encodeFunctionData({ abi: traderAbi, functionName: "flash", args: [algebra.pools[0].address, 1000n, 0n] })
  )
