import { Effect, Random, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { cast, getDeployment, everyone } from "../../apps/sandbox/src/devnet/contracts/Deployment.ts"
import { Devnet } from "../../apps/sandbox/src/devnet/Devnet.ts"
import { emptyState, eventName } from "../../apps/sandbox/src/devnet/market/MarketState.ts"
import { makeRandomDraws } from "../../apps/sandbox/src/devnet/market/RandomDraws.ts"
import type { RandomDraws } from "../../apps/sandbox/src/devnet/market/RandomDraws.ts"
import { makeChain } from "../../apps/sandbox/src/devnet/node/Chain.ts"
import { makeJsonRpc } from "../../apps/sandbox/src/devnet/node/JsonRpc.ts"
import type { JsonRpc } from "../../apps/sandbox/src/devnet/node/JsonRpc.ts"
import { toRequest } from "../../apps/sandbox/src/devnet/node/Transaction.ts"
import type { Transaction } from "../../apps/sandbox/src/devnet/node/Transaction.ts"
import { getPrices } from "../../apps/sandbox/src/devnet/trading/Bots.ts"
import { swap } from "../../apps/sandbox/src/devnet/trading/Swaps.ts"

export interface SwapChainOptions {
  readonly seed: number
  readonly swaps: number
  readonly swapsPerBlock: number
  /** Empty blocks at the end, so that every event is final to every indexer. */
  readonly idleBlocks: number
  /** Called after each block with the number of swaps so far. */
  readonly progress: (swaps: number) => void
}

const blockTime = 12
const genesisTimestamp = 1_700_000_000
const miner = "0x00000000000000000000000000000000c0ffee01"

const deployment = getDeployment(cast)
const prices = getPrices(emptyState)

/** A swap in one pool, in either direction, small enough that prices stay close to their start. */
const randomSwap = (draws: RandomDraws): Transaction => {
  const pool = draws.pick(deployment.pools)
  const [input, output] = draws.chance(0.5) ? [pool.token0, pool.token1] : [pool.token1, pool.token0]
  return {
    ...swap(deployment, prices, {
      trader: draws.pick(deployment.cast.traders),
      route: { input, hops: [{ pool, output }] },
      usd: pool.usd * draws.between(1e-6, 1e-4),
      exact: draws.chance(0.3) ? "output" : "input"
    }),
    gas: 300_000
  }
}

const Logs = Schema.Array(Schema.Struct({ topics: Schema.Array(Schema.String) }))
const decodeLogs = Schema.decodeUnknownEffect(Logs)

const poolEvents = new Set(["Initialize", "Mint", "Burn", "Swap", "Collect", "Flash"])

/** The events of the pools on the chain by name. */
const countEvents = Effect.fnUntraced(function* (rpc: JsonRpc, head: number) {
  const counts = new Map<string, number>()
  for (let from = 0; from <= head; from += 100) {
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${Math.min(head, from + 99).toString(16)}` }
    const address = deployment.pools.map((pool) => pool.address)
    for (const { topics } of yield* decodeLogs(yield* rpc.call("eth_getLogs", { ...range, address }))) {
      const name = eventName({ address: "", topics, data: "0x" })
      if (name !== undefined && poolEvents.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
})

const fill = Effect.fnUntraced(function* (devnet: Devnet["Service"], rpc: JsonRpc, options: SwapChainOptions) {
  const chain = makeChain(rpc, [miner])
  const draws = makeRandomDraws(yield* Random.Random.pipe(Random.withSeed(options.seed)))
  yield* rpc.call("evm_setBlockGasLimit", "0x40000000")
  const nonces = new Map(yield* chain.recover(everyone(deployment.cast)))
  let { timestamp } = yield* chain.head
  let swaps = 0
  while (swaps < options.swaps) {
    const wanted = Math.min(options.swapsPerBlock, options.swaps - swaps)
    const requests = Array.from({ length: wanted }, (_, place) => {
      const transaction = randomSwap(draws)
      const nonce = nonces.get(transaction.from) ?? 0
      nonces.set(transaction.from, nonce + 1)
      return toRequest(transaction, nonce, place)
    })
    timestamp += blockTime
    const { receipts } = yield* chain.mine(requests, timestamp)
    const mined = receipts.flatMap(({ logs }) => logs).filter((log) => eventName(log) === "Swap").length
    if (mined !== wanted) return yield* Effect.die(`Of ${wanted} swaps ${mined} are in their block.`)
    swaps += mined
    options.progress(swaps)
  }
  const head = yield* devnet.chain.mine(options.idleBlocks)
  return head.number
})

export interface SwapChain {
  readonly rpc: string
  readonly chainId: number
  readonly head: number
  readonly config: Devnet["Service"]["config"]
  /** Events of the factory and the pools by name. */
  readonly events: ReadonlyMap<string, number>
}

/** A devnet with exactly this many swaps. The same options give the same blocks. It runs until the scope ends. */
export const makeSwapChain = Effect.fn("makeSwapChain")(function* (options: SwapChainOptions) {
  const devnet = yield* Devnet
  const rpc = yield* makeJsonRpc(devnet.rpc)
  const head = yield* fill(devnet, rpc, options)
  const events = new Map([["PoolCreated", deployment.pools.length], ...(yield* countEvents(rpc, head))])
  return { rpc: devnet.rpc, chainId: devnet.chainId, head, config: devnet.config, events } satisfies SwapChain
})

export const toDevnet = ({ idleBlocks, seed, swaps, swapsPerBlock }: SwapChainOptions) =>
  Devnet.layer({
    seed,
    mode: "manual",
    prefill: 0,
    blockTime,
    genesisTimestamp,
    history: Math.ceil(swaps / swapsPerBlock) + idleBlocks + 50
  })

export const http = FetchHttpClient.layer
