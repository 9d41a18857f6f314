import { inspect } from "node:util"
import { Client, Market, PoolAddress, TokenAddress } from "@chaintape/core"
import { createClient } from "@chaintape/core/promise"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import * as Operations from "../../src/api/CexOperations.ts"
import { json, stubService } from "./StubService.ts"

const baseUrl = "http://stub.test"

/** The options of a program without types. */
const wrongOptions: ReadonlyArray<readonly [name: string, options: object, says: RegExp]> = [
  ["a misspelt key", { apikey: "canary" }, /"apikey" is not an option/],
  ["a misspelt policy", { retry: { atempts: 1 } }, /"atempts" is not an option of retry/],
  ["a policy that is none", { retry: 3 }, /retry is "3"/],
  ["a time that is no number", { retry: { deadline: Number.NaN } }, /deadline is "NaN": it must be milliseconds/],
  ["a negative time", { retry: { attemptTimeout: "-1 seconds" } }, /attemptTimeout is "-1 seconds": it must be/],
  ["an unknown place", { apiKeyLocation: "body" }, /apiKeyLocation is "body"/],
  ["an empty key", { apiKey: Redacted.make("  ") }, /apiKey is empty/],
  ["a key that is not redacted", { apiKey: "canary" }, /apiKey is empty or not redacted/]
]

const unsendable = /^TypeError: apiKey has a character that no header can carry: copy the key again$/

/** Keys that no header can carry. */
const unsendableKeys = [
  "canary\nkey",
  "canary\u0000key",
  "canary\u0001key",
  "canary\u007fkey",
  "canary–key",
  "канарейка"
]

describe("the options of a client", () => {
  it.effect.each(wrongOptions)("are refused before anything is sent: %s", ([, options, says]) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(stubService(() => json([]), options))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(defect, TypeError)
      assert.match(String(defect), says)
    })
  )

  it.effect.each(unsendableKeys)("are refused with a key that no header can carry: %j", (key) =>
    Effect.gen(function* () {
      for (const apiKeyLocation of ["header", "both", undefined] as const) {
        const exit = yield* Effect.exit(stubService(() => json([]), { apiKey: Redacted.make(key), apiKeyLocation }))
        const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.match(String(defect), unsendable)
        assert.notInclude(inspect(defect, { depth: 20, showHidden: true }), key)
        assert.throws(
          () => createClient({ baseUrl, apiKey: key, apiKeyLocation }),
          TypeError,
          /^apiKey has a character/
        )
      }
    })
  )

  it.each([
    "http://me:p@ss@stub.test",
    "http:me:p@ss@stub.test",
    "http:\\\\me:p@ss@stub.test",
    "http:/\t/me:p@ss@stub.test",
    "http://me:p@s\ns@stub.test",
    "http://me@stub.test",
    new URL("http://:p%40ss@stub.test/tape")
  ])("are refused with a password in the address, which is not repeated: %s", (address) => {
    const message = /^baseUrl is "stub\.test[/a-z]*": it must be an address such as \S+ without a password or a query$/
    assert.throws(() => createClient({ baseUrl: address }), TypeError, message)
  })

  it("may have an address with an at sign in its path", () => {
    assert.doesNotThrow(() => createClient({ baseUrl: "http://stub.test/@tape" }))
  })

  it.effect("take any key that a URL can carry, if it is sent in the query", () =>
    Effect.gen(function* () {
      for (const key of unsendableKeys) {
        const options = { apiKey: Redacted.make(key), apiKeyLocation: "query" } as const
        const { client, requests } = yield* stubService(() => json([]), options)
        yield* client.call(Operations.exchanges, {})
        assert.strictEqual(requests[0]?.url.searchParams.get("apiKey"), key)
      }
      const options = { baseUrl, apiKey: "canary\ud800", apiKeyLocation: "query" } as const
      assert.throws(() => createClient(options), TypeError, "apiKey has a character that no URL can carry")
    })
  )

  const wrong: ReadonlyArray<object> = [
    { apikey: "canary" },
    { retry: { atempts: 1 } },
    { apiKey: " " },
    { apiKey: null },
    { apiKey: Redacted.make("canary") },
    { fetch: "node-fetch" }
  ]
  it.each(wrong)("are refused by createClient: %o", (options) => {
    assert.throws(() => createClient({ baseUrl, ...options }), TypeError)
  })

  it.effect("of a call are refused as a wrong parameter is", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json([]))
      const wrong: ReadonlyArray<object> = [
        { retry: { atempts: 1 } },
        { deadlin: 5 },
        { deadline: Number.NaN },
        { deadline: -1 }
      ]
      for (const options of wrong) {
        const error = yield* Effect.flip(client.call(Operations.exchanges, {}, options))
        assert.strictEqual(error._tag, "InvalidParameter")
      }
      assert.lengthOf(requests, 0)
    })
  )
})

describe("a request", () => {
  it.effect("has the key in its header only, without the white space around it", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json([]), { apiKey: Redacted.make(" canary\n") })
      yield* client.call(Operations.exchanges, {})
      assert.deepEqual([requests[0]?.headers["api-key"], requests[0]?.url.search], ["canary", ""])
    })
  )

  const traceHeaders = (call: Effect.Effect<unknown, unknown, Client>) =>
    Effect.gen(function* () {
      const seen: Array<Headers> = []
      const fetch: typeof globalThis.fetch = async (_, init) => {
        seen.push(new Headers(init?.headers))
        return Response.json([])
      }
      yield* call.pipe(Effect.provide(Client.layer({ baseUrl })), Effect.provideService(FetchHttpClient.Fetch, fetch))
      return [seen[0]?.has("traceparent"), seen[0]?.has("b3")]
    })

  it.effect("has trace headers only if the program has a tracer", () =>
    Effect.gen(function* () {
      const call = Effect.flatMap(Client, ({ call }) => call(Operations.exchanges, {}))
      assert.deepEqual(yield* traceHeaders(call), [false, false])
      const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      assert.deepEqual(yield* traceHeaders(Effect.withTracer(call, tracer)), [true, true])
    })
  )
})

describe("the constructors of names", () => {
  const address = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"

  it("take any letter case, and a market with a hyphen", () => {
    assert.deepEqual<ReadonlyArray<string>>([Market.make("btc/usd"), Market.make("BTC-USD")], ["BTC/USD", "BTC/USD"])
    assert.strictEqual<string>(TokenAddress.make(address), address.toLowerCase())
    assert.strictEqual<string>(PoolAddress.make(address), address.toLowerCase())
  })

  it("say what was given and what is wanted", () => {
    assert.throws(() => Market.make("BTCUSD"), TypeError, '"BTCUSD" is not a market: write BASE/QUOTE')
    assert.throws(() => TokenAddress.make("0x12"), TypeError, '"0x12" is not the address of a token')
  })
})
