import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Clock,
  Context,
  Deferred,
  Duration,
  Effect,
  Fiber,
  Latch,
  Layer,
  Random,
  Record,
  Schedule,
  Scope
} from "effect"
import type { FileSystem } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import type { AlgebraDeployment, DevnetPool, DevnetToken, PairDeployment } from "./contracts/Deployment.ts"
import {
  deployment,
  type DevnetConfig,
  devnetConfig,
  type FurtherExchanges,
  makeGenesis,
  toDevnetConfig
} from "./Genesis.ts"
import { makeRandomDraws } from "./market/RandomDraws.ts"
import { startAnvil } from "./node/AnvilProcess.ts"
import { makeChain } from "./node/Chain.ts"
import type { DevnetError } from "./node/DevnetError.ts"
import { makeJsonRpc } from "./node/JsonRpc.ts"
import { makeTradedChain, type TradedChain } from "./trading/TradedChain.ts"

export interface DevnetOptions extends FurtherExchanges {
  /** The seed of the bots' decisions. Default 1. */
  readonly seed?: string | number
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Whole seconds from one block to the next. Default 1. */
  readonly blockTime?: number
  /** `live` mines a block every `blockTime`; `manual` mines only on demand. Default `live`. */
  readonly mode?: "live" | "manual"
  /**
   * The activity of the bots per block, as an integer multiple of the usual; at most 8 divided by the number of
   * exchanges, so that it fits into a block. Default 1.
   */
  readonly activity?: number
  /** Blocks of bot activity before the devnet is ready. Default 100. */
  readonly prefill?: number
  /**
   * In live mode: blocks mined without a pause after the devnet is ready, like a chain that was offline, until its head
   * is at the present. They contain bot activity as well. Default 0.
   */
  readonly behind?: number
  /**
   * How many of the latest blocks support `eth_call` and reorgs. anvil has the state of each in memory, about 0.35 MB.
   * Default 2500.
   */
  readonly history?: number
  /**
   * Unix seconds of block 0. Without it the chain begins so far back that its head is at the present when it is ready.
   * The same seed, start and calls give the same block hashes (in manual mode).
   */
  readonly genesisTimestamp?: number
}

/** They receive the priority fees of the blocks. */
const miners = [
  "0x00000000000000000000000000000000c0ffee01",
  "0x00000000000000000000000000000000c0ffee02",
  "0x00000000000000000000000000000000c0ffee03"
] as const

const chainId = 31_337

/**
 * Cancun, because the system contract of later forks writes every block's hash into the state, and anvil keeps a copy
 * of the whole state for each block.
 */
const anvilArguments = (genesis: number, history: number) =>
  [
    ["--chain-id", String(chainId)],
    ["--timestamp", String(genesis)],
    ["--hardfork", "cancun"],
    // Anvil makes up the finalized block: twice this many blocks below the head.
    ["--slots-in-an-epoch", "1"],
    // All in memory: after a reorg to a state that anvil has stored in a file, contracts have no code.
    ["--prune-history", String(history)],
    ["--order", "fees"],
    ["--balance", "100000000"],
    ["--no-mining"]
  ].flat()

const currentSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** Starts the chain and mines until everything is deployed and has been traded. */
const open = Effect.fnUntraced(function* (
  options: DevnetOptions,
  { behind, blockTime }: { readonly behind: number; readonly blockTime: number }
) {
  const { activity = 1, history = 2500, port = 0, prefill = 100, seed = 1 } = options
  const { blocks, deployment } = yield* makeGenesis(options)
  const past = (blocks.length + prefill + behind) * blockTime
  const genesis = options.genesisTimestamp ?? Math.max(1, (yield* currentSeconds) - past)
  const anvil = yield* startAnvil({ port, args: anvilArguments(genesis, history) })
  const rpc = yield* makeJsonRpc(anvil.url)
  yield* rpc.batch([
    ["anvil_setLoggingEnabled", false],
    ["anvil_setBlockTimestampInterval", blockTime]
  ])

  let isPast = true
  const chain = yield* makeTradedChain({
    chain: makeChain(rpc, miners),
    deployment,
    activity,
    draws: makeRandomDraws(yield* Random.Random.pipe(Random.withSeed(seed))),
    nextTimestamp: ({ timestamp }) =>
      isPast
        ? Effect.succeed(timestamp + blockTime)
        : Effect.map(currentSeconds, (now) => Math.max(timestamp + blockTime, now))
  })
  yield* Effect.forEach(blocks, chain.run, { discard: true })
  for (let block = 0; block < prefill; block++) yield* chain.step
  // From here on block times follow the clock.
  const arrive = Effect.sync(() => {
    isPast = false
  })
  return { anvil, chain, arrive, deployment }
})

