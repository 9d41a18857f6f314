import { Api } from "@chaintape/contract"
import { NotReady } from "@chaintape/core"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import type { Scope } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as KeyAuthorization from "../auth/authorization/KeyAuthorization.ts"
import { Admissions } from "../auth/limits/Admissions.ts"
import { Limiter } from "../auth/limits/Limiter.ts"
import type { Limits } from "../auth/limits/Plans.ts"
import { UnauthenticatedRequests } from "../auth/limits/UnauthenticatedRequests.ts"
import { BlocksHandlers } from "../blocks/api/BlocksHandlers.ts"
import { CexHandlers } from "../cex/api/CexHandlers.ts"
import { DexHandlers } from "../dex/api/DexHandlers.ts"
import { withoutOwnServices } from "../internal/handler/RequestServices.ts"
import * as StatusRoutes from "../observability/StatusRoutes.ts"
import { Instance } from "../status/Instance.ts"
import * as PublicRoutes from "../web/PublicRoutes.ts"
import { FastPath, layerFromCache } from "./cache/FastPath.ts"
import { ResponseCache } from "./cache/ResponseCache.ts"
import * as Documentation from "./docs/Documentation.ts"
import type { Examples } from "./docs/ReferencePage.ts"
import * as LiveRoutes from "./live/LiveRoutes.ts"
import { ShutdownSignal } from "./live/ShutdownSignal.ts"
import * as ParameterCheck from "./request/ParameterCheck.ts"
import { holdsStrayKey } from "./request/RequestContext.ts"
import * as RequestPipeline from "./RequestPipeline.ts"
import { problemResponse } from "./response/Problems.ts"
import type { ConnectionLimit } from "./socket/ConnectionSlots.ts"
import { makeConnectionSlots } from "./socket/ConnectionSlots.ts"
import type { Guard } from "./socket/GuardedServer.ts"
import { drainMs, GuardedServer } from "./socket/GuardedServer.ts"
import type { Capacity } from "./socket/LoadShedder.ts"
import { LoadShedder } from "./socket/LoadShedder.ts"
import { rejectConnect, rejectMalformed } from "./socket/MalformedRequests.ts"
import type { MinimumReadRate } from "./socket/SlowReaders.ts"
import { SlowReaders } from "./socket/SlowReaders.ts"
import { SystemHandlers } from "./SystemHandlers.ts"

export interface ListenOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly capacity?: Capacity
  /** If absent, one address may hold all connections. */
  readonly connections?: ConnectionLimit
  readonly minimumReadRate?: MinimumReadRate
  readonly requestTimeouts?: RequestTimeouts
}

/** The examples that the pages show. */
export interface ServiceExamples {
  /** The path of a working operation. */
  readonly path: string
  readonly parameters: Examples
}

/** How long the headers, and the whole request, may take to arrive. */
export interface RequestTimeouts {
  readonly headersMs: number
  readonly requestMs: number
}

const standardTimeouts: RequestTimeouts = { headersMs: 15_000, requestMs: 30_000 }

/** Routes that have their services from when they are made: the context of a request does not hold them. */
type Routes<R> = Layer.Layer<never, never, R> &
  ([HttpRouter.Request.Only<"Requires" | "GlobalRequires", R>] extends [never] ? unknown : never)

const checkRoutes = <R>(routes: Routes<R>): Layer.Layer<never, never, R> => routes

/** All routes of the service. */
const routes = <R>(examples: ServiceExamples, limits: Limits, accountPages: Routes<R>) =>
  Layer.mergeAll(
    Layer.mergeAll(
      HttpApiBuilder.layer(Api).pipe(Layer.provide([SystemHandlers, CexHandlers, DexHandlers, BlocksHandlers])),
      LiveRoutes.layer(limits.subscribers),
      layerFromCache
    ).pipe(
      Layer.provide([ParameterCheck.layer, KeyAuthorization.layer]),
      Layer.provide(Admissions.layer(limits).pipe(Layer.provide(Limiter.layer)))
    ),
    checkRoutes(Documentation.layer(examples.parameters)),
    checkRoutes(StatusRoutes.layer),
    checkRoutes(PublicRoutes.layer(examples.path)),
    accountPages
  ).pipe(
    Layer.provide(RequestPipeline.layer),
    Layer.provide([UnauthenticatedRequests.layer(limits), ResponseCache.layer])
  )

