import { Cex } from "@chaintape/cex"
import { Market, RequestTimeout } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const place = { exchange: "kraken", market: Market.make("BTC/USD") }
const atOnce = { deadline: Duration.zero }

const calls = {
  exchanges: (cex: Cex["Service"]) => cex.exchanges({}, atOnce),
  exchange: (cex: Cex["Service"]) => cex.exchange({ exchange: "kraken" }, atOnce),
  markets: (cex: Cex["Service"]) => cex.markets({ exchange: "kraken" }, atOnce),
  trades: (cex: Cex["Service"]) => cex.trades(place, atOnce),
  lastTrade: (cex: Cex["Service"]) => cex.lastTrade(place, atOnce),
  lastCandle: (cex: Cex["Service"]) => cex.lastCandle({ ...place, timeframe: "1h" }, atOnce),
  candles: (cex: Cex["Service"]) => cex.candles({ ...place, timeframe: "1h" }, atOnce)
} satisfies { readonly [Method in keyof Cex["Service"]["withResponse"]]: unknown }

describe("a method of Cex", () => {
  it.effect.each(Object.entries(calls))("takes options of the call: %s", ([, call]) =>
    Effect.gen(function* () {
      let requests = 0
      const fetch: typeof globalThis.fetch = () => {
        requests++
        return Promise.reject(new TypeError("not in this test"))
      }
      const error = yield* Cex.pipe(
        Effect.flatMap((cex): Effect.Effect<unknown, unknown> => call(cex)),
        Effect.flip,
        Effect.provide(Cex.layer({ baseUrl: "http://stub.test" })),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      if (!(error instanceof RequestTimeout)) return assert.fail(String(error))
      assert.deepInclude(error, { limit: "deadline", milliseconds: 0, attempts: 0 })
      assert.strictEqual(requests, 0)
    })
  )
})
