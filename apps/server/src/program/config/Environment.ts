import { Config, Schema } from "effect"
import { standardDataDirectory } from "../../internal/process/dataDirectory.ts"
import * as Roles from "../../ownership/Roles.ts"

const BootstrapKey = Config.schema(
  Schema.RedactedFromValue(
    Schema.String.check(
      Schema.isPattern(/^[\x21-\x7e]{16,512}$/u, { expected: "16 to 512 printable characters without spaces" })
    )
  ),
  "CHAINTAPE_BOOTSTRAP_KEY"
)

const serverUrl = (variable: string, pattern: RegExp, scheme: string) =>
  Config.schema(
    Schema.RedactedFromValue(
      Schema.String.check(Schema.isPattern(pattern, { expected: `an address that begins with ${scheme}` }))
    ),
    variable
  )

/** 0 takes any free port. */
const port = (variable: string) =>
  Config.schema(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 })),
    variable
  )

/** The configuration from the environment. An empty variable is an absent one. */
export const environment = Config.all({
  port: port("PORT").pipe(Config.withDefault(3000)),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  metrics: Config.all({
    host: Config.String("METRICS_HOST").pipe(Config.withDefault("127.0.0.1")),
    // The port of OpenTelemetry's exporter for Prometheus.
    port: port("METRICS_PORT").pipe(Config.withDefault(9464))
  }),
  configFile: Config.option(Config.String("CHAINTAPE_CONFIG")),
  dataDir: Config.String("CHAINTAPE_DATA_DIR").pipe(Config.withDefault(standardDataDirectory)),
  databaseUrl: Config.option(serverUrl("DATABASE_URL", /^postgres(ql)?:\/\/\S+$/u, "postgres://")),
  redisUrl: Config.option(serverUrl("REDIS_URL", /^rediss?:\/\/\S+$/u, "redis:// or rediss://")),
  bootstrapKey: Config.option(BootstrapKey),
  roles: Roles.config
})
