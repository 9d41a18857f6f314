import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, FileSystem, Layer, Logger, Option, References } from "effect"
import type { Redacted } from "effect"
import { Headers, HttpServer, UrlParams } from "effect/http"
import { banner, exampleOf } from "./Banner.ts"
import * as Blockchains from "./blocks/Blockchains.ts"
import { Blocks } from "./blocks/Blocks.ts"
import * as RpcBlockSource from "./blocks/rpc/RpcBlockSource.ts"
import { Candles } from "./cex/Candles.ts"
import * as CcxtCatalog from "./cex/ccxt/CcxtCatalog.ts"
import { CcxtExchangeSource } from "./cex/ccxt/CcxtExchangeSource.ts"
import { Exchanges } from "./cex/Exchanges.ts"
import { Trades } from "./cex/Trades.ts"
import type { ConfigFile } from "./Config.ts"
import { environment, readConfigFile } from "./Config.ts"
import { Deployments, keyOf } from "./dex/Deployments.ts"
import type { DexSource } from "./dex/DexSource.ts"
import * as Dexes from "./Dexes.ts"
import { endWithSentence } from "./EndWithSentence.ts"
import { listen, serve } from "./http/HttpServer.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { ApiKeyStore } from "./keys/ApiKeyStore.ts"
import { newKey } from "./keys/NewKey.ts"
import { localKey } from "./LocalKey.ts"
import { startOfflineWorld } from "./OfflineWorld.ts"
import type { IndexStatuses } from "./sources/IndexStatuses.ts"
import { SourceHealth } from "./sources/SourceHealth.ts"
import * as Database from "./store/Database.ts"

/** Everything between the adapters and the handlers. `dexes` are the sources of decentralized exchanges. */
export const domain = <E = never, R = never>(
  config: ConfigFile,
  dexes: Layer.Layer<DexSource | IndexStatuses, E, R> = Dexes.layerNone
) => {
  const { blockchains = [], exchanges = [] } = config
  const chains = blockchains.map(({ ephemeral, finality, id, name }) => ({
    id,
    name,
    finality: finality ?? Dexes.defaultFinality,
    ephemeral: ephemeral ?? false
  }))
  const sources = Layer.mergeAll(
    CcxtCatalog.layer(exchanges),
    CcxtExchangeSource.layer(exchanges),
    RpcBlockSource.layer(blockchains).pipe(Layer.provide(NodeHttpClient.layerUndici)),
    SourceHealth.layer([
      ...exchanges.map(({ id }) => ({ id, kind: "exchange" as const })),
      ...chains.map(({ id }) => ({ id, kind: "blockchain" as const })),
      ...Dexes.deploymentsOf(config).map(({ blockchain, dex }) => ({
        id: keyOf(dex, blockchain),
        kind: "dex" as const
      }))
    ]),
    dexes
  )
  return Layer.mergeAll(Trades.layer, Candles.layer, Blocks.layer, Deployments.layer(Dexes.deploymentsOf(config))).pipe(
    Layer.provideMerge(Exchanges.layer),
    Layer.provideMerge(Blockchains.Blockchains.layer(chains)),
    Layer.provideMerge(sources)
  )
}

const keys = ApiKeys.layer.pipe(Layer.provideMerge(ApiKeyStore.layer))

const store = (environment: Environment) =>
  keys.pipe(
    Layer.provideMerge(
      Database.layer({
        url: Option.getOrUndefined(environment.databaseUrl),
        dataDir: `${environment.dataDir}/database`
      })
    )
  )

type Environment = Effect.Success<typeof environment>

const bootstrap = "bootstrap"

/** Makes the configured key valid. Without one, the first start makes a key, which is shown this once. */
const installKey = Effect.fn("installKey")(function* (given: Option.Option<Redacted.Redacted>) {
  const apiKeys = yield* ApiKeys
  if (Option.isSome(given)) {
    yield* apiKeys.install(bootstrap, given.value)
    return given
  }
  if (yield* apiKeys.hasName(bootstrap)) return Option.none()
  const key = yield* newKey
  yield* apiKeys.install(bootstrap, key)
  return Option.some(key)
})

const quietly = Layer.mergeAll(
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey", "api_key", "api-key"])
  ),
  Layer.effect(
    Headers.CurrentRedactedNames,
    Effect.map(Headers.CurrentRedactedNames, (names) => [...names, "api-key"])
  )
)

/** What to serve: the file's sources, or the sandbox where there is no file. A wrong file fails before anything is opened. */
const planWorld = Effect.fnUntraced(function* (environment: Environment) {
  const files = yield* FileSystem.FileSystem
  const standard = "chaintape.config.json"
  const configured = Option.orElse(environment.configFile, () => Option.some(standard))
  const file = Option.isSome(environment.configFile) || (yield* files.exists(standard)) ? configured : Option.none()
  if (Option.isSome(file)) {
    const config = yield* readConfigFile(file.value, CcxtCatalog.isKnownDriver)
    return Effect.succeed({ config, key: environment.bootstrapKey, exited: Effect.never, offline: false })
  }
  return Effect.gen(function* () {
    const { config, exited } = yield* startOfflineWorld(environment.dataDir)
    const key = Option.isSome(environment.bootstrapKey)
      ? environment.bootstrapKey.value
      : yield* localKey(environment.dataDir)
    return { config, key: Option.some(key), exited, offline: true }
  })
})

/** The whole program: runs until it is interrupted. */
export const program = Effect.gen(function* () {
  const env = yield* environment
  const world = yield* planWorld(env)
  const [opened, { config, exited, key, offline }] = yield* Effect.all([Layer.build(store(env)), world], {
    concurrency: "unbounded"
  })
  const stores = Layer.succeedContext(opened)
  const given = Option.isSome(env.bootstrapKey)
  yield* Effect.provide(Dexes.forgetEphemeral(config), stores)
  const server = serve(exampleOf(config)).pipe(
    Layer.provide(domain(config, (config.dexes ?? []).length === 0 ? Dexes.layerNone : Dexes.layer(config))),
    Layer.provideMerge(stores),
    Layer.provideMerge(listen(env))
  )
  return yield* Effect.gen(function* () {
    const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
    // Only a service that listens may show a new key: it is shown once.
    const shownKey = yield* installKey(key)
    yield* Console.log(banner({ origin, config, key: given ? Option.none() : shownKey, given, offline }))
    return yield* Effect.flatMap(exited, Effect.fail)
  }).pipe(Effect.provide(server), offline ? Effect.provideService(References.MinimumLogLevel, "Warn") : (run) => run)
}).pipe(
  Effect.scoped,
  Effect.catchTag(
    ["ConfigError", "ConfigFileError", "DatabaseError", "OfflineWorldError", "ServeError"],
    endWithSentence
  ),
  Effect.provide([NodeServices.layer, Logger.layer([Logger.consoleJson]), quietly])
)
