// Records the responses that a program reads, and replays them without the service.
import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { Cassette } from "@chaintape/core/testing"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Config, Console, Effect, Layer, Ref } from "effect"
import { FetchHttpClient } from "effect/http"

const program = Effect.gen(function* () {
  const { trades } = yield* Cex
  const latest = yield* trades({ exchange: "sandbox", market: Market.make("BTC/USD"), limit: 3 })
  return latest.trades.map(({ id, price }) => `${id}: ${price}`).join(", ")
})

// #region cassette
/** Runs the program against the service, and returns the recorded responses as JSON: for a file beside the test. */
const record = Effect.gen(function* () {
  const recording = yield* Ref.make(Cassette.empty)
  const client = Client.layerNoDeps({
    baseUrl: yield* Config.URL("CHAINTAPE_BASE_URL"),
    apiKey: yield* Config.Redacted("CHAINTAPE_API_KEY")
  })
  const http = Cassette.layerRecord(recording).pipe(Layer.provide(FetchHttpClient.layer))
  const said = yield* Effect.provide(program, Cex.layerNoDeps.pipe(Layer.provide(client), Layer.provide(http)))
  return { said, json: JSON.stringify(yield* Ref.get(recording)) }
})

/** Runs the program without a service and without a key: the recording provides the responses. */
const replay = (json: string) => {
  const client = Client.layerNoDeps({ baseUrl: "http://service.test" })
  const http = Cassette.layerReplay(JSON.parse(json))
  return Effect.provide(program, Cex.layerNoDeps.pipe(Layer.provide(client), Layer.provide(http)))
}
// #endregion

const compared = Effect.gen(function* () {
  const { json, said } = yield* record
  const again = yield* replay(json)
  yield* Console.log(`recorded: ${said}\nreplayed: ${again}\n${said === again ? "the same" : "something else"}`)
})

NodeRuntime.runMain(compared)
