import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, FileSystem, Layer, Option, References } from "effect"
import { HttpServer } from "effect/http"
import { Accounts } from "../accounts/Accounts.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { Invitations } from "../accounts/Invitations.ts"
import { OwnAccount } from "../accounts/OwnAccount.ts"
import { PasswordResets } from "../accounts/PasswordResets.ts"
import { Passwords } from "../accounts/Passwords.ts"
import { Sessions } from "../accounts/Sessions.ts"
import { SignInThrottle } from "../accounts/SignInThrottle.ts"
import { AuditLog } from "../auth/AuditLog.ts"
import { CallerAddress } from "../auth/CallerAddress.ts"
import { ApiKeys } from "../auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../auth/keys/ApiKeyStore.ts"
import { installKey } from "../auth/keys/BootstrapKey.ts"
import * as SqlAccountKeys from "../auth/keys/SqlAccountKeys.ts"
import { Limiter } from "../auth/limits/Limiter.ts"
import { toLimits } from "../auth/limits/Plans.ts"
import { Usage } from "../auth/usage/Usage.ts"
import { UsageStore } from "../auth/usage/UsageStore.ts"
import * as Blockchains from "../blocks/Blockchains.ts"
import { LiveBlocks } from "../blocks/live/LiveBlocks.ts"
import { Blocks } from "../blocks/read/Blocks.ts"
import * as RpcBlockSource from "../blocks/rpc/RpcBlockSource.ts"
import { BulkResponses } from "../cex/api/BulkResponses.ts"
import { Candles } from "../cex/candles/Candles.ts"
import * as CcxtCatalog from "../cex/ccxt/catalog/CcxtCatalog.ts"
import * as CcxtSources from "../cex/ccxt/CcxtSources.ts"
import { Exchanges } from "../cex/Exchanges.ts"
import type { LiveTapes } from "../cex/live/LiveTapes.ts"
import { LiveTrades } from "../cex/live/LiveTrades.ts"
import { Markets } from "../cex/markets/Markets.ts"
import * as SharedExchangeSource from "../cex/SharedExchangeSource.ts"
import type { RecordedMarkets } from "../cex/trades/RecordedMarkets.ts"
import { Trades } from "../cex/trades/Trades.ts"
import { Deployments, toDeploymentKey } from "../dex/Deployments.ts"
import type { DexSource } from "../dex/DexSource.ts"
import { LiveSwaps } from "../dex/live/LiveSwaps.ts"
import type { SwapSource } from "../dex/live/SwapSource.ts"
import { listen, serve, serveStatus } from "../http/HttpServer.ts"
import { Wakeups } from "../live/Wakeups.ts"
import * as JsonLog from "../observability/JsonLog.ts"
import { MetricsListener } from "../observability/MetricsListener.ts"
import * as Redaction from "../observability/Redaction.ts"
import * as Telemetry from "../observability/Telemetry.ts"
import { Ownership } from "../ownership/Ownership.ts"
import * as SoleInstance from "../ownership/SoleInstance.ts"
import { SourceHealth } from "../sources/SourceHealth.ts"
import type { IndexStatuses } from "../status/IndexStatuses.ts"
import { Instance } from "../status/Instance.ts"
import type { RecordingStatuses } from "../status/RecordingStatuses.ts"
import type { TapeRetention } from "../status/TapeRetention.ts"
import * as Database from "../store/Database.ts"
import { RedisLink } from "../store/RedisLink.ts"
import * as AccountRoutes from "../web/AccountRoutes.ts"
import * as DemoFiles from "../web/demo/DemoFiles.ts"
import * as SandboxControl from "../web/demo/SandboxControl.ts"
import { banner, makeExample, makeExamples } from "./Banner.ts"
import type { ConfigFile } from "./Config.ts"
import { environment } from "./config/Environment.ts"
import * as Dexes from "./Dexes.ts"
import { standardConfigFile } from "./EarlyStart.ts"
import { exitWithMessage } from "./FatalExit.ts"
import { toFinality } from "./IndexConfigs.ts"
import { localKey } from "./LocalKey.ts"
import { startOfflineWorld } from "./OfflineWorld.ts"
import { readConfigFile } from "./ReadConfigFile.ts"
import * as Recordings from "./Recordings.ts"

