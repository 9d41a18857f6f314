// The address and the key come from the environment or any other ConfigProvider; the other options are set in code.
import { Cex } from "@chaintape/cex"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Config, ConfigProvider, Console, Duration, Effect, Layer } from "effect"

// #region configuration
// CHAINTAPE_BASE_URL and CHAINTAPE_API_KEY
const standard = Cex.layerConfig()

// Other variable names, the key in the query, and a shorter timeout
const own = Cex.layerConfig({
  baseUrl: Config.String("MARKET_DATA_URL"),
  apiKey: Config.Redacted("MARKET_DATA_KEY"),
  apiKeyLocation: "query",
  retry: { attempts: 2, attemptTimeout: Duration.seconds(2), deadline: Duration.seconds(5) }
})
// #endregion

const provider = ConfigProvider.fromUnknown({
  MARKET_DATA_URL: process.env.CHAINTAPE_BASE_URL,
  MARKET_DATA_KEY: process.env.CHAINTAPE_API_KEY
})

const count = Effect.gen(function* () {
  const { exchanges } = yield* Cex
  return (yield* exchanges({})).length
})

const program = Effect.gen(function* () {
  const fromEnvironment = yield* Effect.provide(count, standard)
  const fromProvider = yield* Effect.provide(count, Layer.provide(own, ConfigProvider.layer(provider)))
  yield* Console.log(`${fromEnvironment} exchanges by the environment, ${fromProvider} by the provider`)
})

NodeRuntime.runMain(program)
