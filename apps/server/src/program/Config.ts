import { isIP } from "node:net"
import { Config, Data, Effect, FileSystem, Option, Redacted, Schema, SchemaIssue } from "effect"
import { allPresets } from "../dex/ForkPresets.ts"
import { defaultProtocol, hasOneFee, protocolIds, protocolNames } from "../dex/ProtocolIds.ts"
import * as Roles from "../ownership/Roles.ts"

const Address = Schema.String.check(
  Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u, { expected: "an address: 0x and 40 hexadecimal digits" })
)

const Id = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/u, { expected: "an id: lower-case letters, digits and hyphens" })
)

const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s]+$/u, { expected: "an address that begins with http:// or https://" })
)

const WebSocketUrl = Schema.String.check(
  Schema.isPattern(/^wss?:\/\/[^\s]+$/u, { expected: "an address that begins with ws:// or wss://" })
)

const MarketName = Schema.String.check(
  Schema.isPattern(/^[^\s/-]{1,40}\/[^\s/-]{1,40}$/u, { expected: "a market written BASE/QUOTE" })
)

const uniqueIds = <A extends { readonly id: string }>() =>
  Schema.makeFilter((entries: ReadonlyArray<A>) => new Set(entries.map(({ id }) => id)).size === entries.length, {
    expected: "entries with different ids"
  })

const BlockchainEntry = Schema.Struct({
  id: Id.annotate({ description: "How callers name the blockchain" }),
  name: Schema.NonEmptyString.annotate({ description: "Its official name" }),
  rpc: Schema.NonEmptyArray(HttpUrl).annotate({
    description: "JSON-RPC addresses of its nodes; the next one is asked where one fails"
  }),
  finality: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))).annotate({
    description:
      "The least depth of final blocks, which are also not above the nodes' finalized block; if absent as the preset of the chain says, or 32"
  }),
  ephemeral: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Its node begins a new chain with each start, as a development node does; false if absent"
  })
})

const ExchangeEntry = Schema.Struct({
  id: Id.annotate({ description: "How callers name the exchange" }),
  name: Schema.optionalKey(Schema.NonEmptyString).annotate({ description: "Its name; that of the driver if absent" }),
  driver: Schema.optionalKey(Id).annotate({
    description: "The exchange of the catalog whose protocol it uses; its own id if absent"
  }),
  rest: Schema.optionalKey(HttpUrl).annotate({ description: "Scheme, host and port in place of the exchange's own" }),
  websocket: Schema.optionalKey(WebSocketUrl).annotate({ description: "The same for its stream" }),
  record: Schema.optionalKey(Schema.Array(MarketName)).annotate({
    description:
      "Its markets, BASE/QUOTE, whose trades are recorded live; the start prints an example with the first one"
  })
})

const PairFee = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 }))

const PositiveDecimal = Schema.String.check(
  Schema.isPattern(/^\d{1,30}(\.\d{1,18})?$/u, { expected: 'a decimal as text, such as "20"' })
)

const dexNames = {
  id: Id.annotate({ description: "How callers name the decentralized exchange" }),
  name: Schema.NonEmptyString.annotate({ description: "Its official name" }),
  blockchain: Id.annotate({ description: "Id of the blockchain; an index needs it in blockchains" })
}

const proofs = {
  verify: Schema.optionalKey(Schema.Literals(["all", "head", "none"])).annotate({
    description:
      "The blocks that are proven against their headers: every block (all), blocks near the head and blocks with events (head), " +
      "or nothing (none)",
    default: "all"
  })
}

const PresetDexEntry = Schema.Struct({
  ...dexNames,
  ...proofs,
  source: Schema.Literal("index"),
  preset: Schema.Literals([...allPresets.keys()]).annotate({
    description: "The public deployment that it is: addresses and rules come with the service"
  })
})

const IndexedDexEntry = Schema.Struct({
  ...dexNames,
  ...proofs,
  source: Schema.Literal("index").annotate({ description: "Indexed by this service from the blockchain's own logs" }),
  protocol: Schema.optionalKey(Schema.Literals(protocolIds)).annotate({
    description: "The protocol of the factory and its pools",
    default: defaultProtocol
  }),
  fee: Schema.optionalKey(PairFee).annotate({
    description: "Of a fork of Uniswap V2: the fee of its pairs in millionths; 3000 if absent"
  }),
  factory: Address.annotate({ description: "The factory of the deployment" }),
  startBlock: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
    description: "The block of the factory, or one before"
  }),
  referenceToken: Address.annotate({ description: "The wrapped native coin" }),
  stablePool: Address.annotate({ description: "The pool whose price gives the native coin in USD" }),
  whitelist: Schema.Array(Address).annotate({ description: "Tokens whose pools may price other tokens" }),
  stablecoins: Schema.Array(Address).annotate({ description: "Tokens that are worth one USD" }),
  minimumNativeLocked: PositiveDecimal.annotate({
    description: "A pool prices other tokens only with more than this locked, in the native coin"
  }),
  skipPools: Schema.optionalKey(Schema.Array(Address)).annotate({ description: "Pools that do not count at all" })
})

