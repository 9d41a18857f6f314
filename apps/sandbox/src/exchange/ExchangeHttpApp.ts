import { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Duration, Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpServerError } from "effect/http"
import { connectionFaults, findFault, getRequestFaults } from "./faults/FaultBoard.ts"
import type { AppliedFaults, FaultBoard, Target } from "./faults/FaultBoard.ts"
import type { Feed } from "./feed/Feed.ts"
import type { Markets } from "./market/Markets.ts"
import { control, isControl } from "./rest/ControlApi.ts"
import type { MutableCounters } from "./rest/Counters.ts"
import { getDelay, toDelivery, findRejection } from "./rest/FaultyResponse.ts"
import type { Delivery } from "./rest/FaultyResponse.ts"
import { getResponse, json, notFound, parseRoute } from "./rest/RestApi.ts"
import type { RestResponse, Route, View } from "./rest/RestApi.ts"
import { httpDate } from "./rest/Wire.ts"
import type { TokenBuckets } from "./TokenBuckets.ts"

export interface ExchangeHttpAppOptions {
  readonly markets: Markets
  readonly board: FaultBoard
  readonly feed: Feed
  readonly counters: MutableCounters
  /** `undefined`: no limit. */
  readonly buckets: TokenBuckets | undefined
  readonly halted: () => string | undefined
}

type Request = HttpServerRequest.HttpServerRequest
type Response = Effect.Effect<HttpServerResponse.HttpServerResponse, HttpServerError.HttpServerError>

const tooMany = json({ message: "Public rate limit exceeded" }, 429)

/**
 * The HTTP interface of the sandbox. The server runs requests uninterruptibly by default, and a hung request must end
 * with it.
 */
export const makeExchangeHttpApp = (options: ExchangeHttpAppOptions) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const now = yield* Clock.currentTimeMillis
    if (isControl(request.url)) {
      return respond(yield* control(request, options), now * 1000)
    }
    return yield* request.headers["upgrade"]?.toLowerCase() === "websocket"
      ? stream(request, options, now)
      : rest(request, options, now)
  }).pipe(Effect.interruptible)

const stream = (request: Request, { board, feed }: ExchangeHttpAppOptions, now: number): Response => {
  if (request.url.split("?", 1)[0] !== "/") return Effect.succeed(respond(notFound, now * 1000))
  const applied = board.selectFaults({ endpoint: "stream" }, connectionFaults)
  if (findFault(applied, "hang") !== undefined) return Effect.never
  const refused = findRejection(applied, now * 1000)
  return refused === undefined ? feed.serve(request) : Effect.succeed(respond(refused, now * 1000))
}

const rest = (request: Request, options: ExchangeHttpAppOptions, now: number): Response => {
  const { board, buckets, counters, markets } = options
  counters.requests++
  if (
    buckets?.take(
      Option.getOrElse(request.remoteAddress, () => ""),
      now
    ) === false
  ) {
    counters.rateLimited++
    return Effect.succeed(respond(tooMany, now * 1000))
  }
  const found = request.method === "GET" || request.method === "HEAD" ? parseRoute(markets, request.url) : undefined
  if (found === undefined) {
    counters.notFound++
    return Effect.succeed(respond(notFound, now * 1000))
  }
  const target = { endpoint: found.endpoint, product: found.listing?.product.id }
  return perform(request, found, target, board.selectFaults(target, getRequestFaults(found.endpoint)), options)
}

/** The response is computed after the delay: a slow response is not an old one. */
const perform = Effect.fnUntraced(function* (
  request: Request,
  found: Route,
  target: Target,
  applied: AppliedFaults,
  { board, counters, markets }: ExchangeHttpAppOptions
) {
  const delay = getDelay(applied, (fault) => board.draw(fault))
  if (delay > 0) yield* Effect.sleep(Duration.millis(delay))
  const now = (yield* Clock.currentTimeMillis) * 1000
  const makeResponse = () => {
    const made = getResponse(found, toView(markets, board, target, applied, now))
    if (made.status === 400) counters.badRequests++
    return made
  }
  const date = now + board.skew("date", target, now)
  return yield* deliver(request, toDelivery(makeResponse, applied, board, now), date)
})

const toView = (markets: Markets, board: FaultBoard, target: Target, applied: AppliedFaults, now: number): View => {
  const stale = findFault(applied, "stale-page")
  return {
    markets,
    now,
    until: stale === undefined ? undefined : now - stale.seconds * 1_000_000,
    tradeSkew: board.isSkewed("trades", target) ? (time) => board.skew("trades", target, time) : undefined,
    timeSkew: board.skew("time", target, now)
  }
}

const deliver = (request: Request, delivery: Delivery, date: number): Response => {
  if (delivery.kind === "Complete") return Effect.succeed(respond(delivery.response, date))
  if (delivery.kind === "Silent") return Effect.never
  const response = NodeHttpServerRequest.toServerResponse(request)
  if (!(response instanceof ServerResponse)) return Effect.never
  const { body, headers, status } = delivery.response
  return Effect.andThen(
    Effect.sync(() => {
      response.writeHead(status, getHeaders(headers, date, new TextEncoder().encode(body).length))
      if (delivery.kind === "HeadersOnly") response.flushHeaders()
      else response.write(delivery.sent, () => response.socket?.end())
    }),
    Effect.never
  )
}

const getHeaders = (headers: RestResponse["headers"], date: number, length: number): Record<string, string> => ({
  "content-type": "application/json; charset=utf-8",
  ...headers,
  date: httpDate(date),
  "content-length": `${length}`
})

const respond = ({ body, headers, status }: RestResponse, date: number): HttpServerResponse.HttpServerResponse => {
  const bytes = new TextEncoder().encode(body)
  return HttpServerResponse.uint8Array(bytes, {
    status,
    headers: getHeaders(headers, date, bytes.length),
    contentType: headers["content-type"] ?? "application/json; charset=utf-8"
  })
}