const make = Effect.fnUntraced(function* (options: DevnetOptions) {
  const { blockTime = 1, mode = "live" } = options
  const behind = mode === "live" ? (options.behind ?? 0) : 0
  // Closed after anvil has ended: a block that is under way cannot be interrupted, and waits for anvil's answer.
  const mining = yield* Scope.fork(yield* Effect.scope)
  const {
    anvil,
    arrive,
    deployment: made,
    chain
  } = yield* open(options, { behind, blockTime }).pipe(Effect.forkIn(mining), Effect.flatMap(Fiber.join))
  const { algebra, pancakeswap, uniswapV2 } = made
  const exited = yield* Deferred.make<DevnetError>()
  yield* anvil.exited.pipe(
    Effect.flatMap((error) => Deferred.succeed(exited, error)),
    Effect.forkScoped
  )
  const running = Latch.makeUnsafe(true)
  if (mode === "live") {
    const blocks = yield* keepMining({ chain, running, arrive, behind, blockTime }).pipe(
      Effect.raceFirst(Deferred.await(exited)),
      Effect.forkIn(mining)
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => blocks.interruptUnsafe()))
  }

  return Devnet.of({
    rpc: anvil.url,
    pid: anvil.pid,
    chainId,
    config: devnetConfig,
    tokens: Record.values(deployment.tokens),
    pools: deployment.pools,
    ...(pancakeswap === undefined
      ? {}
      : { pancakeswap: { config: toDevnetConfig(pancakeswap), pools: pancakeswap.pools, trader: pancakeswap.trader } }),
    ...(uniswapV2 === undefined ? {} : { uniswapV2: { ...uniswapV2, config: toDevnetConfig(uniswapV2) } }),
    ...(algebra === undefined ? {} : { algebra: { ...algebra, config: toDevnetConfig(algebra) } }),
    chain,
    pause: Effect.asVoid(running.close),
    resume: Effect.asVoid(running.open),
    exited: Deferred.await(exited)
  })
})

/**
 * Mines the missing blocks at once, then a block every `blockTime` seconds. A failed step is logged, and the next one
 * is tried.
 */
const keepMining = Effect.fnUntraced(function* (options: {
  readonly chain: TradedChain
  readonly running: Latch.Latch
  readonly arrive: Effect.Effect<void>
  readonly behind: number
  readonly blockTime: number
}) {
  const block = options.chain.step.pipe(
    Effect.catch((error) => Effect.logWarning(error.message)),
    options.running.whenOpen
  )
  const pause = Duration.seconds(options.blockTime)
  for (let left = options.behind; left > 0; left--) yield* block
  yield* options.arrive
  return yield* block.pipe(Effect.repeat(Schedule.fixed(pause)), Effect.delay(pause), Effect.andThen(Effect.never))
})

/**
 * A private chain with the published contracts of Uniswap V3 and, if wanted, PancakeSwap V3, Uniswap V2 and Algebra,
 * tokens, pools and bots that trade on them. It runs in memory and ends with the layer.
 */
export class Devnet extends Context.Service<
  Devnet,
  {
    /** The address of the JSON-RPC interface. */
    readonly rpc: string
    /** anvil's process. */
    readonly pid: number
    readonly chainId: number
    readonly config: DevnetConfig
    readonly tokens: ReadonlyArray<DevnetToken>
    readonly pools: ReadonlyArray<DevnetPool>
    /** PancakeSwap V3, if the devnet has it. */
    readonly pancakeswap?: {
      readonly config: DevnetConfig
      readonly pools: ReadonlyArray<DevnetPool>
      /** Swaps and holds positions for anyone. */
      readonly trader: string
    }
    /** Uniswap V2, if the devnet has it. */
    readonly uniswapV2?: PairDeployment & { readonly config: DevnetConfig }
    /** Algebra, if the devnet has it. */
    readonly algebra?: AlgebraDeployment & { readonly config: DevnetConfig }
    /** Mines and replaces blocks. */
    readonly chain: TradedChain
    /** Pauses the blocks of live mode. The methods of `chain` keep working. */
    readonly pause: Effect.Effect<void>
    readonly resume: Effect.Effect<void>
    /** Completes when anvil exits although the devnet was not stopped. */
    readonly exited: Effect.Effect<DevnetError>
  }
>()("@chaintape/sandbox/devnet/Devnet") {
  /** Ready when the contracts, the pools, their liquidity and the first trades are on the chain. */
  static readonly layerNoDeps = (
    options: DevnetOptions = {}
  ): Layer.Layer<
    Devnet,
    DevnetError,
    ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem | HttpClient.HttpClient
  > => Layer.effect(Devnet, make(options))

  static readonly layer = (options: DevnetOptions = {}): Layer.Layer<Devnet, DevnetError> =>
    Devnet.layerNoDeps(options).pipe(Layer.provide([NodeServices.layer, FetchHttpClient.layer]))
}
