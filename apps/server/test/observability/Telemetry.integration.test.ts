import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { coinbaseStub } from "../cex/ccxt/CoinbaseStub.ts"
import { evenTape } from "../cex/ccxt/Sandbox.ts"
import { stubExchange } from "../cex/ccxt/StubExchange.ts"
import { call } from "../HttpCall.ts"
import { ready, start, until } from "../StartedProgram.ts"
import { collector } from "./Collector.ts"

const canary = "chaintape_canary-that-sings-in-no-trace"

/** A service whose environment names the collector, with an exchange whose URL contains a secret. */
const world = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    const { rest } = yield* stubExchange(coinbaseStub(evenTape(50)))
    const config = `${folder}/config.json`
    yield* files.writeFileString(
      config,
      JSON.stringify({ exchanges: [{ id: "stub", driver: "coinbaseexchange", rest }] })
    )
    const service = yield* start({
      CHAINTAPE_CONFIG: config,
      CHAINTAPE_DATA_DIR: `${folder}/data`,
      CHAINTAPE_BOOTSTRAP_KEY: canary,
      OTEL_BLRP_SCHEDULE_DELAY: "200",
      OTEL_BSP_SCHEDULE_DELAY: "200",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      ...environment
    })
    const { origin } = yield* ready(service, 60_000)
    const headers = { "api-key": canary, traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" }
    for (const path of [`/v2/cex/stub/BTC-USD/trades?limit=5&apiKey=${canary}`, `/v2/cex/nowhere?apiKey=${canary}`]) {
      yield* call(origin, { path, headers })
    }
    return { service, origin }
  })

describe("telemetry", () => {
  layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "goes to the collector that the environment names: traces, logs and metrics, and no key in any",
      () =>
        Effect.gen(function* () {
          const { origin, received } = yield* collector
          const { service } = yield* world({
            OTEL_EXPORTER_OTLP_ENDPOINT: origin,
            OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
            OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-token"
          })
          const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
          const holds = (path: string, word: string) => bodies(path).some((body) => body.includes(word))
          yield* until("the trace of the request", () => holds("/v1/traces", "0af7651916cd43dd8448eb211c80319c"))
          yield* until("the log of the request", () => holds("/v1/logs", "/v2/cex/nowhere"))
          yield* until("the metrics", () => holds("/v1/metrics", "chaintape_http_requests_total"))
          assert.isTrue(holds("/v1/traces", '"service.name"') && holds("/v1/traces", '"chaintape"'))
          yield* until("the span of the operation", () => holds("/v1/traces", "Trades.read"))
          assert.strictEqual(new Set(received.map(({ contentType }) => contentType)).size, 1)
          assert.isTrue(received.every(({ authorization }) => authorization === "Bearer collector-token"))
          for (const { body, path } of received) assert.notInclude(body, canary, path)
          assert.notInclude(service.output(), canary)
          assert.notInclude(service.output(), "collector-token")
          // No trace ids are sent to upstreams.
          assert.isFalse(holds("/v1/traces", '"http.client'))
        }),
      90_000
    )

    it.effect(
      "holds no trace where the sampler wants none, and all else",
      () =>
        Effect.gen(function* () {
          const { origin, received } = yield* collector
          yield* world({
            OTEL_EXPORTER_OTLP_ENDPOINT: origin,
            OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
            OTEL_TRACES_SAMPLER: "always_off"
          })
          const holds = (path: string, word: string) =>
            received.some((one) => one.path === path && one.body.includes(word))
          yield* until("the log of the request", () => holds("/v1/logs", "/v2/cex/nowhere"))
          yield* until("the metrics", () => holds("/v1/metrics", "chaintape_http_requests_total"))
          assert.isFalse(received.some(({ path }) => path === "/v1/traces"))
        }),
      90_000
    )

    it.effect(
      "is in the binary form unless asked otherwise, and only what has an address is sent",
      () =>
        Effect.gen(function* () {
          const { origin, received } = yield* collector
          yield* world({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}/traces`, OTEL_SERVICE_NAME: "tape-of-ours" })
          const [first] = yield* until("a trace", () => received.length > 0 && received)
          assert.deepStrictEqual([first?.path, first?.contentType], ["/traces", "application/x-protobuf"])
          yield* until("the name", () => received.some(({ body }) => body.includes("tape-of-ours")))
          assert.deepStrictEqual([...new Set(received.map(({ path }) => path))], ["/traces"])
        }),
      90_000
    )

    it.effect(
      "that no collector receives does not affect the service",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* world({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" })
          assert.strictEqual((yield* call(origin, { path: "/ping" })).status, 200)
        }),
      90_000
    )
  })
})
