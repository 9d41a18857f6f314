import { Caller } from "@chaintape/contract"
import { NotReady, Overloaded } from "@chaintape/core"
import { Operation } from "@chaintape/core/operations"
import { DateTime, Effect, Layer, Option, Schedule } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import { LiveBlocks } from "../../blocks/live/LiveBlocks.ts"
import { LiveTrades } from "../../cex/live/LiveTrades.ts"
import { LiveSwaps } from "../../dex/live/LiveSwaps.ts"
import { toHandlerResult } from "../../internal/handler/toHandlerResult.ts"
import { makeFirstFailureWarning } from "../../internal/log/firstFailure.ts"
import type { LiveFeed, Start } from "../../live/LiveFeed.ts"
import type { Ending } from "../../live/LiveFrame.ts"
import { Subscriptions } from "../../live/Subscriptions.ts"
import { LiveApi } from "./LiveApi.ts"
import { ShutdownSignal } from "./ShutdownSignal.ts"

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
const wrongCursor = ({ headers }: HttpServerRequest.HttpServerRequest, what: string) =>
  Operation.invalidParameter([
    { parameter: headers[cursorHeader] ? cursorHeader : "after", message: `the cursor ${what}` }
  ])

const tooManyStreams = () =>
  new Overloaded({
    retryAfterMs: 1000,
    detail: "As many live streams are open as this instance serves: try again in a second, or on another instance."
  })

/**
 * The delay before a stream is reopened while the service stops. It is shorter than that of other requests: a client
 * resumes its stream on any other instance.
 */
const reopenAfterMs = 1000

const stopping = () =>
  new NotReady({
    retryAfterMs: reopenAfterMs,
    detail: "The service is stopping: reopen the stream in a second."
  })

const groups = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  const { isBegun } = yield* ShutdownSignal
  const [trades, swaps, blocks] = [yield* LiveTrades, yield* LiveSwaps, yield* LiveBlocks]
  const stream = Effect.fnUntraced(function* (
    feed: LiveFeed,
    query: { readonly after?: string | undefined; readonly since?: DateTime.Utc | undefined }
  ) {
    if (isBegun()) return yield* stopping()
    const request = yield* HttpServerRequest.HttpServerRequest
    const { keyId } = yield* Caller
    const frames = yield* subscriptions.open(feed, getStart(request, query), keyId).pipe(
      Effect.catchTags({
        UnknownCursorError: ({ what }) => Effect.fail(wrongCursor(request, what)),
        LiveError: ({ message }) => Effect.fail(new NotReady({ retryAfterMs: 1000, detail: message }))
      })
    )
    if (Option.isNone(frames)) return yield* tooManyStreams()
    // A response to HEAD has no body, and no length, as that to GET; the stream ends with the request.
    if (request.method === "HEAD")
      return toHandlerResult<string>(HttpServerResponse.empty({ status: 200, headers: withType }))
    return toHandlerResult<string>(HttpServerResponse.raw(frames.value, { contentType, headers }))
  })
  return Layer.mergeAll(
    HttpApiBuilder.group(LiveApi, "cex", (handlers) =>
      handlers.handle("liveTrades", ({ params: { exchange, market }, query }) =>
        Effect.flatMap(trades.feed(exchange, market), (feed) => stream(feed, query))
      )
    ),
    HttpApiBuilder.group(LiveApi, "dex", (handlers) =>
      handlers.handle("liveSwaps", ({ params: { blockchain, exchange, pool }, query }) =>
        Effect.flatMap(swaps.feed(exchange, blockchain, pool), (feed) => stream(feed, query))
      )
    ),
    HttpApiBuilder.group(LiveApi, "blocks", (handlers) =>
      handlers.handle("liveBlocks", ({ params: { blockchain }, query }) =>
        Effect.flatMap(blocks.feed(blockchain), (feed) => stream(feed, query))
      )
    )
  )
})

const closing: Ending = {
  reason: "closing",
  detail: "The service is stopping: resume after the last event, on another instance or when it has restarted.",
  retryAfterMs: reopenAfterMs
}

const revoked: Ending = {
  reason: "revoked",
  detail: "The key is not valid any more: resume after the last event with another one.",
  retryAfterMs: null
}

/** The interval at which the keys of open streams are checked. */
const checkInterval = "2 seconds"

/** Ends streams whose key is no longer valid, and all streams when the service stops. */
export const endings = Layer.effectDiscard(
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const shutdown = yield* ShutdownSignal
    const subscriptions = yield* Subscriptions
    const warnOfFirst = makeFirstFailureWarning("The keys of live streams cannot be read")
    // Without an open stream no key is read, which ends no outage.
    const checkKeys = Effect.flatMap(subscriptions.openKeys, (open) =>
      open.size === 0
        ? Effect.void
        : Effect.gen(function* () {
            for (const keyId of open) {
              if (!(yield* keys.isValid(keyId))) yield* subscriptions.end(revoked, keyId)
            }
          }).pipe(warnOfFirst)
    )
    yield* Effect.forkScoped(Effect.repeat(checkKeys, Schedule.spaced(checkInterval)))
    yield* Effect.forkScoped(Effect.andThen(shutdown.begun, subscriptions.end(closing)))
  })
)

/** The streams; at most `max` are open at once. */
export const layer = (max: number) =>
  HttpApiBuilder.layer(LiveApi).pipe(
    Layer.provide(Layer.unwrap(groups)),
    Layer.merge(endings),
    Layer.provide(Subscriptions.layer(max))
  )
