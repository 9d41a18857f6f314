import { createServer } from "node:http"
import { Api } from "@chaintape/core/api/Api"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { BlocksHandlers } from "../blocks/BlocksHandlers.ts"
import { CexHandlers } from "../cex/CexHandlers.ts"
import { DexHandlers } from "../dex/DexHandlers.ts"
import * as KeyAuthorization from "../keys/KeyAuthorization.ts"
import * as RateLimits from "../keys/RateLimits.ts"
import * as StatusRoutes from "../observability/StatusRoutes.ts"
import { problemPages } from "../pages/ProblemPages.ts"
import * as Answering from "./Answering.ts"
import * as Documentation from "./Documentation.ts"
import { answerConnect, answerMalformed } from "./MalformedRequests.ts"
import * as ParameterCheck from "./ParameterCheck.ts"
import { pages } from "./RouteTemplates.ts"
import { SystemHandlers } from "./SystemHandlers.ts"

export interface ListenOptions {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
}

const isPage = (path: string) => pages.includes(path) || problemPages.has(path)

/** Everything that the service answers. `example` is the path of an operation that works. */
const routes = (example: string, plan: RateLimits.Plan = RateLimits.standardPlan) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide([SystemHandlers, CexHandlers, DexHandlers, BlocksHandlers]),
      Layer.provide([ParameterCheck.layer, RateLimits.layer(plan), KeyAuthorization.layer])
    ),
    Documentation.layer(example),
    StatusRoutes.layer
  ).pipe(Layer.provide(Answering.layer(isPage)))

/** Much larger than what `Answering` accepts: it alone knows whether the URL or the headers are too large. */
const maxHeaderSize = 256 * 1024

const nodeServer = () => {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 10_000,
    requireHostHeader: false // refused in `Answering`, with a problem
  })
  return (
    server
      // A connection that was busy when the service began to stop would hold it up for as long as it is kept alive.
      .on("request", (_request, response) =>
        response.on("close", () => server.listening || server.closeIdleConnections())
      )
      .on("clientError", answerMalformed)
      .on("connect", answerConnect)
      .on("checkExpectation", (request, response) => server.emit("request", request, response))
  )
}

/** Listens; what runs when it stops may take ten seconds to end. */
export const listen = ({ host, port }: ListenOptions) =>
  NodeHttpServer.layer(nodeServer, { host, port, gracefulShutdownTimeout: "10 seconds" })

export const serve = (example: string, plan: RateLimits.Plan = RateLimits.standardPlan) =>
  HttpRouter.serve(routes(example, plan), {
    disableLogger: true,
    disableListenLog: true,
    routerConfig: { maxParamLength: 8192, caseSensitive: true, ignoreDuplicateSlashes: false }
  })
