import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Config, Console, Effect, Layer, Logger, Option, Schema, Stdio, Stream } from "effect"
import { Announcement } from "./Announcement.ts"
import { Devnet } from "./devnet/Devnet.ts"
import { SandboxExchange } from "./exchange/SandboxExchange.ts"
import { ReorgApi } from "./ReorgApi.ts"

const options = Config.all({
  seed: Config.Int("SANDBOX_SEED").pipe(Config.withDefault(1)),
  exchangePort: Config.Int("SANDBOX_EXCHANGE_PORT").pipe(Config.withDefault(0)),
  rpcPort: Config.Int("SANDBOX_RPC_PORT").pipe(Config.withDefault(0)),
  /** The folder in which the exchange's tape survives restarts. */
  journalDir: Config.option(Config.String("SANDBOX_JOURNAL_DIR")),
  /** Set by a program that starts the sandbox as a child: the sandbox then ends with its standard input. */
  attached: Config.Boolean("SANDBOX_ATTACHED").pipe(Config.withDefault(false))
})

const ofPancakeswap = { id: "pancakeswap-v3", name: "PancakeSwap V3", protocol: "pancakeswap-v3" } as const
const ofUniswapV2 = { id: "uniswap-v2", name: "Uniswap V2", protocol: "uniswap-v2" } as const
const ofAlgebra = { id: "algebra", name: "Algebra", protocol: "algebra-2" } as const

const toDexes = ({ algebra, config, pancakeswap, uniswapV2 }: Devnet["Service"]): Announcement["chain"]["dexes"] => [
  { id: "uniswap-v3", name: "Uniswap V3", protocol: "uniswap-v3", ...config },
  ...(pancakeswap === undefined ? [] : [{ ...ofPancakeswap, ...pancakeswap.config }]),
  ...(uniswapV2 === undefined ? [] : [{ ...ofUniswapV2, ...uniswapV2.config }]),
  ...(algebra === undefined ? [] : [{ ...ofAlgebra, ...algebra.config }])
]

const announce = Effect.gen(function* () {
  const exchange = yield* SandboxExchange
  const devnet = yield* Devnet
  const { address } = yield* ReorgApi
  const line = yield* Schema.encodeEffect(Schema.fromJsonString(Announcement))({
    exchange: {
      rest: exchange.rest,
      websocket: exchange.websocket,
      markets: exchange.products.map(({ id }) => id.replace("-", "/"))
    },
    chain: { rpc: devnet.rpc, chainId: devnet.chainId, dexes: toDexes(devnet), control: address }
  })
  yield* Console.log(line)
})

/** Completes when the parent process has ended for any reason. */
const inputEnds = Effect.flatMap(Stdio.Stdio, ({ stdin }) => Effect.ignore(Stream.runDrain(stdin)))

const program = Effect.gen(function* () {
  const { attached, exchangePort, journalDir, rpcPort, seed } = yield* options
  const world = Layer.mergeAll(
    SandboxExchange.layer({ seed, port: exchangePort, journalDir: Option.getOrUndefined(journalDir), retain: 100_000 }),
    ReorgApi.layer.pipe(
      Layer.provideMerge(
        Devnet.layer({
          seed,
          port: rpcPort,
          history: 300,
          prefill: 0,
          behind: 100,
          pancakeswap: true,
          uniswapV2: true,
          algebra: "2.0"
        })
      )
    )
  )
  yield* Effect.gen(function* () {
    yield* announce
    const devnet = yield* Devnet
    const chainEnds = Effect.flatMap(devnet.exited, Effect.fail)
    yield* attached ? Effect.raceFirst(inputEnds, chainEnds) : chainEnds
  }).pipe(Effect.provide(world))
})

// Standard output carries only the announcement.
const toStandardError = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

/** An error in words, a defect with its stack. */
const logEnd = <E extends { readonly message: string }>(cause: Cause.Cause<E>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Effect.logError(
        Option.match(Cause.findErrorOption(cause), {
          onNone: () => Cause.pretty(cause),
          onSome: ({ message }) => message
        })
      )

program.pipe(
  Effect.tapCause(logEnd),
  Effect.provide([NodeServices.layer, toStandardError]),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
