import { NotReady } from "@chaintape/core/problem/Problem"
import { Clock, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { ApiKeyStore } from "../keys/ApiKeyStore.ts"
import { SourceHealth, SourceState } from "../sources/SourceHealth.ts"

const Status = Schema.Struct({
  /** Unix milliseconds. */
  startedAt: Schema.Int,
  now: Schema.Int,
  ready: Schema.Boolean,
  sources: Schema.Array(SourceState)
})

const encodeProblem = Schema.encodeSync(NotReady)

const notReady = HttpServerResponse.jsonUnsafe(
  encodeProblem(
    new NotReady({ retryAfterMs: 1000, detail: "The service's store does not answer: look at the service's log." })
  ),
  { status: 503, contentType: "application/problem+json" }
)

const routes = Effect.gen(function*() {
  const store = yield* ApiKeyStore
  const health = yield* SourceHealth
  const startedAt = yield* Clock.currentTimeMillis
  const isReady = store.check.pipe(
    Effect.as(true),
    Effect.timeout("2 seconds"),
    Effect.catch((error) => Effect.as(Effect.logError("The store does not answer", error), false))
  )
  const status = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    return yield* HttpServerResponse.schemaJson(Status)({
      startedAt,
      now,
      ready: yield* isReady,
      sources: yield* health.all
    })
  })
  return Layer.mergeAll(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    HttpRouter.add(
      "GET",
      "/health/ready",
      Effect.map(isReady, (ready) => ready ? HttpServerResponse.jsonUnsafe({ status: "ready" }) : notReady)
    ),
    HttpRouter.add("GET", "/status", status),
    PrometheusMetrics.layerHttp({ path: "/metrics" })
  )
})

/** For operators and their machines: is it up, is it ready, how are the sources. No key. */
export const layer = Layer.unwrap(routes)
