import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Operations from "../../src/api/CexOperations.ts"
import { Client } from "../../src/client/Client.ts"

interface Fetched {
  readonly url: string
  readonly headers: Headers
}

const fetched = (env: Record<string, string>, options?: Parameters<typeof Client.layerConfig>[0]) => {
  const requests: Array<Fetched> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push({ url: String(input), headers: new Headers(init?.headers) })
    return Response.json([])
  }
  const layer = Client.layerConfig(options).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))))
  return Client.pipe(
    Effect.flatMap(({ call }) => call(Operations.exchanges, {})),
    Effect.provide(layer),
    Effect.provideService(FetchHttpClient.Fetch, fetch),
    Effect.map(() => requests)
  )
}

describe("Client.layerConfig", () => {
  it.effect("reads the address and the key", () =>
    Effect.gen(function* () {
      const [request] = yield* fetched({ CHAINTAPE_BASE_URL: "http://stub.test/tape", CHAINTAPE_API_KEY: "canary" })
      assert.strictEqual(request?.url, "http://stub.test/tape/v2/cex/exchanges")
      assert.strictEqual(request?.headers.get("api-key"), "canary")
    })
  )

  it.effect("needs no key", () =>
    Effect.gen(function* () {
      const [request] = yield* fetched({ CHAINTAPE_BASE_URL: "http://stub.test" })
      assert.strictEqual(request?.url, "http://stub.test/v2/cex/exchanges")
      assert.isFalse(request?.headers.has("api-key"))
    })
  )

  it.effect.each(["", " \n"])("takes an empty variable for an absent one: %j", (empty) =>
    Effect.gen(function* () {
      const [request] = yield* fetched({ CHAINTAPE_BASE_URL: "http://stub.test", CHAINTAPE_API_KEY: empty })
      assert.isFalse(request?.headers.has("api-key"))
      const error = yield* Effect.flip(fetched({ CHAINTAPE_BASE_URL: empty }))
      assert.include(error.message, "CHAINTAPE_BASE_URL is not set")
    })
  )

  it.effect("reads an undefined address from the environment, and takes an undefined key for none", () =>
    Effect.gen(function* () {
      const env = { CHAINTAPE_BASE_URL: "http://stub.test", CHAINTAPE_API_KEY: "canary" }
      const [request] = yield* fetched(env, { baseUrl: undefined, apiKey: undefined })
      assert.strictEqual(request?.url, "http://stub.test/v2/cex/exchanges")
      assert.isFalse(request?.headers.has("api-key"))
    })
  )

  it.effect("takes each option as a value", () =>
    Effect.gen(function* () {
      const [request] = yield* fetched(
        { CHAINTAPE_BASE_URL: "http://other.test", CHAINTAPE_API_KEY: "other" },
        { baseUrl: "http://stub.test", apiKey: Redacted.make("canary"), apiKeyLocation: "query" }
      )
      assert.strictEqual(request?.url, "http://stub.test/v2/cex/exchanges?apiKey=canary")
      assert.isFalse(request?.headers.has("api-key"))
    })
  )

  it.effect("takes each option as a Config", () =>
    Effect.gen(function* () {
      const [request] = yield* fetched(
        { TAPE: "http://stub.test", TAPE_KEY: "canary" },
        { baseUrl: Config.String("TAPE"), apiKey: Config.Redacted("TAPE_KEY") }
      )
      assert.strictEqual(request?.url, "http://stub.test/v2/cex/exchanges")
      assert.strictEqual(request?.headers.get("api-key"), "canary")
    })
  )

  it.effect.each([
    [
      { baseUrl: Config.String("TAPE") },
      { TAPE: "localhost:3000" },
      'baseUrl is "localhost:3000": it must be an address'
    ],
    [{ apiKey: Config.Redacted("TAPE_KEY") }, { TAPE_KEY: " " }, "apiKey is empty"],
    [{ apiKey: Config.Redacted("TAPE_KEY") }, { TAPE_KEY: "canary–key" }, "apiKey has a character that no header"],
    [{}, { CHAINTAPE_API_KEY: "canary\nkey" }, "CHAINTAPE_API_KEY has a character that no header can carry"],
    [{ retry: { attempts: Number.NaN } }, {}, "attempts is"]
  ] as const)("fails with a wrong option: %o", ([options, env, message]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(fetched({ CHAINTAPE_BASE_URL: "http://stub.test", ...env }, options))
      assert.strictEqual(error._tag, "ConfigError")
      assert.include(error.message, message)
      assert.notInclude(inspect(error, { depth: 20 }), "canary")
    })
  )

  it.effect.each([
    {},
    { CHAINTAPE_BASE_URL: "not a URL" },
    { CHAINTAPE_BASE_URL: "localhost:3000" },
    { CHAINTAPE_BASE_URL: "http://stub.test/?tape=1" },
    { CHAINTAPE_BASE_URL: "http://stub.test/#tape" }
  ])("fails without a usable address: %o", (env) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(fetched(env))
      assert.strictEqual(error._tag, "ConfigError")
      assert.include(error.message, "CHAINTAPE_BASE_URL")
    })
  )
})
