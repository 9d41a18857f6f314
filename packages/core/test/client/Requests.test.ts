import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as BlocksOperations from "../../src/api/BlocksOperations.ts"
import * as Operations from "../../src/api/CexOperations.ts"
import * as System from "../../src/api/SystemOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { InvalidParameter } from "../../src/problem/Problem.ts"
import { json, stubService } from "./StubService.ts"

const market = Market.make("BTC/USD")
const noTrades = json({ exchange: "kraken", market: "BTC/USD", trades: [] })
const odd = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(40))

// UTF-8 cannot encode a lone surrogate, and a URL resolves a segment of dots, in any encoding.
const sendable = (id: string) => !/\p{Surrogate}/u.test(id) && id !== "." && id !== ".."

const urlOf = (call: (service: Effect.Success<ReturnType<typeof stubService>>) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const service = yield* stubService(() => noTrades)
    yield* Effect.ignore(call(service))
    return service.requests[0]?.url
  })

describe("the request of a call", () => {
  it.effect.each([
    ["a/b?c", "/v2/cex/a%2Fb%3Fc"],
    ["ä #%", "/v2/cex/%C3%A4%20%23%25"],
    ["$&", "/v2/cex/%24%26"],
    ["$'$`$$", "/v2/cex/%24'%24%60%24%24"]
  ])("writes the id %s as one segment of the path", ([id, path]) =>
    Effect.gen(function* () {
      const url = yield* urlOf(({ client }) => client.call(Operations.exchange, { exchange: id ?? "" }))
      assert.strictEqual(url?.pathname, path)
    })
  )

  it.effect.prop("keeps every id in its segment", [odd], ([id]) =>
    Effect.gen(function* () {
      const url = yield* urlOf(({ client }) => client.call(Operations.exchange, { exchange: id }))
      if (!sendable(id)) return assert.isUndefined(url)
      const segments = url?.pathname.split("/") ?? []
      assert.lengthOf(segments, 4)
      assert.strictEqual(decodeURIComponent(segments[3] ?? ""), id)
      assert.strictEqual(url?.search, "")
    })
  )

  it.effect.each([".", "..", "\ud800"])("is not sent for the id %j, which no segment can hold", (id) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json([]))
      const error = yield* Effect.flip(client.call(Operations.exchange, { exchange: id }))
      assert.strictEqual(error._tag, "InvalidParameter")
      assert.lengthOf(requests, 0)
    })
  )

  it.effect("writes the market with a hyphen", () =>
    Effect.gen(function* () {
      const url = yield* urlOf(({ client }) => client.call(Operations.trades, { exchange: "kraken", market }))
      assert.strictEqual(url?.pathname, "/v2/cex/kraken/BTC-USD/trades")
    })
  )

  it.effect("leaves out what the caller does not give", () =>
    Effect.gen(function* () {
      const url = yield* urlOf(({ client }) => client.call(Operations.trades, { exchange: "kraken", market }))
      assert.strictEqual(url?.search, "")
    })
  )

  it.effect("writes numbers as digits and times as milliseconds", () =>
    Effect.gen(function* () {
      const since = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")
      const url = yield* urlOf(({ client }) =>
        client.call(Operations.trades, { exchange: "kraken", market, since, limit: 50_000 })
      )
      assert.strictEqual(url?.search, "?limit=50000&since=1767323045678")
    })
  )

  it.effect("carries every parameter that is given", () =>
    Effect.gen(function* () {
      const time = DateTime.makeUnsafe(0)
      const url = yield* urlOf(({ client }) =>
        client.call(BlocksOperations.blocks, {
          blockchain: "ethereum",
          limit: 3,
          skip: 0,
          orderBy: "gasUsed",
          orderDirection: "asc",
          block: 17,
          from: time,
          to: time
        })
      )
      assert.deepStrictEqual(Object.fromEntries(url?.searchParams ?? []), {
        limit: "3",
        skip: "0",
        orderBy: "gasUsed",
        orderDirection: "asc",
        block: "17",
        from: "0",
        to: "0"
      })
    })
  )

  it.effect("is not sent with a value that breaks its rule", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => noTrades)
      const call = client.call(Operations.trades, { exchange: "", market, limit: 50_001 })
      const error = yield* Effect.flip(call)
      assert.strictEqual(error._tag, "InvalidParameter")
      assert.include(error.message, "exchange")
      assert.lengthOf(requests, 0)
    })
  )

  const time = "a time since 1970: a Date, Unix milliseconds, an ISO 8601 text or a DateTime"
  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["market", { exchange: "kraken" }, "it is missing: it must be BASE/QUOTE, such as BTC/USD"],
    ["exchange", undefined, "it is missing: it must be a text that is not empty"],
    [
      "limt",
      { exchange: "a", market, limt: 3 },
      "it is not a parameter here: allowed are exchange, market, limit, since"
    ],
    ["since", { exchange: "a", market, since: "5" }, `"5" can't be sent: it must be ${time}`],
    ["since", { exchange: "a", market, since: "2026-02-30" }, `"2026-02-30" can't be sent: it must be ${time}`],
    ["since", { exchange: "a", market, since: "2026-02-29" }, `"2026-02-29" can't be sent: it must be ${time}`],
    ["since", { exchange: "a", market, since: "2026-06-31" }, `"2026-06-31" can't be sent: it must be ${time}`],
    ["exchange", { exchange: "..", market }, '".." can\'t be sent: it must be a text for a path']
  ]
  it.effect.each(wrong)("is not sent with a wrong %s, and the error says why", ([parameter, request, message]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => noTrades)
      const call: Effect.Effect<unknown, unknown> = Reflect.apply(client.call, client, [Operations.trades, request])
      const error = yield* Effect.flip(call)
      assert.instanceOf(error, InvalidParameter)
      assert.deepInclude(error, { detail: `Parameter "${parameter}": ${message}.`, issues: [{ parameter, message }] })
      assert.lengthOf(requests, 0)
    })
  )

  it.effect.each(["http://stub.test", "http://stub.test/", "http://stub.test///", " http://stub.test/ \n"])(
    "joins the address %s",
    (baseUrl) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => json([]), { baseUrl })
        yield* Effect.ignore(client.call(Operations.exchanges, {}))
        assert.strictEqual(requests[0]?.url.href, "http://stub.test/v2/cex/exchanges")
      })
  )

  it.effect("keeps the path of the address", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json([]), { baseUrl: new URL("https://stub.test/tape/") })
      yield* Effect.ignore(client.call(Operations.exchanges, {}))
      assert.strictEqual(requests[0]?.url.href, "https://stub.test/tape/v2/cex/exchanges")
    })
  )
})

describe("the key", () => {
  const seen = (apiKeyLocation: "query" | "header" | "both" | undefined) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json([]), {
        apiKey: Redacted.make("canary"),
        apiKeyLocation
      })
      yield* Effect.ignore(client.call(Operations.exchanges, {}))
      const request = requests[0]
      return { header: request?.headers["api-key"], query: request?.url.searchParams.getAll("apiKey") }
    })

  it.effect("is sent in the header unless the options say otherwise", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* seen(undefined), { header: "canary", query: [] })
      assert.deepStrictEqual(yield* seen("both"), { header: "canary", query: ["canary"] })
      assert.deepStrictEqual(yield* seen("header"), { header: "canary", query: [] })
      assert.deepStrictEqual(yield* seen("query"), { header: undefined, query: ["canary"] })
    })
  )

  it.effect("is not sent where none is needed", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => json({ ping: "pong", ip: "" }), {
        apiKey: Redacted.make("canary")
      })
      yield* client.call(System.ping, {})
      assert.strictEqual(requests[0]?.url.search, "")
      assert.isUndefined(requests[0]?.headers["api-key"])
    })
  )
})
