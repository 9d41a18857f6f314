import { NotReady } from "@chaintape/core"
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeyStore } from "../auth/keys/ApiKeyStore.ts"
import { prefersPage } from "../internal/acceptHeader.ts"
import { SourceHealth } from "../sources/SourceHealth.ts"
import type { IncidentReader } from "../status/Incidents.ts"
import { IndexIncidents, RecordingIncidents } from "../status/Incidents.ts"
import { IndexStatuses } from "../status/IndexStatuses.ts"
import { Instance } from "../status/Instance.ts"
import { RecordingStatuses } from "../status/RecordingStatuses.ts"
import { TapeRetention } from "../status/TapeRetention.ts"
import { addPage } from "../web/layout/PagePaths.ts"
import { describeLateIndexes, Status, withKnownHeads } from "./Status.ts"
import { statusPage } from "./StatusPage.ts"

const encodeProblem = Schema.encodeSync(NotReady)

const notReady = (detail: string) =>
  HttpServerResponse.jsonUnsafe(encodeProblem(new NotReady({ retryAfterMs: 1000, detail })), {
    status: 503,
    contentType: "application/problem+json"
  })

/** Why the service is not ready, as a sentence. */
const readUnreadyReason = Effect.fnUntraced(function* (
  store: ApiKeyStore["Service"],
  indexes: IndexStatuses["Service"]
) {
  const isStoreUp = yield* store.check.pipe(
    Effect.as(true),
    Effect.timeout("2 seconds"),
    Effect.catch((error) => Effect.as(Effect.logError("The store does not answer", error), false))
  )
  if (!isStoreUp) return Option.some("The service's store does not answer: look at the service's log.")
  return Option.fromUndefinedOr(describeLateIndexes(yield* indexes.all))
})

const incidentsShown = 30

/** The newest incidents of recordings and indexes; none if the store does not answer in time. */
const readIncidents = (readers: ReadonlyArray<IncidentReader>) =>
  Effect.forEach(readers, ({ newest }) => newest(incidentsShown), { concurrency: "unbounded" }).pipe(
    Effect.map((found) =>
      Option.some(
        found
          .flat()
          .toSorted((one, other) => other.at - one.at)
          .slice(0, incidentsShown)
      )
    ),
    Effect.timeout("2 seconds"),
    Effect.catch((error) => Effect.as(Effect.logError("The incidents cannot be read", error), Option.none()))
  )

/** Liveness, readiness and the status of the sources, for operators and monitoring. No key needed. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const readers = [yield* RecordingIncidents, yield* IndexIncidents]
    const health = yield* SourceHealth
    const indexes = yield* IndexStatuses
    const recordings = yield* RecordingStatuses
    const retention = yield* TapeRetention
    const instance = yield* Instance
    const unready = readUnreadyReason(yield* ApiKeyStore, indexes)
    const startedAt = yield* Clock.currentTimeMillis
    const status = Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const now = yield* Clock.currentTimeMillis
      const sentence = yield* unready
      const states = yield* health.all
      const indexed = yield* indexes.all
      const found: Status = {
        startedAt,
        now,
        ready: Option.isNone(sentence),
        instance: yield* instance.status,
        sources: withKnownHeads(states, indexed),
        indexes: indexed,
        recordings: yield* recordings.all,
        retention: Option.getOrNull(yield* retention.status)
      }
      return prefersPage(headers["accept"])
        ? statusPage(found, Option.getOrUndefined(sentence), yield* readIncidents(readers))
        : yield* HttpServerResponse.schemaJson(Status)(found)
    })
    return Layer.mergeAll(
      addPage("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" })),
      addPage(
        "GET",
        "/health/ready",
        Effect.map(
          unready,
          Option.match({ onNone: () => HttpServerResponse.jsonUnsafe({ status: "ready" }), onSome: notReady })
        )
      ),
      addPage("GET", "/status", status)
    )
  })
)
