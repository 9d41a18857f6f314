import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import type { Bar } from "../../../src/chart/Bars.ts"
import { isContinuation } from "../../../src/chart/Bars.ts"
import type { CandleFeed } from "../../../src/market/feed/CandleFeed.ts"
import { advance, emptyCandles, withOlder } from "../../../src/market/feed/CandleFeed.ts"

const of = { exchange: "sandbox", market: Market.make("BTC/USD"), timeframe: "1m" } as const

/** Unix seconds, a multiple of a minute. */
const begun = 1_699_999_980
const minute = 60

/** The candles of a service: `volume` of each counts its trades. */
interface World {
  bars: Array<Bar>
  asked: Array<string>
}

const bar = (start: number, volume = 1, isProven = true): Bar => ({
  start,
  open: 100,
  high: 100 + volume,
  low: 100,
  close: 100 + volume,
  volume,
  isProven
})

const answerOf = ({ asked, bars }: World, { search, searchParams }: URL) => {
  asked.push(search)
  const limit = Number(searchParams.get("limit"))
  const time = (name: string) => Number(searchParams.get(name)) / 1000
  const found = searchParams.has("since")
    ? bars.filter(({ start }) => start >= time("since")).slice(0, limit)
    : bars.filter(({ start }) => !searchParams.has("until") || start <= time("until")).slice(-limit)
  const unproven = found.filter(({ isProven }) => !isProven).map(({ start }) => `${start * 1000} ${start * 1000}`)
  const aggregates = found.map(({ close, high, low, open, start, volume }) => ({
    t: start * 1000,
    o: open,
    h: high,
    l: low,
    c: close,
    v: volume
  }))
  return new Response(JSON.stringify({ exchange: "sandbox", market: "BTC/USD", timeframe: "1m", aggregates }), {
    headers: {
      "content-type": "application/json",
      "chaintape-coverage": unproven.length === 0 ? "complete=?1" : `complete=?0, unproven=(${unproven.join(" ")})`
    }
  })
}

const cexOf = (state: World) =>
  Cex.layerNoDeps.pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" })),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, url) => Effect.sync(() => HttpClientResponse.fromWeb(request, answerOf(state, url))))
      )
    )
  )

const worldOf = (count: number): World => ({
  bars: Array.from({ length: count }, (_, at) => bar(begun - (count - 1 - at) * minute)),
  asked: []
})

describe("the candles of a market", () => {
  it.effect("are the newest page, and then what changes", () =>
    Effect.gen(function* () {
      const state = worldOf(700)
      yield* TestClock.setTime(begun * 1000)
      let feed = emptyCandles
      const step = Effect.suspend(() => advance(of, feed)).pipe(
        Effect.tap((next) => Effect.sync(() => (feed = next))),
        Effect.andThen(TestClock.adjust("1 second")),
        Effect.provide(cexOf(state))
      )
      for (let second = 0; second < 200; second++) {
        const start = begun + Math.floor(second / 60) * minute
        if (state.bars.at(-1)?.start !== start) state.bars.push(bar(start))
        state.bars[state.bars.length - 1] = bar(start, 1 + second)
        yield* step
        assert.deepStrictEqual(feed.bars, state.bars.slice(200))
      }
      // A page each fifteen seconds, and two or three candles otherwise.
      assert.strictEqual(state.asked.filter((search) => !search.includes("since")).length, 14)
    })
  )

  it.effect("become proven when a gap behind the newest is closed", () =>
    Effect.gen(function* () {
      const state = worldOf(100)
      yield* TestClock.setTime(begun * 1000)
      state.bars[50] = bar(state.bars[50]?.start ?? 0, 1, false)
      const provide = Effect.provide(cexOf(state))
      let feed = yield* advance(of, emptyCandles).pipe(provide)
      assert.deepStrictEqual(feed.bars, state.bars)
      state.bars[50] = bar(state.bars[50]?.start ?? 0, 3)
      yield* TestClock.adjust("15 seconds")
      feed = yield* advance(of, feed).pipe(provide)
      assert.deepStrictEqual(feed.bars, state.bars)
    })
  )

  it.effect("are read back to the first one, each once", () =>
    Effect.gen(function* () {
      const state = worldOf(1700)
      yield* TestClock.setTime(begun * 1000)
      const provide = Effect.provide(cexOf(state))
      let feed: CandleFeed = yield* advance(of, emptyCandles).pipe(provide)
      for (let turn = 0; turn < 9 && !feed.isWhole; turn++) feed = yield* withOlder(of, feed).pipe(provide)
      assert.isTrue(feed.isWhole)
      assert.deepStrictEqual(feed.bars, state.bars)
      assert.lengthOf(state.asked, 5)
      yield* withOlder(of, feed).pipe(provide)
      assert.lengthOf(state.asked, 5)
    })
  )

  it.effect("begin again after a pause that is longer than a page", () =>
    Effect.gen(function* () {
      const state = worldOf(600)
      yield* TestClock.setTime(begun * 1000)
      const provide = Effect.provide(cexOf(state))
      const before = yield* advance(of, emptyCandles).pipe(provide)
      state.bars.push(...Array.from({ length: 800 }, (_, at) => bar(begun + (at + 1) * minute)))
      yield* TestClock.setTime((begun + 800 * minute) * 1000)
      const feed = yield* advance(of, { ...before, isWhole: true }).pipe(provide)
      assert.deepStrictEqual(feed.bars, state.bars.slice(-500))
      assert.isFalse(feed.isWhole)
    })
  )
})

describe("bars that a chart goes on with", () => {
  const [one, two, three] = [bar(60), bar(120), bar(180)]

  it.each([
    { what: "the newest has grown", before: [one, two], bars: [one, bar(120, 2)], is: true },
    { what: "the only one has grown", before: [two], bars: [bar(120, 2)], is: true },
    { what: "another one is behind them", before: [one, two], bars: [one, bar(120, 2), three], is: true },
    { what: "another one is behind the only one", before: [two], bars: [two, three], is: true },
    { what: "there were none", before: [], bars: [one], is: false },
    { what: "an older one is in front of the only one", before: [two], bars: [one, two], is: false },
    { what: "an older one is in front of them", before: [two, three], bars: [one, two, three], is: false },
    { what: "one has come between them", before: [one, three], bars: [one, two, three], is: false },
    { what: "an older one has changed", before: [one, two, three], bars: [one, bar(120, 2), three], is: false },
    { what: "an older one became proven", before: [bar(60, 1, false), two], bars: [one, two], is: false },
    { what: "two are behind them", before: [one], bars: [one, two, three], is: false },
    { what: "one is gone", before: [one, two], bars: [one], is: false },
    { what: "they are of another time", before: [one], bars: [three], is: false }
  ])("where $what: $is", ({ bars, before, is }) => {
    assert.strictEqual(isContinuation(before, bars), is)
  })

  const Volumes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))).check(
    Schema.isMaxLength(8)
  )

  it.prop("begin where the chart begins, and go on from its newest", [Volumes, Volumes], ([known, more]) => {
    const toBars = (volumes: ReadonlyArray<number>) =>
      volumes.flatMap((volume, at) => (volume === 0 ? [] : [bar(at * minute, volume)]))
    const [before, bars] = [toBars(known), toBars(more)]
    if (!isContinuation(before, bars)) return
    const newest = before.at(-1)?.start ?? 0
    // A chart takes only the newest bar, and one behind it.
    assert.isTrue(bars.slice(before.length - 1).every(({ start }) => start >= newest))
    assert.strictEqual(bars[0]?.start, before[0]?.start)
  })
})
