import { Caller } from "@chaintape/contract"
import { NotReady, Overloaded } from "@chaintape/core"
import { Operation } from "@chaintape/core/operations"
import { DateTime, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { LiveBlocks } from "../../blocks/live/LiveBlocks.ts"
import { LiveTrades } from "../../cex/live/LiveTrades.ts"
import { LiveSwaps } from "../../dex/live/LiveSwaps.ts"
import { ready } from "../../internal/handler/ready.ts"
import type { LiveFeed, Start } from "../../live/LiveFeed.ts"
import { Subscriptions } from "../../live/Subscriptions.ts"
import { LiveApi } from "./LiveApi.ts"
import * as LiveEndings from "./LiveEndings.ts"
import { Stopping } from "./Stopping.ts"

const headers = {
  "cache-control": "no-store",
  // A buffering proxy would hold events back until its buffer is full.
  "x-accel-buffering": "no"
}

const contentType = "text/event-stream; charset=utf-8"
const withType = { ...headers, "content-type": contentType }

const cursorHeader = "last-event-id"

/** The header that a browser sends when it reconnects takes precedence over the parameter of the URL. */
const getStart = (
  request: HttpServerRequest.HttpServerRequest,
  query: { readonly after?: string | undefined; readonly since?: DateTime.Utc | undefined }
): Start => {
  const after = request.headers[cursorHeader] || query.after
  if (after !== undefined) return { after }
  return query.since === undefined ? { from: "now" } : { since: DateTime.toEpochMillis(query.since) }
}

/** Names the cursor where the request has it. */
const wrongCursor = ({ headers }: HttpServerRequest.HttpServerRequest, message: string) =>
  Operation.invalidParameter([
    { parameter: headers[cursorHeader] ? cursorHeader : "after", message: `the cursor ${message}` }
  ])

const noRoom = () =>
  new Overloaded({
    retryAfterMs: 1000,
    detail: "As many live streams are open as this instance serves: try again in a second, or on another instance."
  })

const stopping = () =>
  new NotReady({
    retryAfterMs: LiveEndings.reopenAfterMs,
    detail: "The service is stopping: reopen the stream in a second."
  })

const makeStreams = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  const { isBegun } = yield* Stopping
  return Effect.fnUntraced(function* (
    feed: LiveFeed,
    query: { readonly after?: string | undefined; readonly since?: DateTime.Utc | undefined }
  ) {
    if (isBegun()) return yield* stopping()
    const request = yield* HttpServerRequest.HttpServerRequest
    const { keyId } = yield* Caller
    const frames = yield* subscriptions.open(feed, getStart(request, query), keyId).pipe(
      Effect.catchTags({
        UnknownCursor: ({ message }) => Effect.fail(wrongCursor(request, message)),
        LiveError: ({ message }) => Effect.fail(new NotReady({ retryAfterMs: 1000, detail: message }))
      })
    )
    if (Option.isNone(frames)) return yield* noRoom()
    // A response to HEAD has no body, and no length, as that to GET; the stream ends with the request.
    if (request.method === "HEAD") return ready<string>(HttpServerResponse.empty({ status: 200, headers: withType }))
    return ready<string>(HttpServerResponse.raw(frames.value, { contentType, headers }))
  })
})

const trades = HttpApiBuilder.group(
  LiveApi,
  "cex",
  Effect.fn(function* (handlers) {
    const live = yield* LiveTrades
    const stream = yield* makeStreams
    return handlers.handle("liveTrades", ({ params: { exchange, market }, query }) =>
      Effect.flatMap(live.feed(exchange, market), (feed) => stream(feed, query))
    )
  })
)

const swaps = HttpApiBuilder.group(
  LiveApi,
  "dex",
  Effect.fn(function* (handlers) {
    const live = yield* LiveSwaps
    const stream = yield* makeStreams
    return handlers.handle("liveSwaps", ({ params: { blockchain, exchange, pool }, query }) =>
      Effect.flatMap(live.feed(exchange, blockchain, pool), (feed) => stream(feed, query))
    )
  })
)

const blocks = HttpApiBuilder.group(
  LiveApi,
  "blocks",
  Effect.fn(function* (handlers) {
    const live = yield* LiveBlocks
    const stream = yield* makeStreams
    return handlers.handle("liveBlocks", ({ params: { blockchain }, query }) =>
      Effect.flatMap(live.feed(blockchain), (feed) => stream(feed, query))
    )
  })
)

/** The streams; at most `max` are open at once. */
export const layer = (max: number) =>
  HttpApiBuilder.layer(LiveApi).pipe(
    Layer.provide([trades, swaps, blocks]),
    Layer.merge(LiveEndings.layer),
    Layer.provide(Subscriptions.layer(max))
  )