const SubgraphDexEntry = Schema.Struct({
  ...dexNames,
  source: Schema.Literal("subgraph").annotate({
    description: "Read from a subgraph with the schema of Uniswap V3, Algebra or Uniswap V2"
  }),
  url: HttpUrl.annotate({ description: "The subgraph's GraphQL address" }),
  apiKeyVariable: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "Environment variable that holds the key of the subgraph's host"
  }),
  fee: Schema.optionalKey(PairFee).annotate({
    description: "Of a schema of Uniswap V2, which states none: the fee of the pairs in millionths; 3000 if absent"
  })
})

const DexEntry = Schema.Union([PresetDexEntry, IndexedDexEntry, SubgraphDexEntry])

export type DexEntry = typeof DexEntry.Type

const uniqueDeployments = Schema.makeFilter(
  (entries: ReadonlyArray<DexEntry>) =>
    new Set(entries.map(({ blockchain, id }) => `${id}/${blockchain}`)).size === entries.length,
  { expected: "one entry for each exchange and blockchain" }
)

const TapeEntry = Schema.Struct({
  retentionDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))).annotate({
    description: "Recorded trades older than this are deleted, whole UTC days at a time; all are kept if absent"
  })
}).annotate({ description: "Retention of recorded trades" })

const Rate = {
  burst: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })).annotate({
    description: "How many may come at once: the size of the bucket"
  }),
  perSecond: Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 1_000_000_000 })).annotate({
    description: "How many flow back into the bucket in a second"
  })
}

const PlanEntry = Schema.Struct({
  ...Rate,
  perDay: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "How many in one UTC day; as many as the bucket allows if absent"
  }),
  concurrency: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "Concurrent requests of a key on one instance; unlimited if absent"
  })
}).annotate({ description: "The limits of a key. A request is one, and one more for each full 1,000 rows asked for" })

const LimitsEntry = Schema.Struct({
  plans: Schema.optionalKey(Schema.Record(Id, PlanEntry)).annotate({
    description: "By name. The plan default is that of every key without another"
  }),
  address: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description: "The limit of all keys of one address together; three times the default plan if absent"
  }),
  wrongKeys: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description: "How many wrong keys an address may send; 20, and one more each 5 seconds if absent"
  }),
  withoutKey: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description:
      "How many requests an address may make that no key pays for, on one instance: pages, and what needs no key or " +
      "lacks it; as many as with all keys if absent"
  }),
  connectionsPerAddress: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4096 }))).annotate(
    {
      description:
        "How many connections an address may hold that is not under proxies, on one instance; 1,024 if absent"
    }
  ),
  subscribers: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4000 }))).annotate({
    description: "How many live streams may be open at once on one instance; 2,000 if absent"
  })
}).annotate({ description: "The limits of callers" })

const AccountsEntry = Schema.Struct({
  signUp: Schema.optionalKey(Schema.Literals(["open", "invitation", "closed"])).annotate({
    description: "Who may create an account: anybody, holders of an invitation, or nobody; open if absent"
  })
}).annotate({ description: "The accounts of people who hold keys" })

const isNetwork = (text: string): boolean => {
  const [address = "", bits, ...others] = text.split("/")
  const family = isIP(address)
  if (family === 0 || address.includes("%") || others.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

const Network = Schema.String.check(
  Schema.makeFilter(isNetwork, { expected: 'an address or a network, such as "10.0.0.0/8"' })
)

/** In the data directory: the configuration of the sandbox that is running, or ran last. */
export const sandboxConfigFile = "sandbox.json"

/** The configuration file. */
export const ConfigFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  accounts: Schema.optionalKey(AccountsEntry),
  blockchains: Schema.optionalKey(Schema.Array(BlockchainEntry).check(uniqueIds())),
  dexes: Schema.optionalKey(Schema.Array(DexEntry).check(uniqueDeployments)),
  exchanges: Schema.optionalKey(Schema.Array(ExchangeEntry).check(uniqueIds())),
  limits: Schema.optionalKey(LimitsEntry),
  proxies: Schema.optionalKey(Schema.Array(Network)).annotate({
    description:
      "Proxies in front of the service, which may state the address of the client; no proxy is trusted if absent"
  }),
  tape: Schema.optionalKey(TapeEntry)
})

