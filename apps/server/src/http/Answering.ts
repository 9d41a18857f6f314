import { HeadersTooLarge, UriTooLong } from "@chaintape/core/problem/Problem"
import { Cause, Clock, Effect, Metric, Predicate } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { withEtag } from "./Caching.ts"
import { isPathDecodable } from "./PercentEncoding.ts"
import {
  answerOf,
  completeProblem,
  isProblem,
  problemResponse,
  undecodablePath,
  unrouted,
  withoutHost
} from "./Problems.ts"
import { requestIdOf } from "./RequestId.ts"
import { originForm, shownPath } from "./RequestTarget.ts"
import { templateOf } from "./RouteTemplates.ts"

const longestUrl = 8 * 1024
const largestHeaders = 16 * 1024

const requests = Metric.counter("chaintape_http_requests_total", {
  description: "Requests answered",
  incremental: true
})
const seconds = Metric.histogram("chaintape_http_request_seconds", {
  description: "Time from the request to its answer",
  boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30]
})

const exposed = [
  "x-request-id",
  "etag",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "chaintape-source",
  "chaintape-as-of",
  "chaintape-coverage",
  "chaintape-candle"
].join(", ")

const everywhere = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  vary: "api-key"
}

const preflight = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  // Clients of Effect send the context of their trace.
  "access-control-allow-headers": "api-key, if-none-match, x-request-id, b3, traceparent, tracestate",
  "access-control-max-age": "86400"
}

const headerBytes = (request: HttpServerRequest.HttpServerRequest) =>
  Object.entries(request.headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

/** A request that is refused before any route sees it. */
const refusal = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse | undefined => {
  if (request.url.length > longestUrl) {
    const detail = `The URL has ${request.url.length} characters: at most ${longestUrl} are read.`
    return problemResponse(new UriTooLong({ detail }))
  }
  const bytes = headerBytes(request)
  if (bytes > largestHeaders) {
    const detail = `The headers have ${bytes} bytes: at most ${largestHeaders} are read.`
    return problemResponse(new HeadersTooLarge({ detail }))
  }
  if (lacksHost(request)) return withoutHost()
  return isPathDecodable(request.url) ? undefined : undecodablePath()
}

/** HTTP/1.1 demands the header (RFC 9112, 3.2); the runtime would refuse its lack with an empty body. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] === undefined && Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"

const record = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  status: number,
  startedAt: number
) {
  const duration = (yield* Clock.currentTimeMillis) - startedAt
  const path = request.url.split("?", 1)[0] ?? ""
  const attributes = { route: templateOf(path), status: String(status) }
  yield* Metric.update(Metric.withAttributes(requests, attributes), 1)
  yield* Metric.update(Metric.withAttributes(seconds, { route: attributes.route }), duration / 1000)
  // The query is left out: it may hold the key.
  yield* Effect.logInfo("request").pipe(
    Effect.annotateLogs({ method: request.method, path: shownPath(path), status, milliseconds: duration })
  )
})

/** Whether the caller has closed the connection: then nobody reads an answer. */
const isGone = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some((reason) => reason._tag === "Interrupt" && reason.annotations.has(HttpServerError.ClientAbort.key))

/** Around every request: its id, its record, and what every answer and every problem carries. */
export const layer = (isPage: (path: string) => boolean) =>
  HttpRouter.middleware(
    (app) =>
      Effect.gen(function* () {
        const received = yield* HttpServerRequest.HttpServerRequest
        const request = received.modify({ url: originForm(received.url) })
        const startedAt = yield* Clock.currentTimeMillis
        const requestId = yield* requestIdOf(request)
        const answered = Effect.suspend(() => {
          const refused = refusal(request)
          if (refused !== undefined) return Effect.succeed(refused)
          if (request.method === "OPTIONS") return Effect.succeed(unrouted(request, isPage))
          const routed = Effect.provideService(app, HttpServerRequest.HttpServerRequest, request)
          return Effect.catchCause(routed, (cause) =>
            isGone(cause) ? Effect.failCause(cause) : answerOf(cause, request, isPage)
          )
        })
        return yield* answered.pipe(
          Effect.map((response) => {
            const complete = isProblem(response) ? completeProblem(response, requestId) : withEtag(request, response)
            return HttpServerResponse.setHeaders(complete, {
              ...everywhere,
              ...(request.method === "OPTIONS" ? preflight : {}),
              "x-request-id": requestId
            })
          }),
          Effect.tap((response) => record(request, response.status, startedAt)),
          Effect.annotateLogs("requestId", requestId)
        )
      }),
    { global: true }
  )
