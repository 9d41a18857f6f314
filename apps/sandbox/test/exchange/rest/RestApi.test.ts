import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Markets } from "../../../src/exchange/market/Markets.ts"
import { defaultProducts } from "../../../src/exchange/market/Product.ts"
import { getResponse, parseRoute } from "../../../src/exchange/rest/RestApi.ts"

const now = 1_700_000_000_000_000

const openMarkets = Markets.open(
  {
    products: defaultProducts,
    seed: 7,
    tradesPerSecond: 20,
    historyTradesPerSecond: 2,
    history: 7_200_000_000,
    retain: 500_000,
    store: undefined
  },
  now
)

const ask = Effect.fnUntraced(function* (url: string) {
  const markets = yield* openMarkets
  const found = parseRoute(markets, url)
  return found === undefined ? undefined : getResponse(found, { markets, now, timeSkew: 0 })
})

const Trades = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      trade_id: Schema.Int,
      side: Schema.Literals(["buy", "sell"]),
      size: Schema.String,
      price: Schema.String,
      time: Schema.String
    })
  )
)
const Candles = Schema.fromJsonString(Schema.Array(Schema.Array(Schema.Finite)))

const trades = (query: string) =>
  Effect.flatMap(ask(`/products/BTC-USD/trades${query}`), (found) => Schema.decodeUnknownEffect(Trades)(found?.body))

describe("RestApi", () => {
  it.effect("pages trades by id, newest first, with the cursor in the headers", () =>
    Effect.gen(function* () {
      const newest = yield* trades("")
      const last = newest[0]?.trade_id ?? 0
      assert.strictEqual(newest.length, 1000)
      assert.deepStrictEqual(
        newest.map((row) => row.trade_id),
        newest.map((_, index) => last - index)
      )
      assert.deepStrictEqual(
        (yield* trades("?limit=2&after=100")).map((row) => row.trade_id),
        [99, 98]
      )
      assert.deepStrictEqual(
        (yield* trades(`?before=${last - 2}`)).map((row) => row.trade_id),
        [last, last - 1]
      )
      assert.deepStrictEqual(yield* trades(`?before=${last}`), [])
      const page = yield* ask("/products/BTC-USD/trades?limit=3&after=50")
      assert.deepStrictEqual(page?.headers, { "cb-before": "49", "cb-after": "47" })
    })
  )

  it.effect("writes prices and sizes with eight digits and times with microseconds", () =>
    Effect.gen(function* () {
      const rows = yield* trades("?limit=50")
      assert.lengthOf(rows, 50)
      for (const row of rows) {
        assert.match(row.price, /^\d+\.\d{8}$/)
        assert.match(row.size, /^\d+\.\d{8}$/)
        assert.match(row.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      }
    })
  )

  it.effect("has no other endpoints", () =>
    Effect.gen(function* () {
      for (const url of [
        "/",
        "/nope",
        "/products/",
        "/products/XXX-USD/trades",
        "/products/BTC-USD/book",
        "/time/x",
        "/products/BTC-USD/trades/1"
      ]) {
        assert.isUndefined(yield* ask(url), url)
      }
    })
  )

  it.effect("refuses invalid parameters with a sentence", () =>
    Effect.gen(function* () {
      for (const url of [
        "/products/BTC-USD/trades?limit=0",
        "/products/BTC-USD/trades?limit=1001",
        "/products/BTC-USD/trades?limit=x",
        "/products/BTC-USD/trades?limit=",
        "/products/BTC-USD/trades?after=-1",
        "/products/BTC-USD/trades?before=1e9",
        "/products/BTC-USD/candles?granularity=61",
        "/products/BTC-USD/candles?granularity=60&start=yesterday&end=today",
        "/products/BTC-USD/candles?granularity=60&start=1700000000&end=1600000000",
        "/products/BTC-USD/candles?granularity=60&start=1699900000&end=1700000000"
      ]) {
        const refused = yield* ask(url)
        assert.strictEqual(refused?.status, 400, url)
        assert.property(JSON.parse(refused?.body ?? ""), "message")
      }
    })
  )

  it.effect("answers candles newest first, the open one included, at most 300", () =>
    Effect.gen(function* () {
      const read = (query: string) =>
        Effect.flatMap(ask(`/products/ETH-USD/candles${query}`), (found) =>
          Schema.decodeUnknownEffect(Candles)(found?.body)
        )
      const minutes = yield* read("?granularity=60")
      assert.strictEqual(minutes[0]?.[0], Math.floor(now / 60_000_000) * 60)
      assert.isAbove(minutes.length, 100)
      for (const [time = 0, low = 0, high = 0, open = 0, close = 0, volume = 0] of minutes) {
        assert.strictEqual(time % 60, 0)
        assert.isTrue(low <= Math.min(open, close) && high >= Math.max(open, close) && volume > 0)
      }
      const exactly300 = yield* ask("/products/ETH-USD/candles?granularity=60&start=1699982040&end=1699999980")
      assert.strictEqual(exactly300?.status, 200)
      const window = yield* read("?granularity=3600&start=2023-11-14T21:00:00Z&end=2023-11-14T22:00:00Z")
      assert.deepStrictEqual(
        window.map(([time]) => time),
        [1_699_999_200, 1_699_995_600]
      )
    })
  )

  it.effect("writes candle decimals without exponent and without trailing zeros", () =>
    Effect.gen(function* () {
      const found = yield* ask("/products/SHIB-USD/candles?granularity=300")
      assert.notMatch(found?.body ?? "", /[eE]/)
      assert.match(found?.body ?? "", /^\[\[\d+,0\.0000\d*[1-9],/)
    })
  )
})