/**
 * Everything between the adapters and the handlers. `dexes` are the sources of decentralized exchanges, `recorded` the
 * tapes of markets, `instance` is this instance.
 */
export const domain = <E, R, E2, R2, R3>(
  config: ConfigFile,
  dexes: Layer.Layer<DexSource | IndexStatuses | SwapSource, E, R>,
  recorded: Layer.Layer<LiveTapes | RecordedMarkets | RecordingStatuses | TapeRetention, E2, R2>,
  instance: Layer.Layer<Instance, never, R3>
) => {
  const { blockchains = [], exchanges = [] } = config
  const chains = blockchains.map((chain) => ({
    id: chain.id,
    name: chain.name,
    finality: toFinality(config, chain),
    ephemeral: chain.ephemeral ?? false
  }))
  const sources = Layer.mergeAll(
    SharedExchangeSource.layer.pipe(Layer.provideMerge(CcxtSources.layer(exchanges))),
    RpcBlockSource.layer(blockchains.map((chain) => ({ ...chain, finality: toFinality(config, chain) }))).pipe(
      Layer.provide(NodeHttpClient.layerUndici)
    ),
    SourceHealth.layer([
      ...exchanges.map(({ id }) => ({ id, kind: "exchange" as const })),
      ...chains.map(({ id }) => ({ id, kind: "blockchain" as const })),
      ...Dexes.toDeployments(config).map(({ blockchain, dex }) => ({
        id: toDeploymentKey(dex, blockchain),
        kind: "dex" as const
      }))
    ]),
    dexes,
    instance
  )
  return Layer.mergeAll(LiveTrades.layer, LiveSwaps.layer, LiveBlocks.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Trades.layer,
        Candles.layer,
        Markets.layer,
        BulkResponses.layer,
        Blocks.layer,
        Deployments.layer(Dexes.toDeployments(config))
      )
    ),
    Layer.provide(Wakeups.layer),
    Layer.provideMerge(recorded),
    Layer.provideMerge(Exchanges.layer(CcxtCatalog.toExchanges(exchanges))),
    Layer.provideMerge(Blockchains.Blockchains.layer(chains)),
    Layer.provideMerge(sources)
  )
}

/** The keys, their usage, and the notifications about them between instances. */
const keys = ({ databaseUrl, redisUrl }: Environment) =>
  SqlAccountKeys.layer.pipe(
    Layer.provideMerge(Usage.layer),
    Layer.provideMerge(Option.isSome(databaseUrl) ? ApiKeys.layer : ApiKeys.layerSoleWriter),
    Layer.provideMerge(
      Layer.mergeAll(
        ApiKeyStore.layer.pipe(Layer.provideMerge(AuditLog.layer)),
        UsageStore.layer,
        Option.match(redisUrl, { onNone: () => RedisLink.layerNone, onSome: (url) => RedisLink.layer(url) })
      )
    )
  )

/** Everything behind the account pages. Sign-in attempts share the store of the rate limits. */
const accounts = (config: ConfigFile) =>
  Layer.mergeAll(Accounts.layer(config.accounts?.signUp), OwnAccount.layer, SignInThrottle.layer).pipe(
    Layer.provideMerge(PasswordResets.layer),
    Layer.provideMerge(Layer.mergeAll(Invitations.layer, Passwords.layer, Sessions.layer, Limiter.layer)),
    Layer.provide(AccountStore.layer)
  )

const toDatabaseOptions = ({ dataDir, databaseUrl }: Environment): Database.DatabaseOptions => ({
  url: Option.getOrUndefined(databaseUrl),
  dataDir: `${dataDir}/database`
})

const store = (environment: Environment) =>
  keys(environment).pipe(Layer.provideMerge(Database.layer(toDatabaseOptions(environment))))

type Environment = Effect.Success<typeof environment>

/** Assigns work to instances: several share a PostgreSQL server, the embedded database has one. */
const ownership = ({ databaseUrl, roles }: Environment) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const instance = `${hostname()}-${randomUUID().slice(0, 8)}`
      if (Option.isNone(databaseUrl)) return SoleInstance.layer(instance, roles)
      // The embedded database does not load the cluster's modules.
      const { layer } = yield* Effect.promise(() => import("../ownership/Cluster.ts"))
      return layer(instance, roles)
    })
  )

