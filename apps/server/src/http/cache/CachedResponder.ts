import type { ServerResponse } from "node:http"
import { Clock, Context, Effect, Exit, Metric, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import type { Admission } from "../../auth/limits/Admissions.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { makeRequestRecord } from "../../observability/RequestRecord.ts"
import { type ContextualRequest, requestIdHeader } from "../request/RequestContext.ts"
import type { CachedResponse, Representation } from "./ResponseCache.ts"

/** A request, and the cached response to it. */
export interface CacheHit {
  readonly request: ContextualRequest
  readonly cached: CachedResponse
  readonly representation: Representation
  readonly startedAt: number
  /** Releases what the response needs while it is sent. The end of the response releases it, too. */
  readonly release: (() => void) | undefined
}

const toFlat = (headers: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const flat: Array<string> = []
  for (const name in headers) flat.push(name, headers[name] ?? "")
  return flat
}

const send = (
  response: ServerResponse,
  { body, headers, status }: Representation,
  own: ReadonlyArray<string>
): void => {
  response.writeHead(status, [...headers, ...own])
  if (typeof body === "string") {
    response.end(body, "latin1")
    return
  }
  // In one write: the operating system accepts as much as the reader has room for.
  response.cork()
  for (const part of body) response.write(part)
  response.end()
}

const cacheHits = Metric.counter("chaintape_http_answered_again_total", {
  description: "Requests that were answered from the cache",
  incremental: true
})

const traceHit = ({ cached, representation, request }: CacheHit, effect: Effect.Effect<void>): Effect.Effect<void> => {
  const agent = request.headers["user-agent"]
  return effect.pipe(
    Effect.withSpan(
      "http.server GET",
      {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(request.headers))),
        attributes: {
          "http.request.method": "GET",
          "http.route": cached.template,
          "url.path": request.context.path,
          "url.scheme": "http",
          "client.address": request.socket.remoteAddress,
          ...(agent === undefined ? {} : { "user_agent.original": agent }),
          "http.response.status_code": representation.status,
          "chaintape.answered_again": true
        }
      },
      { captureStackTrace: false }
    )
  )
}

/** Whether spans are exported. */
const isTraced = (context: Context.Context<never>): boolean =>
  Context.get(context, Tracer.Tracer) !== Context.get(Context.empty(), Tracer.Tracer)

/** Sends cached responses, and counts, logs and traces their requests. */
export const makeCachedResponder = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const run = Effect.runSyncWith(context)
  const recordRequest = makeRequestRecord()
  const tracing = isTraced(context)

  const respond = (hit: CacheHit, response: ServerResponse, { countResponse, headers, release }: Admission): void => {
    const { cached, representation, request, startedAt } = hit
    if (release !== undefined) response.on("close", release)
    send(response, representation, [...toFlat(headers), requestIdHeader, request.context.id])
    const milliseconds = toMonotonicMillis(clock) - startedAt
    const { status } = representation
    cacheHits.updateUnsafe(1, context)
    countResponse(status, context)
    const { id: requestId, path } = request.context
    const log = recordRequest(context, {
      method: "GET",
      path,
      route: cached.template,
      status,
      source: cached.headers["chaintape-source"],
      milliseconds,
      requestId
    })
    run(tracing ? traceHit(hit, log) : log)
  }

  const fail = (response: ServerResponse, defect: unknown): void => {
    run(Effect.logError("A cached response could not be sent", defect))
    response.destroy()
  }

  const respondOrPass = (
    hit: CacheHit,
    response: ServerResponse,
    exit: Exit.Exit<Admission | undefined>,
    next: () => void
  ): void => {
    const admission = Exit.isSuccess(exit) ? exit.value : undefined
    // The client does not read the response any more.
    const isGone = response.destroyed
    if (isGone || admission === undefined) {
      hit.release?.()
      admission?.release?.()
      if (!isGone) next()
      return
    }
    try {
      respond(hit, response, admission)
    } catch (defect) {
      fail(response, defect)
    }
  }

  return { respond, respondOrPass, fail }
})
