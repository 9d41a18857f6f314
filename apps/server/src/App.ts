import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, FileSystem, Layer, Logger, Option, References, Redacted } from "effect"
import { Headers, HttpServer, UrlParams } from "effect/http"
import type { ConfigFile } from "./Config.ts"
import { environment, readConfigFile } from "./Config.ts"
import * as Blockchains from "./blocks/Blockchains.ts"
import { Blocks } from "./blocks/Blocks.ts"
import * as RpcBlockSource from "./blocks/rpc/RpcBlockSource.ts"
import { Candles } from "./cex/Candles.ts"
import * as CcxtCatalog from "./cex/ccxt/CcxtCatalog.ts"
import { CcxtExchangeSource } from "./cex/ccxt/CcxtExchangeSource.ts"
import { Exchanges } from "./cex/Exchanges.ts"
import { Trades } from "./cex/Trades.ts"
import { listen, serve } from "./http/HttpServer.ts"
import { ApiKeys } from "./keys/ApiKeys.ts"
import { ApiKeyStore } from "./keys/ApiKeyStore.ts"
import { newKey } from "./keys/NewKey.ts"
import { localKey } from "./LocalKey.ts"
import { startOfflineWorld } from "./OfflineWorld.ts"
import { SourceHealth } from "./sources/SourceHealth.ts"
import * as Database from "./store/Database.ts"

const defaultFinality = 32

/** Everything between the adapters and the handlers. */
export const domain = ({ blockchains = [], exchanges = [] }: ConfigFile) => {
  const chains = blockchains.map(({ finality, id, name }) => ({ id, name, finality: finality ?? defaultFinality }))
  const sources = Layer.mergeAll(
    CcxtCatalog.layer(exchanges),
    CcxtExchangeSource.layer(exchanges),
    RpcBlockSource.layer(blockchains).pipe(Layer.provide(NodeHttpClient.layerUndici)),
    SourceHealth.layer([
      ...exchanges.map(({ id }) => ({ id, kind: "exchange" as const })),
      ...chains.map(({ id }) => ({ id, kind: "blockchain" as const }))
    ])
  )
  return Layer.mergeAll(Trades.layer, Candles.layer, Blocks.layer).pipe(
    Layer.provideMerge(Exchanges.layer),
    Layer.provideMerge(Blockchains.Blockchains.layer(chains)),
    Layer.provideMerge(sources)
  )
}

const keys = ApiKeys.layer.pipe(Layer.provideMerge(ApiKeyStore.layer))

const store = (environment: Environment) =>
  keys.pipe(Layer.provide(Database.layer({
    url: Option.getOrUndefined(environment.databaseUrl),
    dataDir: `${environment.dataDir}/database`
  })))

type Environment = Effect.Success<typeof environment>

/** The path of an operation that works with this configuration. */
const exampleOf = ({ exchanges = [] }: ConfigFile): string => {
  const [market] = exchanges.flatMap(({ id, record = [] }) =>
    record.slice(0, 1).map((name) => `/v2/cex/${id}/${name.replace("/", "-")}/lasttrade`)
  )
  return market ?? "/v2/cex/exchanges"
}

const bootstrap = "bootstrap"

/** Makes the configured key valid. Without one, the first start makes a key, which is shown this once. */
const installKey = Effect.fn("installKey")(function*(given: Option.Option<Redacted.Redacted>) {
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

const banner = (origin: string, config: ConfigFile, key: Option.Option<Redacted.Redacted>, offline: boolean) => {
  const shownKey = Option.match(key, { onNone: () => "$CHAINTAPE_API_KEY", onSome: Redacted.value })
  const sources = [
    ...(config.exchanges ?? []).flatMap(({ id, rest }) => rest === undefined ? [] : [`  exchange ${id}    ${rest}`]),
    ...(config.blockchains ?? []).map(({ id, rpc }) => `  blockchain ${id}   ${rpc.join(", ")}`)
  ]
  return [
    "",
    `Chaintape is ready at ${origin}`,
    ...(offline ? ["It runs on a sandbox of its own: a live exchange and a live chain, offline."] : []),
    ...sources,
    "",
    `  documentation      ${origin}/docs`,
    `  key                ${Option.isSome(key) ? shownKey : "the one that the first start showed"}`,
    "",
    "Try it:",
    "",
    `  curl -H "api-key: ${shownKey}" ${origin}${exampleOf(config)}`,
    ""
  ].join("\n")
}

const quietly = Layer.mergeAll(
  Layer.effect(UrlParams.CurrentRedactedNames, Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey"])),
  Layer.effect(Headers.CurrentRedactedNames, Effect.map(Headers.CurrentRedactedNames, (names) => [...names, "api-key"]))
)

const world = Effect.fnUntraced(function*(environment: Environment) {
  const files = yield* FileSystem.FileSystem
  const standard = "chaintape.config.json"
  const configured = Option.orElse(environment.configFile, () => Option.some(standard))
  const file = Option.isSome(environment.configFile) || (yield* files.exists(standard)) ? configured : Option.none()
  if (Option.isSome(file)) {
    return { config: yield* readConfigFile(file.value, CcxtCatalog.isKnownDriver), key: environment.bootstrapKey, exited: Effect.never, offline: false }
  }
  const { config, exited } = yield* startOfflineWorld(environment.dataDir)
  const key = Option.isSome(environment.bootstrapKey) ? environment.bootstrapKey.value : yield* localKey(environment.dataDir)
  return { config, key: Option.some(key), exited, offline: true }
})

/** The whole program: runs until it is interrupted. */
export const program = Effect.gen(function*() {
  const env = yield* environment
  const [opened, { config, exited, key, offline }] = yield* Effect.all([Layer.build(store(env)), world(env)], {
    concurrency: "unbounded"
  })
  const stores = Layer.succeedContext(opened)
  const shownKey = yield* Effect.provide(installKey(key), stores)
  const server = serve(exampleOf(config)).pipe(
    Layer.provide(domain(config)),
    Layer.provide(stores),
    Layer.provideMerge(listen(env))
  )
  yield* Effect.gen(function*() {
    const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
    yield* Console.log(banner(origin, config, shownKey, offline))
    return yield* Effect.flatMap(exited, Effect.fail)
  }).pipe(
    Effect.provide(server),
    offline ? Effect.provideService(References.MinimumLogLevel, "Warn") : (run) => run
  )
}).pipe(
  Effect.scoped,
  Effect.provide([NodeServices.layer, Logger.layer([Logger.consoleJson]), quietly])
)