export type ConfigFile = typeof ConfigFile.Type

class ConfigFileError extends Data.TaggedError("ConfigFileError")<{ readonly message: string }> {}

const decodeFile = Schema.decodeUnknownEffect(Schema.fromJsonString(ConfigFile), {
  errors: "all",
  onExcessProperty: "error"
})

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const getPath = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined) =>
  (path ?? [])
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

const mistakes = (error: Schema.SchemaError): ReadonlyArray<string> =>
  formatIssues(error.issue).issues.map(({ message, path }) => {
    const where = getPath(path)
    return where === "" ? message : `${where}: ${message}`
  })

const unknownDrivers = (config: ConfigFile, isKnownDriver: (id: string) => boolean): ReadonlyArray<string> =>
  (config.exchanges ?? []).flatMap(({ driver, id }, index) =>
    isKnownDriver(driver ?? id)
      ? []
      : [
          `exchanges[${index}].${driver === undefined ? "id" : "driver"}: "${driver ?? id}" is no exchange of the catalog`
        ]
  )

const unknownBlockchains = ({ blockchains = [], dexes = [] }: ConfigFile): ReadonlyArray<string> =>
  dexes.flatMap(({ blockchain, source }, index) =>
    source === "subgraph" || blockchains.some(({ id }) => id === blockchain)
      ? []
      : [`dexes[${index}].blockchain: "${blockchain}" is not under blockchains, and an index needs its nodes`]
  )

const statedFees = ({ dexes = [] }: ConfigFile): ReadonlyArray<string> =>
  dexes.flatMap((entry, index) => {
    if (!("factory" in entry) || entry.fee === undefined) return []
    const { protocol = defaultProtocol } = entry
    return hasOneFee(protocol)
      ? []
      : [`dexes[${index}].fee: each pool of ${protocolNames[protocol]} states its own fee: leave it out`]
  })

const failure = (file: string, found: ReadonlyArray<string>) =>
  new ConfigFileError({
    message: `The configuration file "${file}" is wrong:\n${found.map((one) => `  - ${one}`).join("\n")}`
  })

/**
 * Reads the file. A malformed file fails with every mistake, each with its path. `isKnownDriver` returns whether an
 * exchange is supported.
 */
export const readConfigFile = Effect.fn("readConfigFile")(function* (
  file: string,
  isKnownDriver: (id: string) => boolean
) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files
    .readFileString(file)
    .pipe(
      Effect.mapError(
        (error) => new ConfigFileError({ message: `The configuration file "${file}" cannot be read: ${error.message}` })
      )
    )
  const config = yield* decodeFile(text).pipe(Effect.mapError((error) => failure(file, mistakes(error))))
  const wrong = [...unknownDrivers(config, isKnownDriver), ...unknownBlockchains(config), ...statedFees(config)]
  if (wrong.length > 0) return yield* failure(file, wrong)
  return config
})

const BootstrapKey = Config.schema(
  Schema.RedactedFromValue(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{16,512}$/u, { expected: "16 to 512 printable characters without spaces" })
    )
  ),
  "CHAINTAPE_BOOTSTRAP_KEY"
)

const RedisUrl = Config.schema(
  Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^(rediss?:\/\/\S+)?$/u, { expected: "an address that begins with redis://" }))
  ),
  "REDIS_URL"
)

/** 0 takes any free port. */
const port = (variable: string) =>
  Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
    variable
  )

/** The configuration from the environment. */
export const environment = Config.all({
  port: port("PORT").pipe(Config.withDefault(3000)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  metrics: Config.all({
    host: Config.String("METRICS_HOST").pipe(Config.withDefault("127.0.0.1")),
    // The port of OpenTelemetry's exporter for Prometheus.
    port: port("METRICS_PORT").pipe(Config.withDefault(9464))
  }),
  configFile: Config.option(Config.String("CHAINTAPE_CONFIG")),
  dataDir: Config.String("CHAINTAPE_DATA_DIR").pipe(Config.withDefault(".chaintape")),
  databaseUrl: Config.option(Config.Redacted("DATABASE_URL")),
  redisUrl: Config.option(RedisUrl),
  bootstrapKey: Config.option(BootstrapKey),
  roles: Roles.config
}).pipe(
  Config.map((values) => ({
    ...values,
    // An empty DATABASE_URL means the embedded database, an empty REDIS_URL none.
    databaseUrl: Option.filter(values.databaseUrl, (url) => Redacted.value(url) !== ""),
    redisUrl: Option.filter(values.redisUrl, (url) => Redacted.value(url) !== "")
  }))
)
