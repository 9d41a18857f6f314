import type { ServerResponse } from "node:http"
import { Clock, Context, Effect, Exit, Layer, Metric, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import { CallerAddress } from "../../auth/CallerAddress.ts"
import { countRequestIn } from "../../auth/KeyMetrics.ts"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import type { GoodKey } from "../../auth/keys/ApiKeys.ts"
import { Admissions } from "../../auth/limits/Admissions.ts"
import type { Admission } from "../../auth/limits/Admissions.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import { logRequest } from "../../observability/RequestLog.ts"
import { countAnswer } from "../../observability/RequestMetrics.ts"
import type { CacheTarget, ContextualRequest } from "../request/RequestContext.ts"
import type { CachedResponse, Representation } from "./CachedResponse.ts"
import { FastPath } from "./FastPath.ts"
import type { Outcome, Serve } from "./FastPath.ts"
import { getKey, isPlain } from "./PlainRequest.ts"
import { ResponseCache } from "./ResponseCache.ts"

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

/** A request of a verified key, and the cached response to it. */
interface CachedRequest {
  readonly request: ContextualRequest
  readonly target: CacheTarget
  readonly cached: CachedResponse
  readonly caller: GoodKey
  readonly startedAt: number
}

/** A request with what answers it. */
interface Served {
  readonly request: ContextualRequest
  readonly cached: CachedResponse
  readonly representation: Representation
  readonly startedAt: number
  /** Releases what the response needs while it is sent. */
  readonly leave: (() => void) | undefined
}

const again = Metric.counter("chaintape_http_answered_again_total", {
  description: "Requests that were answered from the cache",
  incremental: true
})

const traced = ({ cached, representation, request }: Served, effect: Effect.Effect<void>): Effect.Effect<void> => {
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

/**
 * Answers a request from the cache while the cached response is current: without routing, and without waiting unless
 * Redis holds the limits, or the store must be asked for the key. Any other request takes the full pipeline, and is charged there.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const cache = yield* ResponseCache
    const addresses = yield* CallerAddress
    const keys = yield* ApiKeys
    const admissions = yield* Admissions
    const fastPath = yield* FastPath
    const context = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const run = Effect.runSyncWith(context)
    const start = Effect.runCallbackWith(context)
    const tracing = isTraced(context)

    const respond = (served: Served, response: ServerResponse, { headers, label, release }: Admission): void => {
      const { cached, leave, representation, request, startedAt } = served
      if (leave !== undefined) response.on("close", leave)
      if (release !== undefined) response.on("close", release)
      send(response, representation, [...toFlat(headers), "x-request-id", request.context.id])
      const milliseconds = toMonotonicMillis(clock) - startedAt
      const { status } = representation
      again.updateUnsafe(1, context)
      countRequestIn(context, label, status)
      countAnswer(context, {
        route: cached.template,
        status,
        source: cached.headers["chaintape-source"],
        milliseconds
      })
      const { id: requestId, path } = request.context
      const log = logRequest({ method: "GET", path, status, milliseconds, requestId })
      run(tracing ? traced(served, log) : log)
    }

    const fail = (response: ServerResponse, defect: unknown): void => {
      run(Effect.logError("A cached response could not be sent", defect))
      response.destroy()
    }

    const respondOrPass = (
      served: Served,
      response: ServerResponse,
      exit: Exit.Exit<Admission | undefined>,
      next: () => void
    ): void => {
      const admission = Exit.isSuccess(exit) ? exit.value : undefined
      // The client does not read the response any more.
      const isGone = response.destroyed
      if (isGone || admission === undefined) {
        served.leave?.()
        admission?.release?.()
        if (!isGone) next()
        return
      }
      try {
        respond(served, response, admission)
      } catch (defect) {
        fail(response, defect)
      }
    }

    /** Passes a request on after a defect, unless a part of its response is sent. */
    const guarded = (response: ServerResponse, answer: () => Outcome): Outcome => {
      try {
        return answer()
      } catch (defect) {
        if (!response.headersSent) {
          run(Effect.logError("A cached response could not be sent", defect))
          return "passed"
        }
        fail(response, defect)
        return "sent"
      }
    }

    const findCached = ({ context: { cacheTarget: target } }: ContextualRequest) => {
      const cached = target === undefined ? undefined : cache.find(target.key)
      return target === undefined || cached === undefined ? undefined : { target, cached }
    }

    /** Answers a request whose key is verified. */
    const serveCaller = (
      { cached, caller, request, startedAt, target }: CachedRequest,
      response: ServerResponse,
      next: () => void
    ): Outcome => {
      const { headers, socket } = request
      const { group, name } = cached.operation
      if (caller.scopes?.includes(group) === false) return "passed"
      const representation = cached.select({
        acceptEncoding: headers["accept-encoding"]?.toString(),
        ifNoneMatch: headers["if-none-match"]
      })
      if (representation === undefined) return "passed"
      const { acquire } = cached.cacheable
      const leave = representation.status === 200 ? acquire?.() : undefined
      if (representation.status === 200 && acquire !== undefined && leave === undefined) return "passed"
      const address = addresses.behind(socket.remoteAddress ?? "", {
        forwarded: headers.forwarded,
        "x-forwarded-for": headers["x-forwarded-for"]?.toString()
      })
      const admission = admissions.admitWhole({ caller, address, operation: `${group}.${name}`, limit: target.limit })
      if (admission === undefined) {
        leave?.()
        return "passed"
      }
      const served = { request, cached, representation, startedAt, leave }
      if (Effect.isEffect(admission)) {
        start(admission, { onExit: (exit) => respondOrPass(served, response, exit, next) })
        return "pending"
      }
      respond(served, response, admission)
      return "sent"
    }

    const serve: Serve = (request, response, next) => {
      const startedAt = toMonotonicMillis(clock)
      const found = isPlain(request) ? findCached(request) : undefined
      if (found === undefined) return "passed"
      const key = getKey(found.target.apiKey, request.headers["api-key"])
      if (key === undefined) return "passed"
      const known = keys.recall(key)
      if (known !== undefined) return serveCaller({ ...found, caller: known, request, startedAt }, response, next)
      start(keys.verify(key), {
        onExit: (exit) => {
          if (response.destroyed) return
          const caller = Exit.isSuccess(exit) ? Option.getOrUndefined(exit.value) : undefined
          // The response may have left the cache meanwhile.
          const still = findCached(request)
          const outcome =
            caller === undefined || still === undefined
              ? "passed"
              : guarded(response, () => serveCaller({ ...still, caller, request, startedAt }, response, next))
          if (outcome === "passed") next()
        }
      })
      return "pending"
    }

    yield* fastPath.use((request, response, next) => guarded(response, () => serve(request, response, next)))
  })
)
