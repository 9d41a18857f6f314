import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, ConfigProvider, Effect, Layer, Option, Random, Schema, Tracer } from "effect"
import { HttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import { makeSamplingTracer, samplers } from "./Sampling.ts"

const text = (name: string) => Config.option(Config.String(name))

const address = (name: string) =>
  Config.schema(
    Schema.String.check(
      Schema.isPattern(/^https?:\/\/\S+$/u, { expected: "an address that begins with http:// or https://" })
    ),
    name
  ).pipe(Config.option)

const signals = ["TRACES", "LOGS", "METRICS"] as const

const settings = Config.all({
  endpoint: address("OTEL_EXPORTER_OTLP_ENDPOINT"),
  ofSignals: Config.all(signals.map((signal) => address(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`))),
  protocol: text("OTEL_EXPORTER_OTLP_PROTOCOL"),
  sampler: Config.schema(
    Schema.Literals(samplers).annotate({ expected: `one of ${samplers.join(", ")}` }),
    "OTEL_TRACES_SAMPLER"
  ).pipe(Config.option),
  ratio: Config.schema(
    Schema.String.check(
      Schema.isPattern(/^(?:[01]|[01]\.0*|0?\.\d+)$/u, { expected: "a number from 0 to 1, such as 0.1" })
    ),
    "OTEL_TRACES_SAMPLER_ARG"
  ).pipe(Config.option),
  service: text("OTEL_SERVICE_NAME"),
  resource: text("OTEL_RESOURCE_ATTRIBUTES")
})

/** As in the OpenTelemetry specification: signals with an endpoint are exported, unless an exporter is named. */
const defaults = Layer.effect(
  ConfigProvider.ConfigProvider,
  Effect.map(ConfigProvider.ConfigProvider, (given) =>
    ConfigProvider.orElse(
      given,
      ConfigProvider.fromEnv({ env: Object.fromEntries(signals.map((signal) => [`OTEL_${signal}_EXPORTER`, "otlp"])) })
    )
  )
)

/**
 * Sends traces, logs and metrics to the collector that the OpenTelemetry variables of the environment name. Without an
 * endpoint nothing is collected.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { endpoint, ofSignals, protocol, ratio, resource, sampler, service } = yield* settings
    if (Option.isNone(endpoint) && ofSignals.every(Option.isNone)) return Layer.empty
    const isNamed = Option.isSome(service) || Option.exists(resource, (list) => list.includes("service.name="))
    const exporters = Otlp.layerFromConfig(isNamed ? {} : { resource: { serviceName: "chaintape" } }).pipe(
      Layer.provide(
        Option.getOrElse(protocol, () => "") === "http/json"
          ? OtlpSerialization.layerJson
          : OtlpSerialization.layerProtobuf
      ),
      Layer.provide(NodeHttpClient.layerUndici),
      Layer.provide(defaults)
    )
    if (Option.isNone(sampler)) return exporters
    const share = Number(Option.getOrElse(ratio, () => "1"))
    return Layer.effect(
      Tracer.Tracer,
      Effect.gen(function* () {
        const random = yield* Random.Random
        return makeSamplingTracer(yield* Tracer.Tracer, {
          sampler: sampler.value,
          ratio: share,
          random: () => random.nextDoubleUnsafe()
        })
      })
    ).pipe(Layer.provideMerge(exporters))
  })
)

/**
 * Requests sent by the service are not traced: the URL of a node or a subgraph may contain a key, and upstreams do not
 * need our trace ids.
 */
export const untracedRequests = Layer.succeed(HttpClient.TracerDisabledWhen, () => true)
