import type { ServerResponse } from "node:http"
import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import type { Scope } from "effect"
import { CallerAddress } from "../../auth/CallerAddress.ts"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import type { VerifiedKey } from "../../auth/keys/ApiKeys.ts"
import { Admissions } from "../../auth/limits/Admissions.ts"
import { UnauthenticatedRequests } from "../../auth/limits/UnauthenticatedRequests.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"
import type { ContextualRequest, CacheTarget } from "../request/RequestContext.ts"
import type { Serve, ServeResult } from "../socket/GuardedServer.ts"
import { LoadShedder } from "../socket/LoadShedder.ts"
import { makeCachedResponder } from "./CachedResponder.ts"
import { ResponseCache } from "./ResponseCache.ts"
import type { CachedResponse } from "./ResponseCache.ts"

/** Serves requests before the routes. */
export class FastPath extends Context.Service<
  FastPath,
  {
    readonly serve: Serve
    /** Registers it until the scope ends. */
    readonly register: (serve: Serve) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/http/cache/FastPath") {
  static readonly layer = Layer.sync(FastPath, () => {
    const none: Serve = () => "passed"
    let current = none
    return FastPath.of({
      serve: (request, response, next) => current(request, response, next),
      register: (serve) =>
        Effect.acquireRelease(
          Effect.sync(() => void (current = serve)),
          () => Effect.sync(() => void (current = none))
        )
    })
  })
}

/** Requests with more or longer headers take the full pipeline, which limits them. */
const maxRawHeaders = 64
const maxHeadersLength = 4096

/** The key of the request, if it has exactly one. */
const findApiKey = (inQuery: string | undefined, inHeader: string | ReadonlyArray<string> | undefined) => {
  if (inQuery !== undefined && inHeader !== undefined) return undefined
  const key = inQuery ?? inHeader
  return typeof key === "string" && key !== "" ? key : undefined
}

/** Whether a request needs none of the checks of the full pipeline. */
const needsNoFullPipeline = ({ headers, httpVersion, method, rawHeaders }: ContextualRequest): boolean => {
  if (method !== "GET" || httpVersion !== "1.1" || headers.host === undefined) return false
  if (rawHeaders.length > maxRawHeaders) return false
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length <= maxHeadersLength
}

const findCached = (cache: ResponseCache["Service"], { context: { cacheTarget: target } }: ContextualRequest) => {
  const cached = target === undefined ? undefined : cache.find(target.key)
  return target === undefined || cached === undefined ? undefined : { target, cached }
}

const findAddress = (addresses: CallerAddress["Service"], { headers, socket }: ContextualRequest): string =>
  addresses.behind(socket.remoteAddress ?? "", {
    forwarded: headers.forwarded,
    "x-forwarded-for": headers["x-forwarded-for"]?.toString()
  })

/** A request of a verified key, and the cached response to it. */
interface CachedRequest {
  readonly request: ContextualRequest
  readonly target: CacheTarget
  readonly cached: CachedResponse
  readonly caller: VerifiedKey
  readonly startedAt: number
}

/** Runs what a request waits for, and counts the request as waiting. */
type Wait = <A, E>(effect: Effect.Effect<A, E>, onExit: (exit: Exit.Exit<A, E>) => void) => void

/** Makes the response to a request whose key is verified. */
const makeServeCaller = Effect.fnUntraced(function* (
  { respond, respondOrPass }: Effect.Success<typeof makeCachedResponder>,
  wait: Wait
) {
  const admissions = yield* Admissions
  const addresses = yield* CallerAddress
  return (
    { cached, caller, request, startedAt, target }: CachedRequest,
    response: ServerResponse,
    next: () => void
  ): ServeResult => {
    const { headers } = request
    const { group, name } = cached.operation
    if (caller.scopes?.includes(group) === false) return "passed"
    const representation = cached.select({
      acceptEncoding: headers["accept-encoding"]?.toString(),
      ifNoneMatch: headers["if-none-match"]
    })
    if (representation === undefined) return "passed"
    const { acquire } = cached.cacheable
    const release = representation.status === 200 ? acquire?.() : undefined
    if (representation.status === 200 && acquire !== undefined && release === undefined) return "passed"
    // From here on, so that a defect does not leave it taken.
    if (release !== undefined) response.on("close", release)
    const address = findAddress(addresses, request)
    const charged = { caller, address, operation: `${group}.${name}`, limit: target.limit }
    const hit = { request, cached, representation, startedAt, release }
    const { _tag, admission } = admissions.tryAdmit(charged)
    if (_tag === "Async") {
      wait(admission, (exit) => respondOrPass(hit, response, exit, next))
      return "pending"
    }
    if (admission === undefined) {
      release?.()
      return "passed"
    }
    respond(hit, response, admission)
    return "sent"
  }
})

const makeServe = Effect.gen(function* () {
  const cache = yield* ResponseCache
  const addresses = yield* CallerAddress
  const keys = yield* ApiKeys
  const unauthenticated = yield* UnauthenticatedRequests
  const shedder = yield* LoadShedder
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const run = Effect.runSyncWith(context)
  const start = Effect.runCallbackWith(context)
  const wait: Wait = (effect, onExit) => void start(shedder.count(effect), { onExit })
  const responder = yield* makeCachedResponder

  /** Passes a request on after a defect, unless a part of its response is sent. */
  const runGuarded = (response: ServerResponse, attempt: () => ServeResult): ServeResult => {
    try {
      return attempt()
    } catch (defect) {
      if (!response.headersSent) {
        run(Effect.logError("A cached response could not be sent", defect))
        return "passed"
      }
      responder.fail(response, defect)
      return "sent"
    }
  }

  const serveCaller = yield* makeServeCaller(responder, wait)

  const serve: Serve = (request, response, next) => {
    const startedAt = toMonotonicMillis(clock)
    const found = needsNoFullPipeline(request) ? findCached(cache, request) : undefined
    if (found === undefined) return "passed"
    const key = findApiKey(found.target.apiKey, request.headers["api-key"])
    if (key === undefined) return "passed"
    const known = keys.recall(key)
    if (known !== undefined) return serveCaller({ ...found, caller: known, request, startedAt }, response, next)
    // The full pipeline bounds the lookups of an address that sent many wrong keys.
    if (run(unauthenticated.isSuspect(findAddress(addresses, request)))) return "passed"
    wait(keys.verify(key), (exit) => {
      if (response.destroyed) return
      const caller = Exit.isSuccess(exit) ? Option.getOrUndefined(exit.value) : undefined
      // The response may have left the cache meanwhile.
      const still = findCached(cache, request)
      const outcome =
        caller === undefined || still === undefined
          ? "passed"
          : runGuarded(response, () => serveCaller({ ...still, caller, request, startedAt }, response, next))
      if (outcome === "passed") next()
    })
    return "pending"
  }

  const guarded: Serve = (request, response, next) => runGuarded(response, () => serve(request, response, next))
  return guarded
})

/**
 * Responds to a request from the cache while the cached response is current: without routing, and without waiting unless
 * Redis holds the limits, or the store must be asked for the key. Any other request takes the full pipeline, and is charged there.
 */
export const layerFromCache = Layer.effectDiscard(
  Effect.gen(function* () {
    const fastPath = yield* FastPath
    yield* fastPath.register(yield* makeServe)
  })
)
