import { HeadersTooLarge, UriTooLong } from "@chaintape/contract"
import { Cause, Clock, Effect, Option, Predicate } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { UnauthenticatedRequests } from "../auth/limits/UnauthenticatedRequests.ts"
import { CacheDeclaration } from "../internal/handler/Cacheable.ts"
import { toMonotonicMillis } from "../internal/monotonic.ts"
import { makeRequestRecord } from "../observability/RequestRecord.ts"
import { ResponseCache } from "./cache/ResponseCache.ts"
import { getContext, isPathDecodable, requestIdHeader, shownPath } from "./request/RequestContext.ts"
import type { RequestContext } from "./request/RequestContext.ts"
import { compress } from "./response/Compression.ts"
import {
  toResponse,
  completeProblem,
  isProblem,
  problemResponse,
  toOptionsResponse,
  tooSlow,
  undecodablePath,
  toUnroutedResponse,
  withoutHost
} from "./response/Problems.ts"
import { cachingHeaders, toNotModified, toCommonHeaders } from "./response/ResponseHeaders.ts"
import { isHealthProbe } from "./socket/GuardedServer.ts"
import { LoadShedder } from "./socket/LoadShedder.ts"

const maxUrlLength = 8 * 1024
const maxHeaderBytes = 16 * 1024

const maxHeaders = 100

const preflight = {
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  // Effect clients send their trace context.
  "access-control-allow-headers": "api-key, if-none-match, last-event-id, x-request-id, b3, traceparent, tracestate",
  "access-control-max-age": "86400"
}

/** The number of headers, and their bytes including separators. */
const measureHeaders = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  let [bytes, count] = [0, 0]
  for (const name of Object.keys(headers)) {
    bytes += name.length + (headers[name] ?? "").length + 4
    count += 1
  }
  return { bytes, count }
}

/** A request that is rejected before routing. */
const toRefusal = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse | undefined => {
  if (request.url.length > maxUrlLength) {
    const detail = `The URL has ${request.url.length} characters: at most ${maxUrlLength} are read.`
    return problemResponse(new UriTooLong({ detail }))
  }
  const { bytes, count } = measureHeaders(request)
  if (bytes > maxHeaderBytes) {
    const detail = `The headers have ${bytes} bytes: at most ${maxHeaderBytes} are read.`
    return problemResponse(new HeadersTooLarge({ detail }))
  }
  if (count > maxHeaders) {
    const detail = `The request has ${count} headers: at most ${maxHeaders} are read.`
    return problemResponse(new HeadersTooLarge({ detail }))
  }
  if (lacksHost(request)) return withoutHost()
  return isPathDecodable(request.url) ? undefined : undecodablePath()
}

/** HTTP/1.1 requires the header (RFC 9112, 3.2); the runtime would reject its absence with an empty body. */
const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  headers["host"] === undefined && Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.1"

/** A browser withholds the problem of a request from a page if it refuses the preflight. */
const isPreflight = ({ headers, method }: HttpServerRequest.HttpServerRequest) =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined

/** Whether its address is charged: no key pays for it, and it is neither OPTIONS nor a health probe. */
const isChargedToAddress = (
  { method, url }: HttpServerRequest.HttpServerRequest,
  { route }: RequestContext
): boolean => {
  if (method === "OPTIONS" || isHealthProbe(url)) return false
  return !((method === "GET" || method === "HEAD") && route?.operation?.requiresApiKey === true)
}

/** Whether the client has closed the connection: no response is read then. */
const isGone = (cause: Cause.Cause<unknown>): boolean =>
  Cause.hasInterruptsOnly(cause) &&
  cause.reasons.some((reason) => reason._tag === "Interrupt" && reason.annotations.has(HttpServerError.ClientAbort.key))

/** The headers of every response. */
const withCommonHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  { method }: HttpServerRequest.HttpServerRequest,
  requestId: string,
  further: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(response, {
    ...further,
    ...toCommonHeaders(response.headers),
    ...(method === "OPTIONS" ? preflight : {}),
    [requestIdHeader]: requestId
  })

/** The response as it is sent. */
const toSent = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  context: RequestContext,
  cache: ResponseCache["Service"]
): HttpServerResponse.HttpServerResponse => {
  const { id } = context
  if (isProblem(response)) return withCommonHeaders(completeProblem(response, id), request, id)
  const whole = withCommonHeaders(response, request, id, cachingHeaders(request, context, response))
  const sent = compress(request, toNotModified(request, whole))
  cache.store(context, whole, sent)
  return sent
}

/** Counts and logs a request. */
const makeRecord = () => {
  const recordRequest = makeRequestRecord()
  return (
    { headers, status }: HttpServerResponse.HttpServerResponse,
    { method }: HttpServerRequest.HttpServerRequest,
    { id, path, route }: RequestContext,
    milliseconds: number
  ) =>
    Effect.withFiber(({ context }) =>
      recordRequest(context, {
        method,
        path: shownPath(path),
        route: route?.template ?? "other",
        status,
        source: headers["chaintape-source"],
        milliseconds,
        requestId: id
      })
    )
}

/** Wraps every request: assigns its id, logs it, and adds the headers of every response and every problem. */
export const layer = HttpRouter.middleware(
  Effect.gen(function* () {
    const shedder = yield* LoadShedder
    const unauthenticated = yield* UnauthenticatedRequests
    const cache = yield* ResponseCache
    const clock = yield* Clock.Clock
    const record = makeRecord()
    return (app) => {
      // Only the routes are interruptible: an interruptible pipeline would wait for a client that has disconnected.
      const routed = Effect.interruptible(app)
      const respond = (
        received: HttpServerRequest.HttpServerRequest,
        request: HttpServerRequest.HttpServerRequest,
        context: RequestContext
      ) => {
        if (isPreflight(request) && !lacksHost(request)) return Effect.succeed(toOptionsResponse(context))
        const refusal = toRefusal(request)
        if (refusal !== undefined) return Effect.succeed(refusal)
        if (request.method === "OPTIONS") return Effect.succeed(toUnroutedResponse(request, context))
        // The handler declares it deep inside the routes, whose result is a response alone: the context carries it to the cache.
        const declared = Effect.provideService(routed, CacheDeclaration, (cacheable) => {
          context.cacheable = cacheable
        })
        const routedOrProblem = Effect.catchCause(
          request === received
            ? declared
            : Effect.provideService(declared, HttpServerRequest.HttpServerRequest, request),
          (cause) => (isGone(cause) ? Effect.failCause(cause) : toResponse(cause, request, context))
        )
        if (!isChargedToAddress(request, context)) return routedOrProblem
        return Effect.flatMap(
          unauthenticated.charge(received),
          Option.match({
            onNone: () => routedOrProblem,
            onSome: (problem) => Effect.succeed(problemResponse(problem))
          })
        )
      }
      return Effect.gen(function* () {
        const received = yield* HttpServerRequest.HttpServerRequest
        const context = getContext(received)
        const { id, url } = context
        const request = url === received.url ? received : received.modify({ url })
        const startedAt = toMonotonicMillis(clock)
        return yield* shedder.count(respond(received, request, context), tooSlow).pipe(
          Effect.map((response) => toSent(response, request, context, cache)),
          Effect.tap((response) => record(response, request, context, toMonotonicMillis(clock) - startedAt)),
          Effect.annotateLogs("requestId", id)
        )
      })
    }
  }),
  { global: true }
)
