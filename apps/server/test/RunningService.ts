import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, DateTime, Effect, Layer, Logger, Option, Redacted, References, Tracer } from "effect"
import { Headers, HttpServer, UrlParams } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { CallerAddress } from "../src/auth/CallerAddress.ts"
import { ApiKeys } from "../src/auth/keys/ApiKeys.ts"
import type { ApiKeyRow } from "../src/auth/keys/ApiKeyStore.ts"
import { ApiKeyStore } from "../src/auth/keys/ApiKeyStore.ts"
import type { Limits } from "../src/auth/limits/Plans.ts"
import { Usage } from "../src/auth/usage/Usage.ts"
import type { UsageAddition } from "../src/auth/usage/UsageStore.ts"
import { UsageStore } from "../src/auth/usage/UsageStore.ts"
import { FastPath } from "../src/http/cache/FastPath.ts"
import type { ListenOptions } from "../src/http/HttpServer.ts"
import { listen, serve } from "../src/http/HttpServer.ts"
import type { ConfigFile } from "../src/program/Config.ts"
import { RedisLink } from "../src/store/RedisLink.ts"
import type { Call } from "./HttpCall.ts"
import { call } from "./HttpCall.ts"
import { domainOf } from "./NoSources.ts"

export const key = "chaintape_test-key-of-the-running-service"

/** A valid key of the service's own format. */
export const wellFormedKey = "chaintape_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZaaaaaa"

/** Valid for the operations of blocks only. */
export const limitedKey = "chaintape_a-key-for-blocks-alone"

/** Keys in memory: one valid, one revoked, one expired. */
export const unusableKeys = { revoked: "chaintape_a-key-that-was-revoked", expired: "chaintape_a-key-that-expired" }

export const storeInMemory = Layer.sync(ApiKeyStore, () => {
  const rows = new Map<string, ApiKeyRow & { readonly name: string }>()
  return ApiKeyStore.of({
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id))),
    replaceByName: ({ digest, id, name }) =>
      Effect.sync(() => {
        const expiresAt = name === "expired" ? DateTime.makeUnsafe(0) : null
        const scopes: ApiKeyRow["scopes"] = name === "limited" ? ["blocks"] : null
        rows.set(id, { id, digest, name, isActive: name !== "revoked", expiresAt, scopes, plan: null })
      }),
    hasName: (name) => Effect.sync(() => [...rows.values()].some((row) => row.name === name)),
    check: Effect.void
  })
})

/** The usage of keys, in memory. */
export const usageInMemory = Layer.sync(UsageStore, () => {
  const rows: Array<UsageAddition> = []
  return UsageStore.of({
    add: (added) => Effect.sync(() => void rows.push(...added)),
    since: (keys, day) => Effect.sync(() => rows.filter((row) => row.day >= day && keys.includes(row.key))),
    operationsSince: (keys, day) => Effect.sync(() => rows.filter((row) => row.day >= day && keys.includes(row.key)))
  })
})

/** A service on a free port, over sources chosen by the test. */
export class RunningService extends Context.Service<
  RunningService,
  {
    readonly origin: string
    /** Everything that the service has logged, with annotations. */
    readonly log: ReadonlyArray<string>
    /** The first spans of the service in their current state, if it is `traced`. They hold whole responses. */
    readonly spans: ReadonlyArray<Tracer.NativeSpan>
  }
>()("@chaintape/server/test/RunningService") {
  /** `overrides` replace the layers that the configuration would build. */
  static readonly layer = <A = never, E = never>(options: {
    readonly config: ConfigFile
    readonly limits?: Limits
    readonly proxies?: ReadonlyArray<string>
    readonly listening?: Omit<ListenOptions, "host" | "port">
    readonly overrides?: Layer.Layer<A, E>
    readonly traced?: boolean
    /** Redis, if the limits are shared. */
    readonly redis?: Layer.Layer<RedisLink>
    /** Whether each request takes the full pipeline. */
    readonly isUncached?: boolean
  }) =>
    Layer.effect(
      RunningService,
      Effect.gen(function* () {
        const log: Array<string> = []
        const spans: Array<Tracer.NativeSpan> = []
        const tracer = options.traced === true ? recordedIn(spans) : Layer.empty
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        const keys = Layer.mergeAll(ApiKeys.layer, Usage.layer).pipe(
          Layer.provideMerge(Layer.mergeAll(storeInMemory, usageInMemory, options.redis ?? RedisLink.layerNone))
        )
        const world = Layer.merge(domainOf(options.config), options.overrides ?? Layer.empty)
        const server = serve(
          { path: "/v2/cex/exchanges", parameters: new Map() },
          options.limits ?? generous,
          Layer.empty
        ).pipe(
          Layer.provide(world),
          Layer.provide(options.isUncached === true ? neverRegistered : Layer.empty),
          Layer.provide(CallerAddress.layer(options.proxies)),
          Layer.provideMerge(keys),
          Layer.provideMerge(listen({ host: "127.0.0.1", port: 0, ...options.listening })),
          Layer.provide(redacted),
          Layer.provide([logger, tracer]),
          Layer.provide(NodeServices.layer)
        )
        const built = yield* Layer.build(server)
        yield* Effect.gen(function* () {
          const { install } = yield* ApiKeys
          for (const [name, text] of Object.entries({
            good: key,
            formed: wellFormedKey,
            limited: limitedKey,
            ...unusableKeys
          }))
            yield* install(name, Redacted.make(text))
        }).pipe(Effect.provideContext(built))
        const origin = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
        return RunningService.of({ origin, log, spans })
      })
    )
}

/** The server keeps its own, with which nothing is registered. */
const neverRegistered = Layer.succeed(FastPath, { serve: () => "passed", register: () => Effect.void })

const maxSpans = 5000

const recordedIn = (spans: Array<Tracer.NativeSpan>) =>
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        // Only the first ones: some tests send very many requests.
        const span = new Tracer.NativeSpan({ ...options, sampled: spans.length < maxSpans })
        if (span.sampled) spans.push(span)
        return span
      }
    })
  )

/** Large enough that no test reaches it by accident. */
const boundless = { burst: 1_000_000, perSecond: 100_000 }
export const generous: Limits = {
  plans: { default: boundless },
  address: boundless,
  wrongKeys: boundless,
  withoutKey: boundless,
  connectionsPerAddress: 4096,
  subscribers: 2000
}

const redacted = Layer.mergeAll(
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey"])
  ),
  Layer.effect(
    Headers.CurrentRedactedNames,
    Effect.map(Headers.CurrentRedactedNames, (names) => [...names, "api-key"])
  ),
  Layer.succeed(References.MinimumLogLevel, "All")
)

/** A request with the valid key in its header. */
export const keyed = (request: string | Call) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const { headers, ...rest } = typeof request === "string" ? { path: request } : request
    return yield* call(origin, { ...rest, headers: { "api-key": key, ...headers } })
  })

/** A request without additions. */
export const plain = (request: string | Call) =>
  Effect.flatMap(RunningService, ({ origin }) =>
    call(origin, typeof request === "string" ? { path: request } : request)
  )

/** The metrics of this process, and so of all services that the tests of a file run. */
export const metrics = PrometheusMetrics.format()
