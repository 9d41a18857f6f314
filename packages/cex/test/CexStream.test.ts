import { Cex, CexStream } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const market = Market.make("BTC/USD")
const since = DateTime.makeUnsafe(1000)
const rows = [1000, 1000, 1000, 1001, 1005].map((time, index) => ({
  id: String(index),
  timestamp: String(time),
  price: 1,
  size: 2,
  cost: 2,
  side: "buy"
}))

/**
 * A service with these trades, which does not answer the request of this number (the first is 1) and those after it.
 */
const serving = (down = Number.POSITIVE_INFINITY) => {
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input))
    asked.push(`${url.pathname}${url.search}`)
    if (asked.length >= down) throw new TypeError("fetch failed")
    const [from, limit] = ["since", "limit"].map((name) => Number(url.searchParams.get(name)))
    const trades = rows.filter(({ timestamp }) => Number(timestamp) >= Number(from)).slice(0, limit)
    const headers = { "chaintape-coverage": `complete=?1, from=${from}` }
    return Response.json({ exchange: "stub", market, trades }, { headers })
  }
  const provided = <A, E>(effect: Effect.Effect<A, E, Cex>) =>
    effect.pipe(
      Effect.provide(Cex.layer({ baseUrl: "http://stub.test" })),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
  return { asked, provided }
}

const request = { exchange: "stub", market, since, pageSize: 2 }

describe("CexStream", () => {
  it.effect("reads all trades through the client", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving()
      const trades = yield* provided(Stream.runCollect(CexStream.trades(request)))
      assert.deepStrictEqual(
        trades.map(({ id }) => id),
        ["0", "1", "2", "3", "4"]
      )
      assert.strictEqual(asked[0], "/v2/cex/stub/BTC-USD/trades?limit=2&since=1000")
    })
  )

  it.effect("says of each page what its answer proves", () =>
    Effect.gen(function* () {
      const { provided } = serving()
      const pages = yield* provided(Stream.runCollect(CexStream.tradePages(request)))
      for (const { coverage } of pages) assert.isTrue(Option.exists(coverage, ({ state }) => state === "complete"))
    })
  )

  it.effect("fails with the error of the call, which the options bound", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving(2)
      const options = { retry: { attempts: 1 }, deadline: Duration.seconds(1) }
      const error = yield* Effect.flip(provided(Stream.runDrain(CexStream.trades(request, options))))
      assert.strictEqual(error._tag, "TransportError")
      assert.lengthOf(asked, 2)
    })
  )
})
