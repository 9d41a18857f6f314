import { Api } from "@chaintape/core/api/Api"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { KeptAnswers } from "../answers/KeptAnswers.ts"
import { BlocksHandlers } from "../blocks/BlocksHandlers.ts"
import { CexHandlers } from "../cex/CexHandlers.ts"
import { DexHandlers } from "../dex/DexHandlers.ts"
import * as KeyAuthorization from "../keys/KeyAuthorization.ts"
import { KeylessRequests } from "../keys/KeylessRequests.ts"
import type { Limits } from "../keys/Plans.ts"
import * as RateLimits from "../keys/RateLimits.ts"
import { WrongKeys } from "../keys/WrongKeys.ts"
import * as StatusRoutes from "../observability/StatusRoutes.ts"
import { accountTemplateOf } from "../pages/AccountPaths.ts"
import { problemPages } from "../pages/ProblemPages.ts"
import * as SandboxRoutes from "../pages/SandboxRoutes.ts"
import type { Capacity } from "./Admission.ts"
import { Admission } from "./Admission.ts"
import * as AnsweredAgain from "./AnsweredAgain.ts"
import * as Answering from "./Answering.ts"
import type { ConnectionLimit } from "./ConnectionPlaces.ts"
import { makeConnectionPlaces } from "./ConnectionPlaces.ts"
import * as Documentation from "./Documentation.ts"
import type { Guard } from "./GuardedServer.ts"
import { GuardedServer } from "./GuardedServer.ts"
import * as LiveRoutes from "./LiveRoutes.ts"
import { answerConnect, answerMalformed } from "./MalformedRequests.ts"
import * as ParameterCheck from "./ParameterCheck.ts"
import { holdsStrayKey } from "./RequestTarget.ts"
import { pages } from "./RouteTemplates.ts"
import { Shortcut } from "./Shortcut.ts"
import type { Pace } from "./SlowReaders.ts"
import { SlowReaders } from "./SlowReaders.ts"
import { Stopping } from "./Stopping.ts"
import { SystemHandlers } from "./SystemHandlers.ts"
import * as WithoutApi from "./WithoutApi.ts"

export interface ListenOptions {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  readonly capacity?: Capacity
  /** Without it one address may hold all connections. */
  readonly connections?: ConnectionLimit
  readonly pace?: Pace
  readonly slowest?: Slowest
}

/** How long a request may take to arrive, its headers and all of it. */
export interface Slowest {
  readonly headersMs: number
  readonly requestMs: number
}

const standardSlowest: Slowest = { headersMs: 15_000, requestMs: 30_000 }

const isPage = (path: string) => pages.includes(path) || problemPages.has(path) || accountTemplateOf(path) !== undefined

/** Everything that the service answers. `example` is the path of an operation that works. */
const routes = <R>(example: string, limits: Limits, accountPages: Routes<R>) =>
  Layer.mergeAll(
    Layer.mergeAll(
      HttpApiBuilder.layer(Api).pipe(Layer.provide([SystemHandlers, CexHandlers, DexHandlers, BlocksHandlers])),
      LiveRoutes.layer(limits.subscribers),
      AnsweredAgain.layer
    ).pipe(
      Layer.provide([
        ParameterCheck.layer,
        KeyAuthorization.layerScope,
        RateLimits.layer(limits),
        KeyAuthorization.layer
      ]),
      Layer.provide(WrongKeys.layer(limits.wrongKeys))
    ),
    Documentation.layer(example),
    StatusRoutes.layer,
    SandboxRoutes.layer,
    accountPages
  ).pipe(
    Layer.provide(Answering.layer(isPage)),
    Layer.provide([KeylessRequests.layer(limits.withoutKey), KeptAnswers.layer])
  )

/** Much larger than what `Answering` accepts: it alone knows whether the URL or the headers are too large. */
const maxHeaderSize = 256 * 1024

const stalledAfter = 60_000

/** A connection beyond these is closed at once. */
const mostConnections = 4096

const nodeServer = (guard: Guard, { headersMs, requestMs }: Slowest) => {
  const server = new GuardedServer(
    {
      maxHeaderSize,
      // A caller who sends a header now and then is not waited for.
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: headersMs / 8,
      keepAliveTimeout: 10_000,
      requireHostHeader: false // refused in `Answering`, with a problem
    },
    guard
  )
  server.maxConnections = mostConnections
  return (
    server
      // A reader who takes nothing for so long gives up its answer, and the place that the answer holds.
      .setTimeout(stalledAfter)
      .on("clientError", answerMalformed)
      .on("connect", answerConnect)
      .on("checkExpectation", (request, response) => server.emit("request", request, response))
  )
}

/** Listens; what runs when it stops may take ten seconds to end. */
export const listen = ({ capacity, connections, host, pace, port, slowest = standardSlowest }: ListenOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { obstacle } = yield* Admission
      const { watch } = yield* SlowReaders
      const { begin: stop } = yield* Stopping
      const { answer } = yield* Shortcut
      const admit = connections === undefined ? () => true : yield* makeConnectionPlaces(connections)
      return NodeHttpServer.layer(() => nodeServer({ admit, answer, obstacle, stop, watch }, slowest), {
        host,
        port,
        gracefulShutdownTimeout: "10 seconds"
      })
    })
  ).pipe(
    Layer.provideMerge(Layer.mergeAll(Admission.layer(capacity), Shortcut.layer, Stopping.layer)),
    Layer.provide(SlowReaders.layer(pace))
  )

type Routes<R> = Layer.Layer<never, never, R>

/** `accountPages` are there where accounts are kept. */
/** A span tells the whole URL, in which only `apiKey` is known to be a secret. */
const untraced = Layer.succeed(HttpMiddleware.TracerDisabledWhen, ({ url }) => holdsStrayKey(url))

const served = <E, R>(all: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(all, {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { maxParamLength: 8192, caseSensitive: true, ignoreDuplicateSlashes: false }
  }).pipe(Layer.provide(untraced))

export const serve = <R = never>(example: string, limits: Limits, accountPages: Routes<R> = Layer.empty) =>
  served(routes(example, limits, accountPages))

/** What an instance answers that is not there for callers: how it is doing. */
export const serveStatus = (limits: Limits) =>
  served(
    Layer.merge(StatusRoutes.layer, WithoutApi.layer).pipe(
      Layer.provide(Answering.layer(isPage)),
      Layer.provide([KeylessRequests.layer(limits.withoutKey), KeptAnswers.layer])
    )
  )
