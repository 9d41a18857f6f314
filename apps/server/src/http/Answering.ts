import { HeadersTooLarge, UriTooLong } from "@chaintape/core/problem/Problem"
import { Cause, Effect, Option, Predicate } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { KeptAnswers } from "../answers/KeptAnswers.ts"
import { monotonicMillis } from "../internal/monotonic.ts"
import { KeylessRequests } from "../keys/KeylessRequests.ts"
import { countAnswer } from "../observability/RequestMetrics.ts"
import { Admission } from "./Admission.ts"
import { unlessKnown, withEtag } from "./Caching.ts"
import { compressed } from "./Compression.ts"
import { headersBeside } from "./EveryAnswer.ts"
import { isWatch } from "./GuardedServer.ts"
import { keepAnswer } from "./KeptForms.ts"
import { isPathDecodable } from "./PercentEncoding.ts"
import {
  answerOf,
  completeProblem,
  isProblem,
  problemResponse,
  tooSlow,
  undecodablePath,
  unrouted,
  withoutHost
} from "./Problems.ts"
import { idOrNew } from "./RequestId.ts"
import { originForm, shownPath } from "./RequestTarget.ts"
import { operationAt, templateOf } from "./RouteTemplates.ts"

const longestUrl = 8 * 1024
const largestHeaders = 16 * 1024

const mostHeaders = 100

const preflight = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  // Clients of Effect send the context of their trace.
  "access-control-allow-headers": "api-key, if-none-match, last-event-id, x-request-id, b3, traceparent, tracestate",
  "access-control-max-age": "86400"
}

/** Their number, and their bytes with what stands between and around them. */
const sizeOfHeaders = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  let [bytes, count] = [0, 0]
  for (const name of Object.keys(headers)) {
    bytes += name.length + (headers[name] ?? "").length + 4
    count += 1
  }
  return { bytes, count }
}

/** A request that is refused before any route sees it. */
const refusal = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse | undefined => {
  if (request.url.length > longestUrl) {
    const detail = `The URL has ${request.url.length} characters: at most ${longestUrl} are read.`
    return problemResponse(new UriTooLong({ detail }))
  }
  const { bytes, count } = sizeOfHeaders(request)
  if (bytes > largestHeaders) {
    const detail = `The headers have ${bytes} bytes: at most ${largestHeaders} are read.`
    return problemResponse(new HeadersTooLarge({ detail }))
  }
  if (count > mostHeaders) {
    const detail = `The request has ${count} headers: at most ${mostHeaders} are read.`
    return problemResponse(new HeadersTooLarge({ detail }))
  }
  if (lacksHost(request)) return withoutHost()
  return isPathDecodable(request.url) ? undefined : undecodablePath()
}

/** HTTP/1.1 demands the header (RFC 9112, 3.2); the runtime would refuse its lack with an empty body. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] === undefined && Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"

/**
 * Whether no key will be charged for it. Those who watch over the service are never turned away, and an answer to OPTIONS
 * costs no more than a refusal.
 */
const isKeyless = ({ method, url }: HttpServerRequest.HttpServerRequest, isKeyedOperation: boolean): boolean => {
  if (method === "OPTIONS" || isWatch(url)) return false
  return !((method === "GET" || method === "HEAD") && isKeyedOperation)
}

/** The reference is three megabytes, which cost as much work as twenty of the other pages. */
const keylessCost = ({ url }: HttpServerRequest.HttpServerRequest): number =>
  url.split("?", 1)[0] === "/docs" ? 20 : 1

const logged = (request: HttpServerRequest.HttpServerRequest, path: string, status: number, milliseconds: number) =>
  // The query is left out: it may hold the key.
  Effect.annotateLogs(requestLog, { method: request.method, path: shownPath(path), status, milliseconds })

const requestLog = Effect.logInfo("request")

/** Whether the caller has closed the connection: then nobody reads an answer. */
const isGone = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some((reason) => reason._tag === "Interrupt" && reason.annotations.has(HttpServerError.ClientAbort.key))

/** A request with what is looked up for it once. */
interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path: string
  readonly operation: ReturnType<typeof operationAt>
}

const askedOf = (received: HttpServerRequest.HttpServerRequest): Asked => {
  const url = originForm(received.url)
  const path = url.split("?", 1)[0] ?? ""
  return { request: url === received.url ? received : received.modify({ url }), path, operation: operationAt(path) }
}

/** What every answer carries. */
const ofEvery = (
  response: HttpServerResponse.HttpServerResponse,
  { method }: HttpServerRequest.HttpServerRequest,
  requestId: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(response, {
    ...headersBeside(response.headers),
    ...(method === "OPTIONS" ? preflight : {}),
    "x-request-id": requestId
  })

/** The answer as it is sent. */
const finished = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  requestId: string,
  kept: KeptAnswers["Service"]
): HttpServerResponse.HttpServerResponse => {
  if (isProblem(response)) return ofEvery(completeProblem(response, requestId), request, requestId)
  const whole = ofEvery(withEtag(request, response), request, requestId)
  const sent = compressed(request, unlessKnown(request, whole))
  keepAnswer(kept, request, whole, sent)
  return sent
}

const recorded = Effect.fnUntraced(function* (
  { headers, status }: HttpServerResponse.HttpServerResponse,
  { operation, path, request }: Asked,
  startedAt: number
) {
  const milliseconds = (yield* monotonicMillis) - startedAt
  const route = templateOf(path, operation)
  yield* countAnswer({ route, status, source: headers["chaintape-source"], milliseconds })
  yield* logged(request, path, status, milliseconds)
})

/** Around every request: its id, its record, and what every answer and every problem carries. */
export const layer = (isPage: (path: string) => boolean) =>
  HttpRouter.middleware(
    Effect.gen(function* () {
      const admission = yield* Admission
      const keyless = yield* KeylessRequests
      const kept = yield* KeptAnswers
      return (app) => {
        // Around the routes nothing can be interrupted: a caller who goes would be waited for until the end.
        const routed = Effect.interruptible(app)
        const answer = (received: HttpServerRequest.HttpServerRequest, asked: Asked) => {
          const { operation, request } = asked
          const refused = refusal(request)
          if (refused !== undefined) return Effect.succeed(refused)
          if (request.method === "OPTIONS") return Effect.succeed(unrouted(request, isPage))
          const routedOrProblem = Effect.catchCause(
            request === received ? routed : Effect.provideService(routed, HttpServerRequest.HttpServerRequest, request),
            (cause) => (isGone(cause) ? Effect.failCause(cause) : answerOf(cause, request, isPage))
          )
          if (!isKeyless(request, operation?.keyed === true)) return routedOrProblem
          return Effect.flatMap(
            keyless.charge(received, keylessCost(request)),
            Option.match({
              onNone: () => routedOrProblem,
              onSome: (refused) => Effect.succeed(problemResponse(refused))
            })
          )
        }
        return Effect.gen(function* () {
          const received = yield* HttpServerRequest.HttpServerRequest
          const asked = askedOf(received)
          const startedAt = yield* monotonicMillis
          const requestId = idOrNew(asked.request.headers["x-request-id"])
          return yield* admission.count(answer(received, asked), tooSlow).pipe(
            Effect.map((response) => finished(response, asked.request, requestId, kept)),
            Effect.tap((response) => recorded(response, asked, startedAt)),
            Effect.annotateLogs("requestId", requestId)
          )
        })
      }
    }),
    { global: true }
  )
