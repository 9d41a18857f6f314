import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Feed } from "../../../src/market/feed/TradeFeed.ts"
import { advance, emptyFeed, newestIn } from "../../../src/market/feed/TradeFeed.ts"

const place = { exchange: "sandbox", market: Market.make("BTC/USD") }

interface Row {
  readonly id: number
  readonly at: number
}

/** A service that responds with trades of an exchange's tape, of which some may be missing. */
interface World {
  rows: Array<Row>
  /** The number of trades that ever happened. */
  count: number
  missing: (row: Row) => boolean
  requests: number
}

const begun = 1_699_999_980_000

const world = (): World => ({ rows: [], count: 0, missing: () => false, requests: 0 })

const answerOf = ({ missing, rows }: World, parameters: URLSearchParams) => {
  const limit = Number(parameters.get("limit"))
  const since = parameters.get("since")
  const all = rows.filter(({ at }) => since === null || at >= Number(since))
  const asked = since === null ? all.slice(-limit) : all.slice(0, limit)
  const found = asked.filter((row) => !missing(row))
  const trades = found.map(({ at, id }) => ({
    id: String(id),
    timestamp: String(at),
    price: 100 + (id % 7),
    size: 1,
    cost: 100 + (id % 7),
    side: "buy"
  }))
  return new Response(JSON.stringify({ exchange: "sandbox", market: "BTC/USD", trades }), {
    headers: {
      "content-type": "application/json",
      "chaintape-coverage": `complete=${found.length === asked.length ? "?1" : "?0"}, from=1, to=2`
    }
  })
}

const cexOf = (state: World) =>
  Cex.layerNoDeps.pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" })),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, url) =>
          Effect.sync(() => {
            state.requests += 1
            return HttpClientResponse.fromWeb(request, answerOf(state, url.searchParams))
          })
        )
      )
    )
  )

const trade = (state: World, count: number, at: number) => {
  for (let index = 0; index < count; index += 1) {
    state.count += 1
    state.rows.push({ id: state.count, at })
  }
}

const idsOf = (feed: Feed) => newestIn(feed, 60).map(({ id }) => Number(id))

const newest = (state: World) =>
  state.rows
    .map(({ id }) => id)
    .slice(-60)
    .toReversed()

describe("the feed of a market", () => {
  it.effect("holds each trade once, however often it is answered", () =>
    Effect.gen(function* () {
      const state = world()
      yield* TestClock.setTime(begun)
      let feed = emptyFeed
      for (let second = 0; second < 200; second += 1) {
        trade(state, second % 9, begun + second * 1000)
        feed = yield* advance(place, feed).pipe(Effect.provide(cexOf(state)))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(idsOf(feed), newest(state))
    })
  )

  it.effect("reads trades again until none is missing, and then has all of them", () =>
    Effect.gen(function* () {
      const state = world()
      yield* TestClock.setTime(begun)
      let feed = emptyFeed
      const step = (second: number) =>
        Effect.gen(function* () {
          trade(state, 5, begun + second * 1000)
          feed = yield* advance(place, feed).pipe(Effect.provide(cexOf(state)))
          yield* TestClock.adjust("1 second")
        })
      for (let second = 0; second < 10; second += 1) yield* step(second)
      state.missing = ({ id }) => id > 52 && id < 60
      for (let second = 10; second < 30; second += 1) yield* step(second)
      assert.strictEqual(feed.coverage?.state, "incomplete")
      const held = (id: number) => [...feed.tape, ...feed.unsettled].some((one) => one.id === String(id))
      assert.deepStrictEqual([52, 53, 59, 60].map(held), [true, false, false, true])
      state.missing = () => false
      yield* step(30)
      assert.strictEqual(feed.coverage?.state, "complete")
      assert.deepStrictEqual(feed.unsettled, [])
      assert.deepStrictEqual([52, 53, 59, 60].map(held), [true, true, true, true])
      assert.deepStrictEqual(idsOf(feed), newest(state))
    })
  )

  it.effect(
    "keeps as much after an hour of fifty trades a second as after some minutes",
    () =>
      Effect.gen(function* () {
        const state = world()
        yield* TestClock.setTime(begun)
        const cex = yield* Layer.build(cexOf(state))
        let feed = emptyFeed
        const held = () => feed.tape.length + feed.unsettled.length
        let early = 0
        for (let second = 0; second < 3600; second += 1) {
          trade(state, 50, begun + second * 1000)
          // Nobody requests earlier trades.
          state.rows = state.rows.slice(-1000)
          feed = yield* advance(place, feed).pipe(Effect.provideContext(cex))
          yield* TestClock.adjust("1 second")
          if (second === 300) early = held()
        }
        assert.isAtMost(held(), early)
        assert.strictEqual(idsOf(feed)[0], 180_000)
      }),
    60_000
  )
})
