import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const market = Market.make("BTC/USD")
const trade = { id: "1", timestamp: "1767323045678", price: 50_000.5, size: 0.1, cost: 5000.05, side: "buy" }
const candle = { exchange: "kraken", market, timeframe: "1h", t: 1_767_322_800_000, o: 1, h: 4, l: 1, c: 2, v: 3 }
const exchange = {
  name: "Kraken",
  id: "kraken",
  countries: ["US"],
  hasTrades: true,
  hasAggregates: true,
  aggregateTimeframes: { "1h": 3600 },
  url: "https://example.test",
  fees: [],
  docs: "",
  logo: ""
}

const answers: Readonly<Record<string, unknown>> = {
  "/v2/cex/exchanges": [{ name: "Kraken", id: "kraken" }],
  "/v2/cex/kraken": exchange,
  "/v2/cex/kraken/BTC-USD/trades": { exchange: "kraken", market, trades: [trade] },
  "/v2/cex/kraken/BTC-USD/lasttrade": { exchange: "kraken", market, ...trade },
  "/v2/cex/kraken/BTC-USD/lastaggregate/1h": candle
}

const fetch: typeof globalThis.fetch = async (input) =>
  Response.json(answers[new URL(String(input)).pathname], {
    headers: { "chaintape-source": "ccxt", "chaintape-candle": "closed=?0" }
  })

const options = { baseUrl: "http://stub.test" }
const time = DateTime.makeUnsafe("2026-01-02T03:04:05.678Z")

const layers = {
  "Cex.layer": Cex.layer(options),
  "Cex.layerNoDeps": Cex.layerNoDeps.pipe(Layer.provide(Client.layer(options))),
  "Cex.layerConfig": Cex.layerConfig().pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CHAINTAPE_BASE_URL: options.baseUrl })))
  )
}

describe.each(Object.entries(layers))("%s", (_, layer) => {
  const provided = <A, E>(effect: Effect.Effect<A, E, Cex>) =>
    effect.pipe(Effect.provide(layer), Effect.provideService(FetchHttpClient.Fetch, fetch))

  it.effect("reads the exchanges", () =>
    provided(
      Effect.gen(function* () {
        const cex = yield* Cex
        assert.deepStrictEqual(
          (yield* cex.exchanges({})).map(({ id }) => id),
          ["kraken"]
        )
        const { aggregateTimeframes, name } = yield* cex.exchange({ exchange: "kraken" })
        assert.deepStrictEqual([name, aggregateTimeframes], ["Kraken", { "1h": 3600 }])
      })
    )
  )

  it.effect("reads trades", () =>
    provided(
      Effect.gen(function* () {
        const cex = yield* Cex
        const { trades } = yield* cex.trades({ exchange: "kraken", market })
        assert.deepEqual<unknown>(trades, [
          { id: "1", timestamp: time, price: "50000.5", size: "0.1", cost: "5000.05", side: "buy" }
        ])
        const last = yield* cex.lastTrade({ exchange: "kraken", market })
        assert.deepStrictEqual(last.timestamp, time)
      })
    )
  )

  it.effect("reads the last candle, and whether it is closed", () =>
    provided(
      Effect.gen(function* () {
        const cex = yield* Cex
        const request = { exchange: "kraken", market, timeframe: "1h" } as const
        const { close, openTime, volume } = yield* cex.lastCandle(request)
        assert.deepEqual([DateTime.formatIso(openTime), close, volume], ["2026-01-02T03:00:00.000Z", "2", "3"])
        const answer = yield* cex.withResponse.lastCandle(request)
        assert.deepStrictEqual(answer.candleClosed, Option.some(false))
        assert.deepStrictEqual(answer.source, Option.some("ccxt"))
      })
    )
  )
})
