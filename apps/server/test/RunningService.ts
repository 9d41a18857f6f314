import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Duration, Effect, Layer, Logger, Option, Redacted, References } from "effect"
import { Headers, HttpServer, UrlParams } from "effect/http"
import { domain } from "../src/App.ts"
import type { ConfigFile } from "../src/Config.ts"
import { listen, serve } from "../src/http/HttpServer.ts"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import type { ApiKeyRow } from "../src/keys/ApiKeyStore.ts"
import { ApiKeyStore } from "../src/keys/ApiKeyStore.ts"
import type { Plan } from "../src/keys/RateLimits.ts"
import type { Call } from "./HttpCall.ts"
import { call } from "./HttpCall.ts"

export const key = "chaintape_test-key-of-the-running-service"

/** Keys in memory: one that is good, one that is revoked, one that is expired. */
export const unusableKeys = { revoked: "chaintape_a-key-that-was-revoked", expired: "chaintape_a-key-that-expired" }

export const storeInMemory = Layer.sync(ApiKeyStore, () => {
  const rows = new Map<string, ApiKeyRow>()
  return ApiKeyStore.of({
    find: (id) => Effect.sync(() => Option.fromUndefinedOr(rows.get(id))),
    replaceByName: ({ digest, id, name }) =>
      Effect.sync(() => {
        rows.set(id, { id, digest, name, usable: !(name in unusableKeys) })
      }),
    hasName: (name) => Effect.sync(() => [...rows.values()].some((row) => row.name === name)),
    check: Effect.void
  })
})

/** A service on a free port, over sources that the test chooses. */
export class RunningService extends Context.Service<
  RunningService,
  {
    readonly origin: string
    /** Everything that the service has logged, with its annotations. */
    readonly log: ReadonlyArray<string>
  }
>()("@chaintape/server/test/RunningService") {
  /** `overrides` take the place of what the configuration would build. */
  static readonly layer = <A = never, E = never>(options: {
    readonly config: ConfigFile
    readonly plan?: Plan
    readonly overrides?: Layer.Layer<A, E>
  }) =>
    Layer.effect(
      RunningService,
      Effect.gen(function* () {
        const log: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        const keys = ApiKeys.layer.pipe(Layer.provideMerge(storeInMemory))
        const world = Layer.merge(domain(options.config), options.overrides ?? Layer.empty)
        const server = serve("/v2/cex/exchanges", options.plan ?? generous).pipe(
          Layer.provide(world),
          Layer.provideMerge(keys),
          Layer.provideMerge(listen({ host: "127.0.0.1", port: 0 })),
          Layer.provide(redacted),
          Layer.provide(logger),
          Layer.provide(NodeServices.layer)
        )
        const built = yield* Layer.build(server)
        yield* Effect.gen(function* () {
          const { install } = yield* ApiKeys
          for (const [name, text] of Object.entries({ good: key, ...unusableKeys }))
            yield* install(name, Redacted.make(text))
        }).pipe(Effect.provideContext(built))
        const origin = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
        return RunningService.of({ origin, log })
      })
    )
}

/** So large that no test meets it by accident. */
const generous: Plan = { name: "default", quota: 1_000_000, window: Duration.seconds(10) }

const redacted = Layer.mergeAll(
  Layer.effect(
    UrlParams.CurrentRedactedNames,
    Effect.map(UrlParams.CurrentRedactedNames, (names) => [...names, "apiKey"])
  ),
  Layer.effect(
    Headers.CurrentRedactedNames,
    Effect.map(Headers.CurrentRedactedNames, (names) => [...names, "api-key"])
  ),
  Layer.succeed(References.MinimumLogLevel, "Debug")
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
