import { NotReady } from "@chaintape/core/problem/Problem"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { ApiKeyStore } from "../keys/ApiKeyStore.ts"
import { IndexStatus, IndexStatuses } from "../sources/IndexStatuses.ts"
import { SourceHealth, SourceState } from "../sources/SourceHealth.ts"

const Status = Schema.Struct({
  /** Unix milliseconds. */
  startedAt: Schema.Int,
  now: Schema.Int,
  ready: Schema.Boolean,
  sources: Schema.Array(SourceState),
  indexes: Schema.Array(IndexStatus)
})

const encodeProblem = Schema.encodeSync(NotReady)

const notReady = (detail: string) =>
  HttpServerResponse.jsonUnsafe(encodeProblem(new NotReady({ retryAfterMs: 1000, detail })), {
    status: 503,
    contentType: "application/problem+json"
  })

/** What is in the way of being ready, as a sentence. */
const obstacle = Effect.gen(function* () {
  const store = yield* ApiKeyStore
  const indexes = yield* IndexStatuses
  const storeAnswers = yield* store.check.pipe(
    Effect.as(true),
    Effect.timeout("2 seconds"),
    Effect.catch((error) => Effect.as(Effect.logError("The store does not answer", error), false))
  )
  if (!storeAnswers) return Option.some("The service's store does not answer: look at the service's log.")
  const behind = (yield* indexes.all).filter(({ state }) => state !== "realtime")
  return behind.length === 0
    ? Option.none()
    : Option.some(
        `These indexes are not at the head of their chain: ${behind
          .map(
            ({ indexed, head, key, state }) => `${key} (${state}, block ${indexed ?? "none"} of ${head ?? "unknown"})`
          )
          .join(", ")}.`
      )
})

const routes = Effect.gen(function* () {
  const health = yield* SourceHealth
  const indexes = yield* IndexStatuses
  const context = yield* Effect.context<ApiKeyStore | IndexStatuses>()
  const obstructed = Effect.provideContext(obstacle, context)
  const startedAt = yield* Clock.currentTimeMillis
  const status = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    return yield* HttpServerResponse.schemaJson(Status)({
      startedAt,
      now,
      ready: Option.isNone(yield* obstructed),
      sources: yield* health.all,
      indexes: yield* indexes.all
    })
  })
  return Layer.mergeAll(
    HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
    HttpRouter.add(
      "GET",
      "/health/ready",
      Effect.map(
        obstructed,
        Option.match({ onNone: () => HttpServerResponse.jsonUnsafe({ status: "ready" }), onSome: notReady })
      )
    ),
    HttpRouter.add("GET", "/status", status),
    PrometheusMetrics.layerHttp({ path: "/metrics" })
  )
})

/** For operators and their machines: is it up, is it ready, how are the sources. No key. */
export const layer = Layer.unwrap(routes)