/** Much larger than the limits of `RequestPipeline`, which knows whether the URL or the headers are too large. */
const maxHeaderSize = 256 * 1024

const stalledAfter = 60_000

/** Connections beyond this number are closed at once. */
const maxConnections = 4096

const nodeServer = (guard: Guard, { headersMs, requestMs }: RequestTimeouts) => {
  const server = new GuardedServer(
    {
      maxHeaderSize,
      // A client that sends a header now and then does not delay the stop.
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: headersMs / 8,
      keepAliveTimeout: 10_000,
      // An upgraded connection would leave the guard and every timeout.
      shouldUpgradeCallback: () => false,
      requireHostHeader: false // refused in `RequestPipeline`, with a problem
    },
    guard
  )
  server.maxConnections = maxConnections
  return (
    server
      // A client that reads nothing for this long loses its response, which frees its slot.
      .setTimeout(stalledAfter)
      .on("clientError", rejectMalformed)
      .on("connect", rejectConnect)
      .on("checkExpectation", (request, response) => server.emit("request", request, response))
  )
}

/** Listens. The finalizer of the server waits for requests in progress, `drainMs` at most. */
export const listen = ({
  capacity,
  connections,
  host,
  minimumReadRate,
  port,
  requestTimeouts = standardTimeouts
}: ListenOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { refusalReason } = yield* LoadShedder
      const { watch } = yield* SlowReaders
      const { begin: stop } = yield* ShutdownSignal
      const { serve } = yield* FastPath
      const admit = connections === undefined ? () => true : yield* makeConnectionSlots(connections)
      return NodeHttpServer.layer(() => nodeServer({ admit, refusalReason, serve, stop, watch }, requestTimeouts), {
        host,
        port,
        gracefulShutdownTimeout: drainMs
      })
    })
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(LoadShedder.layer(capacity), FastPath.layer, ShutdownSignal.layer)),
    Layer.provide(SlowReaders.layer(minimumReadRate))
  )

/** A span contains the whole URL, in which only `apiKey` is known to be a secret. */
const untraced = Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => holdsStrayKey(url))

/** The server, whose requests begin in a context without the services of this program. */
const narrowServer = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, (server) =>
    HttpServer.make({
      address: server.address,
      serve: (app, middleware) =>
        Effect.updateContext(
          middleware === undefined ? server.serve(app) : server.serve(app, middleware),
          withoutOwnServices<Scope.Scope>
        )
    })
  )
)

const serveRoutes = <E, R>(all: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(all, {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { maxParamLength: 8192, caseSensitive: true, ignoreDuplicateSlashes: false }
  }).pipe(Layer.provide(narrowServer), Layer.provide(untraced))

export const serve = <R>(examples: ServiceExamples, limits: Limits, accountPages: Routes<R>) =>
  serveRoutes(routes(examples, limits, accountPages))

/**
 * Rejects every request that is not about the instance itself, if the instance does not have the role of an API server.
 */
const withoutApi = Layer.unwrap(
  Effect.map(Instance, (instance) =>
    HttpRouter.add(
      "*",
      "/*",
      Effect.map(instance.status, ({ roles }) => {
        const detail = `This instance has the roles "${roles.join(", ")}" and answers no callers: ask one with the role "api".`
        return problemResponse(new NotReady({ retryAfterMs: 5000, detail }))
      })
    )
  )
)

/** The routes of an instance without the API role: its health and status. */
export const serveStatus = (limits: Limits) =>
  serveRoutes(
    Layer.merge(checkRoutes(StatusRoutes.layer), checkRoutes(withoutApi)).pipe(
      Layer.provide(RequestPipeline.layer),
      Layer.provide([UnauthenticatedRequests.layer(limits), ResponseCache.layer])
    )
  )
