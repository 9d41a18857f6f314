import { Cassette } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Operations from "../../src/api/CexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { Client } from "../../src/client/Client.ts"
import { tradePages } from "../../src/stream/TradeStream.ts"

const market = Market.make("BTC/USD")
const key = "canary&7f3a ä+%"

/** Prices that increase with each request; a request of the path "echo" is answered with its URL. */
const service = () => {
  let count = 0
  const answer = (url: URL): Response => {
    count++
    if (url.pathname.includes("echo")) {
      const body = {
        code: "market-not-found",
        detail: url.href,
        exchange: "echo",
        market: url.searchParams.get("apiKey")
      }
      return Response.json({ type: "/problems/market-not-found", title: "t", status: 404, ...body }, { status: 404 })
    }
    const text = `{"exchange":"stub","market":"BTC/USD","trades":[{"id":"${count}","timestamp":"5","price":1.10,"size":2,"cost":2.20,"side":"sell"}]}`
    return new Response(text, {
      headers: { "set-cookie": "a=b", "chaintape-source": "record", "content-type": "application/json" }
    })
  }
  return Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, answer(url))))
  )
}

const options = {
  baseUrl: "http://stub.test",
  apiKey: Redacted.make(key),
  apiKeyLocation: "both",
  retry: { attempts: 1 }
} as const

const trades = (limit: number, since?: number) =>
  Effect.gen(function* () {
    const { call } = yield* Client
    return yield* call(Operations.trades, {
      exchange: "stub",
      market,
      limit,
      since: since === undefined ? undefined : DateTime.makeUnsafe(since)
    })
  })

const echoed = Effect.gen(function* () {
  const { call } = yield* Client
  return yield* Effect.flip(call(Operations.trades, { exchange: "echo", market }))
})

const recordingOf = <A, E>(program: Effect.Effect<A, E, Client>) =>
  Effect.gen(function* () {
    const recording = yield* Ref.make(Cassette.empty)
    const client = Client.layerNoDeps(options).pipe(
      Layer.provide(Cassette.layerRecord(recording)),
      Layer.provide(service())
    )
    const value = yield* Effect.provide(program, client)
    return { value, text: JSON.stringify(yield* Ref.get(recording)) }
  })

const replaying = (recording: unknown) =>
  Client.layerNoDeps({ baseUrl: "http://elsewhere.test", retry: { attempts: 1 } }).pipe(
    Layer.provide(Cassette.layerReplay(recording))
  )

const limits = Schema.Array(Schema.Literals([1, 2, 3]))

describe("a cassette", () => {
  it.effect.prop("replays what it recorded, in any sequence of requests", [limits], ([sequence]) =>
    Effect.gen(function* () {
      const program = Effect.forEach(sequence, (limit) => trades(limit))
      const { text, value } = yield* recordingOf(program)
      assert.deepStrictEqual(yield* Effect.provide(program, replaying(JSON.parse(text))), value)
    })
  )

  it.effect("keeps every digit, and the headers of the interface alone", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(trades(1))
      const { entries } = yield* Schema.decodeUnknownEffect(Cassette.Cassette)(JSON.parse(text))
      assert.include(entries[0]?.body, '"price":1.10')
      assert.deepStrictEqual(entries[0]?.headers, {
        "chaintape-source": "record",
        "content-type": "application/json"
      })
    })
  )

  it.effect("gives the last answer again once all are given", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(Effect.andThen(trades(1), trades(1)))
      const ids = Effect.map(trades(1), ({ value }) => value.trades[0]?.id)
      const given = yield* Effect.provide(Effect.all([ids, ids, ids]), replaying(JSON.parse(text)))
      assert.deepStrictEqual(given, ["1", "2", "2"])
    })
  )

  it.effect("replays problems as problems", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(echoed)
      const error = yield* Effect.provide(echoed, replaying(JSON.parse(text)))
      assert.strictEqual(error._tag, "MarketNotFound")
    })
  )

  it.effect("never holds the key, even where the answer repeats it", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(Effect.andThen(echoed, trades(2, 3)))
      const forms = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)]
      for (const form of forms) assert.notInclude(text, JSON.stringify(form).slice(1, -1))
      assert.include(text, "<redacted>")
      assert.notInclude(text, 'apiKey"')
    })
  )

  it.effect("holds the pages of live trades, and no stream", () =>
    Effect.gen(function* () {
      const program = Effect.gen(function* () {
        const { call } = yield* Client
        const request = {
          exchange: "stub",
          market,
          since: DateTime.makeUnsafe(0),
          live: true,
          pollEvery: Duration.zero
        }
        const live = tradePages((page) => call(Operations.trades, page), request)
        const pages = yield* Stream.runCollect(Stream.take(live, 3))
        return pages.map(({ trades }) => trades.map(({ id }) => id))
      })
      const { text, value } = yield* recordingOf(program)
      assert.deepStrictEqual(value, [["1"], ["2"], ["3"]])
      assert.notInclude(text, "/live/")
      assert.deepStrictEqual(yield* Effect.provide(program, replaying(JSON.parse(text))), value)
    })
  )

  it.effect("matches the query in any order", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(trades(2, 3))
      const http = yield* Effect.provide(HttpClient.HttpClient, Cassette.layerReplay(JSON.parse(text)))
      const response = yield* http.get("http://any.test/v2/cex/stub/BTC-USD/trades?since=3&apiKey=other&limit=2")
      assert.strictEqual(response.status, 200)
    })
  )

  it.effect("dies with a sentence that names a request that it does not hold", () =>
    Effect.gen(function* () {
      const { text } = yield* recordingOf(trades(2))
      const exit = yield* Effect.exit(Effect.provide(trades(3), replaying(JSON.parse(text))))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(defect, Cassette.NotRecorded)
      assert.strictEqual(
        defect instanceof Error ? defect.message : "",
        "The cassette has no answer to GET /v2/cex/stub/BTC-USD/trades?limit=3: it holds " +
          "GET /v2/cex/stub/BTC-USD/trades?limit=2. Record it again with this request."
      )
    })
  )

  it.effect.each([[{}], [{ ...Cassette.empty, version: 2 }], ["text"], [{ ...Cassette.empty, entries: [{}] }]])(
    "refuses a value that is not a cassette: %j",
    ([value]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(Cassette.layerReplay(value))))
        assert.strictEqual(error._tag, "InvalidCassette")
        assert.match(error.message, /^This is no cassette of version 1: /)
      })
  )
})
