import { Client, Market, RequestTimeout } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as calls from "../src/CexCalls.ts"

const options = { baseUrl: "http://stub.test" }
const layer = Client.layer(options)
const place = { exchange: "kraken", market: Market.make("BTC/USD") }
const since = DateTime.makeUnsafe(1000)
const noTrade = { ...place, id: "1", timestamp: "1767323045678", price: 2, size: 3, cost: 6, side: "buy" }

const served = {
  "/v2/cex/exchanges": [],
  "/v2/cex/kraken/BTC-USD/trades?limit=5&since=1000": { ...place, trades: [] },
  "/v2/cex/kraken/BTC-USD/lasttrade": noTrade
}

/** Each call with a request of its own, and the path that it requests. */
const each = (call?: Parameters<typeof calls.trades>[1]) =>
  ({
    exchanges: [calls.exchanges({}, call), "/v2/cex/exchanges"],
    exchange: [calls.exchange({ exchange: "kraken" }, call), "/v2/cex/kraken"],
    markets: [calls.markets({ exchange: "kraken" }, call), "/v2/cex/kraken/markets"],
    trades: [calls.trades({ ...place, limit: 5, since }, call), "/v2/cex/kraken/BTC-USD/trades?limit=5&since=1000"],
    lastTrade: [calls.lastTrade(place, call), "/v2/cex/kraken/BTC-USD/lasttrade"],
    lastCandle: [calls.lastCandle({ ...place, timeframe: "1h" }, call), "/v2/cex/kraken/BTC-USD/lastaggregate/1h"],
    candles: [
      calls.candles({ ...place, timeframe: "1h", limit: 5, since }, call),
      "/v2/cex/kraken/BTC-USD/aggregates/1h?since=1000&limit=5"
    ]
  }) satisfies { readonly [Name in keyof typeof calls]: readonly [Effect.Effect<unknown, unknown, Client>, string] }

/** Runs a call over a stub that serves these responses, and returns the requested paths. */
const over = <A, E>(call: Effect.Effect<A, E, Client>) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const fetch: typeof globalThis.fetch = async (input) => {
      const { pathname, search } = new URL(String(input))
      asked.push(pathname + search)
      return Response.json(Object.entries(served).find(([path]) => path === pathname + search)?.[1] ?? {}, {
        status: pathname + search in served ? 200 : 404
      })
    }
    const result = yield* Effect.result(call).pipe(
      Effect.provide(layer),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
    return { asked, result }
  })

describe("the functions of operations", () => {
  it.effect.each(Object.entries(each()))("ask for what their operation is: %s", ([, [call, path]]) =>
    Effect.gen(function* () {
      const { asked } = yield* over<unknown, unknown>(call)
      assert.deepStrictEqual(asked, [path])
    })
  )

  it.effect.each(Object.entries(each({ deadline: Duration.zero })))("take options of the call: %s", ([, [call]]) =>
    Effect.gen(function* () {
      const { asked, result } = yield* over<unknown, unknown>(call)
      if (result._tag === "Success" || !(result.failure instanceof RequestTimeout)) return assert.fail(result._tag)
      assert.deepInclude(result.failure, { limit: "deadline", milliseconds: 0, attempts: 0 })
      assert.lengthOf(asked, 0)
    })
  )

  it.effect("answer the value", () =>
    Effect.gen(function* () {
      const { result } = yield* over(calls.lastTrade(place))
      const trade = yield* Effect.fromResult(result)
      assert.deepEqual<unknown>(trade, {
        ...noTrade,
        price: "2",
        size: "3",
        cost: "6",
        timestamp: DateTime.makeUnsafe(1_767_323_045_678)
      })
    })
  )
})
