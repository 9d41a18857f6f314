import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { toMinutes } from "../../../src/market/feed/MinuteBars.ts"
import type { Feed } from "../../../src/market/feed/TradeFeed.ts"
import { advance, emptyFeed, minutesIn, newestIn, withOlder } from "../../../src/market/feed/TradeFeed.ts"

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

const total = (feed: Feed) => minutesIn(feed).reduce((sum, { count }) => sum + count, 0)

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
      assert.strictEqual(total(feed), state.rows.length)
      assert.deepStrictEqual(
        idsOf(feed),
        state.rows
          .map(({ id }) => id)
          .slice(-60)
          .toReversed()
      )
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
      assert.strictEqual(total(feed), state.rows.length - 7)
      state.missing = () => false
      yield* step(30)
      assert.strictEqual(feed.coverage?.state, "complete")
      assert.strictEqual(total(feed), state.rows.length)
      assert.deepStrictEqual(feed.unsettled, [])
    })
  )

  it.effect("reads back to the first trade, and puts the older ones before those it has", () =>
    Effect.gen(function* () {
      const state = world()
      yield* TestClock.setTime(begun + 4000 * 1000)
      for (let second = 0; second < 4000; second += 1) trade(state, 2, begun + second * 1000)
      let feed = yield* advance(place, emptyFeed).pipe(Effect.provide(cexOf(state)))
      assert.isBelow(total(feed), 1000)
      for (let turn = 0; turn < 20 && !feed.isWhole; turn += 1)
        feed = yield* withOlder(place, feed).pipe(Effect.provide(cexOf(state)))
      assert.isTrue(feed.isWhole)
      assert.strictEqual(total(feed), state.rows.length)
      const { value } = yield* Effect.flatMap(Cex, (cex) => cex.withResponse.trades({ ...place, limit: 50_000 })).pipe(
        Effect.provide(cexOf(state))
      )
      assert.deepStrictEqual(minutesIn(feed), toMinutes(value.trades))
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
        const held = () => feed.tape.length + feed.unsettled.length + feed.oldestIds.size
        let early = 0
        for (let second = 0; second < 3600; second += 1) {
          trade(state, 50, begun + second * 1000)
          // Nobody requests earlier trades.
          state.rows = state.rows.slice(-1000)
          feed = yield* advance(place, feed).pipe(Effect.provideContext(cex))
          yield* TestClock.adjust("1 second")
          if (second === 300) early = held()
        }
        assert.strictEqual(total(feed), 180_000)
        assert.isAtMost(held(), early)
        assert.strictEqual(feed.settled.length, 60)
      }),
    60_000
  )
})