const thisInstance = Layer.effect(
  Instance,
  Effect.map(Ownership, ({ instance, owned, roles }) =>
    Instance.of({ status: Effect.map(owned, (owns) => ({ id: instance, roles, owns })) })
  )
)

/**
 * The sources: those of the configuration file, or the sandbox if there is no file. A malformed file fails before
 * anything is opened.
 */
const planWorld = Effect.fnUntraced(function* (environment: Environment) {
  const files = yield* FileSystem.FileSystem
  const configured = Option.orElse(environment.configFile, () => Option.some(standardConfigFile))
  const isThere = Option.isSome(environment.configFile) || (yield* files.exists(standardConfigFile))
  const file = isThere ? configured : Option.none()
  if (Option.isSome(file)) {
    const config = yield* readConfigFile(file.value, CcxtCatalog.isKnownDriver)
    return Effect.succeed({
      config,
      key: environment.bootstrapKey,
      control: undefined,
      exited: Effect.never,
      offline: false
    })
  }
  return Effect.gen(function* () {
    const { config, control, exited } = yield* startOfflineWorld(environment.dataDir)
    const key = Option.isSome(environment.bootstrapKey)
      ? environment.bootstrapKey.value
      : yield* localKey(environment.dataDir)
    return { config, control, key: Option.some(key), exited, offline: true }
  })
})

/** The whole program: runs until it is interrupted. */
export const program = Effect.gen(function* () {
  const env = yield* environment
  const world = yield* planWorld(env)
  const [opened, { config, control, exited, key, offline }] = yield* Effect.all([Layer.build(store(env)), world], {
    concurrency: "unbounded"
  })
  yield* Database.warnOfNewerTables.pipe(
    Effect.provideContext(opened),
    Database.withDatabaseError(toDatabaseOptions(env))
  )
  const stores = Layer.succeedContext(opened)
  const given = Option.isSome(env.bootstrapKey)
  const example = makeExample(config)
  const examples = { path: example, parameters: makeExamples(config) }
  const limits = toLimits(config.limits)
  const servesApi = env.roles.includes("api")
  const server = (servesApi ? serve(examples, limits, AccountRoutes.layer(example)) : serveStatus(limits)).pipe(
    Layer.provide(accounts(config)),
    Layer.provide(
      domain(
        config,
        (config.dexes ?? []).length === 0 ? Dexes.layerNone : Dexes.layer(config),
        Recordings.layer(config),
        thisInstance
      )
    ),
    Layer.provide([CallerAddress.layer(config.proxies), SandboxControl.layer(control)]),
    Layer.provideMerge(Layer.merge(DemoFiles.layer, MetricsListener.layer(env.metrics))),
    Layer.provideMerge(ownership(env)),
    Layer.provideMerge(stores),
    Layer.provideMerge(
      listen({
        ...env,
        connections: { perAddress: limits.connectionsPerAddress, proxies: config.proxies ?? [] }
      })
    )
  )
  return yield* Effect.gen(function* () {
    const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
    // Only a service that listens may print a new key: it is printed once.
    const shownKey = yield* installKey(key).pipe(Database.withDatabaseError(toDatabaseOptions(env)))
    yield* Console.log(banner({ origin, config, key: given ? Option.none() : shownKey, given, offline }))
    // Not earlier: the start needs the whole CPU.
    const { build } = yield* DemoFiles.DemoFiles
    if (servesApi) yield* Effect.forkChild(build)
    const { end } = yield* Ownership
    // Before the server waits for pending responses: other instances do this one's work from now on.
    return yield* Effect.ensuring(Effect.flatMap(exited, Effect.fail), end)
  }).pipe(Effect.provide(server), offline ? Effect.provideService(References.MinimumLogLevel, "Warn") : (run) => run)
}).pipe(
  Effect.scoped,
  Effect.provide([Telemetry.layer, Telemetry.untracedRequests]),
  Effect.catchTag(
    ["ConfigError", "ConfigFileError", "DatabaseError", "OfflineWorldError", "ServeError"],
    exitWithMessage
  ),
  Effect.provide([NodeServices.layer, JsonLog.layer, Redaction.layer])
)
