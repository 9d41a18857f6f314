import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Metric, Option } from "effect"
import { MetricsListener } from "../../src/observability/MetricsListener.ts"
import { call } from "../HttpCall.ts"

const counter = Metric.counter("chaintape_test_of_the_listener_total", { incremental: true })

/** The listener, and what it has logged. */
const listening = Effect.fnUntraced(function* (host: string, port: number) {
  const log: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
  const built = yield* Layer.build(Layer.provide(MetricsListener.layer({ host, port }), logger))
  return { origin: Context.get(built, MetricsListener).origin, log }
})

const taken = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(
        Effect.succeed({
          port: typeof address === "object" && address !== null ? address.port : 0,
          close: () => server.close()
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("the listener of the metrics", () => {
  it.live("serves them, and nothing else, and logs its address", () =>
    Effect.gen(function* () {
      const { log, origin } = yield* listening("127.0.0.1", 0)
      const at = Option.getOrThrow(origin)
      assert.include(log.join("\n"), `The metrics are served at ${at}/metrics.`)
      yield* Metric.update(counter, 3)
      const { body, headers, status } = yield* call(at, { path: "/metrics" })
      assert.deepStrictEqual([status, headers["content-type"]], [200, "text/plain; version=0.0.4; charset=utf-8"])
      assert.match(body, /^chaintape_test_of_the_listener_total 3$/m)
      assert.notProperty(headers, "access-control-allow-origin")
      for (const path of ["/", "/status", "/v2/blocks", "/health/live", "/metrics/x"])
        assert.strictEqual((yield* call(at, { path })).status, 404, path)
      assert.strictEqual((yield* call(at, { method: "POST", path: "/metrics" })).status, 404)
    }).pipe(Effect.scoped)
  )

  it.live("passes an upgrade over, which no timeout would end", () =>
    Effect.gen(function* () {
      const at = Option.getOrThrow((yield* listening("127.0.0.1", 0)).origin)
      const headers = { upgrade: "h2c", connection: "Upgrade", "transfer-encoding": "chunked" }
      assert.strictEqual((yield* call(at, { path: "/metrics", headers })).status, 200)
    }).pipe(Effect.scoped)
  )

  it.live("logs a warning with advice instead of a failure if its port is in use or its host is unknown", () =>
    Effect.gen(function* () {
      const { port } = yield* taken
      const busy = yield* listening("127.0.0.1", port)
      assert.isTrue(Option.isNone(busy.origin))
      assert.include(busy.log.join("\n"), `port ${port} of 127.0.0.1 is in use. Set METRICS_PORT to another port`)
      assert.include(busy.log.join("\n"), '"level":"WARN"')
      const nowhere = yield* listening("192.0.2.1", 0)
      assert.isTrue(Option.isNone(nowhere.origin))
      assert.match(nowhere.log.join("\n"), /METRICS_HOST and METRICS_PORT \(192\.0\.2\.1, 0\)/)
    }).pipe(Effect.scoped)
  )
})
