import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Option } from "effect"
import { HttpMiddleware, HttpRouter, HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { isPortInUse } from "../internal/process/PortInUse.ts"

export interface MetricsAddress {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
}

/** One Prometheus keeps one connection. */
const maxConnections = 16

const nodeServer = () => {
  const server = createServer({
    headersTimeout: 5000,
    requestTimeout: 5000,
    keepAliveTimeout: 5000,
    // An upgraded connection would leave every timeout.
    shouldUpgradeCallback: () => false
  })
  server.maxConnections = maxConnections
  return server.setTimeout(10_000)
}

const toWarning = ({ host, port }: MetricsAddress, cause: unknown): string =>
  isPortInUse(cause)
    ? `The metrics are not served: port ${port} of ${host} is in use. Set METRICS_PORT to another port (0 takes any free one).`
    : `The metrics are not served: METRICS_HOST and METRICS_PORT (${host}, ${port}) cannot be listened on: ${String(cause)}`

/**
 * The metrics, for Prometheus, on a listener of their own: they name keys, and their cost grows with the number of
 * series, so that callers of the service must not reach them. A listener that fails is a warning: the service runs
 * without it.
 */
export class MetricsListener extends Context.Service<
  MetricsListener,
  {
    /** Where `/metrics` is; none if the listener failed. */
    readonly origin: Option.Option<string>
  }
>()("@chaintape/server/observability/MetricsListener") {
  static readonly layer = (address: MetricsAddress): Layer.Layer<MetricsListener> => {
    const server = NodeHttpServer.layer(nodeServer, { ...address, gracefulShutdownTimeout: "1 second" })
    const served = HttpRouter.serve(PrometheusMetrics.layerHttp({ path: "/metrics" }), {
      disableLogger: true,
      disableListenLog: true
    }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))
    const listening = Layer.effect(
      MetricsListener,
      Effect.gen(function* () {
        const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
        yield* Effect.logInfo(`The metrics are served at ${origin}/metrics.`)
        return MetricsListener.of({ origin: Option.some(origin) })
      })
    )
    // A served router is one of its layer's services: it would become the router of the service as well, with its routes.
    const isolated = Layer.effectDiscard(Layer.build(served))
    return Layer.merge(listening, isolated).pipe(
      Layer.provide(server),
      Layer.catchTag("ServeError", ({ cause }) =>
        Layer.effect(
          MetricsListener,
          Effect.as(Effect.logWarning(toWarning(address, cause)), MetricsListener.of({ origin: Option.none() }))
        )
      )
    )
  }
}
