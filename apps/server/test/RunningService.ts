import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, DateTime, Effect, Layer, Logger, Option, Redacted, References, Tracer } from "effect"
import { Headers, HttpServer, UrlParams } from "effect/http"
import { domain } from "../src/App.ts"
import type { ConfigFile } from "../src/Config.ts"
import * as ClientAddress from "../src/http/ClientAddress.ts"
import type { ListenOptions } from "../src/http/HttpServer.ts"
import { listen, serve } from "../src/http/HttpServer.ts"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import type { ApiKeyRow } from "../src/keys/ApiKeyStore.ts"
import { ApiKeyStore } from "../src/keys/ApiKeyStore.ts"
import type { Limits } from "../src/keys/Plans.ts"
import { Usage } from "../src/keys/Usage.ts"
import type { UsageAddition } from "../src/keys/UsageStore.ts"
import { UsageStore } from "../src/keys/UsageStore.ts"
import { RedisLink } from "../src/store/RedisLink.ts"
import type { Call } from "./HttpCall.ts"
import { call } from "./HttpCall.ts"

export const key = "chaintape_test-key-of-the-running-service"

/** Good, and of the form that the service gives its keys. */
export const wellFormedKey = "chaintape_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZaaaaaa"

/** Good for the operations of blocks alone. */
export const limitedKey = "chaintape_a-key-for-blocks-alone"

/** Keys in memory: one that is good, one that is revoked, one that is expired. */
export const unusableKeys = { revoked: "chaintape_a-key-that-was-revoked", expired: "chaintape_a-key-that-expired" }

export const storeInMemory = Layer.sync(ApiKeyStore, () => {
  const rows = new Map<string, ApiKeyRow & { readonly name: string }>()
  return ApiKeyStore.of({
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id))),
    replaceByName: ({ digest, id, name }) =>
      Effect.sync(() => {
        const expiresAt = name === "expired" ? DateTime.makeUnsafe(0) : null
        const scopes = name === "limited" ? ["blocks"] : null
        rows.set(id, { id, digest, name, live: name !== "revoked", expiresAt, scopes, plan: null })
      }),
    hasName: (name) => Effect.sync(() => [...rows.values()].some((row) => row.name === name)),
    check: Effect.void
  })
})

/** The use of keys, in memory. */
export const usageInMemory = Layer.sync(UsageStore, () => {
  const rows: Array<UsageAddition> = []
  return UsageStore.of({
    add: (added) => Effect.sync(() => void rows.push(...added)),
    since: (keys, day) => Effect.sync(() => rows.filter((row) => row.day >= day && keys.includes(row.key)))
  })
})

/** A service on a free port, over sources that the test chooses. */
export class RunningService extends Context.Service<
  RunningService,
  {
    readonly origin: string
    /** Everything that the service has logged, with its annotations. */
    readonly log: ReadonlyArray<string>
    /** The first spans that it has begun, as they are now, where it is `traced`. They hold whole answers. */
    readonly spans: ReadonlyArray<Tracer.NativeSpan>
  }
>()("@chaintape/server/test/RunningService") {
  /** `overrides` take the place of what the configuration would build. */
  static readonly layer = <A = never, E = never>(options: {
    readonly config: ConfigFile
    readonly limits?: Limits
    readonly proxies?: ReadonlyArray<string>
    readonly listening?: Omit<ListenOptions, "host" | "port">
    readonly overrides?: Layer.Layer<A, E>
    readonly traced?: boolean
  }) =>
    Layer.effect(
      RunningService,
      Effect.gen(function* () {
        const log: Array<string> = []
        const spans: Array<Tracer.NativeSpan> = []
        const tracer = options.traced === true ? recordedIn(spans) : Layer.empty
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        const keys = Layer.mergeAll(ApiKeys.layer, Usage.layer).pipe(
          Layer.provideMerge(Layer.mergeAll(storeInMemory, usageInMemory, RedisLink.layerNone))
        )
        const world = Layer.merge(domain(options.config), options.overrides ?? Layer.empty)
        const server = serve("/v2/cex/exchanges", options.limits ?? generous).pipe(
          Layer.provide(world),
          Layer.provide(ClientAddress.layer(options.proxies)),
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

const mostSpans = 5000

const recordedIn = (spans: Array<Tracer.NativeSpan>) =>
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        // Only the first ones: some tests make very many requests.
        const span = new Tracer.NativeSpan({ ...options, sampled: spans.length < mostSpans })
        if (span.sampled) spans.push(span)
        return span
      }
    })
  )

/** So large that no test meets it by accident. */
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

/** A request with the good key in its header. */
export const keyed = (request: string | Call) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const { headers, ...rest } = typeof request === "string" ? { path: request } : request
    return yield* call(origin, { ...rest, headers: { "api-key": key, ...headers } })
  })

/** A request as it stands. */
export const plain = (request: string | Call) =>
  Effect.flatMap(RunningService, ({ origin }) =>
    call(origin, typeof request === "string" ? { path: request } : request)
  )
