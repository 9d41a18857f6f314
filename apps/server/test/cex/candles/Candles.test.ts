import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { candleCoverage, candlesCoverage } from "../../../src/cex/api/CoverageHeader.ts"
import { Candles } from "../../../src/cex/candles/Candles.ts"
import { candleRowJson } from "../../../src/cex/CexJson.ts"
import { over, trade } from "../RecordedWorld.ts"
import type { TapeCandle, World } from "../RecordedWorld.ts"

const minute = 60_000

/** The candle of the second minute, with the trades 61 to 100. */
const candle: TapeCandle = {
  start: minute,
  open: "10",
  high: "12",
  low: "9",
  close: "11",
  volume: "80",
  trades: 40,
  openSequence: 61,
  closeSequence: 100
}

const exchangeCandle = { start: minute, open: "1", high: "1", low: "1", close: "1", volume: "1" }

/** A trade every second; the tape holds them from `from` on. */
const world = (options: Partial<World> = {}, from = 1): World => ({
  truth: Array.from({ length: 100 }, (_, at) => trade(at + 1, (at + 1) * 1000)),
  held: new Set(Array.from({ length: 101 - from }, (_, at) => at + from)),
  isLive: true,
  exchangeFrom: 1,
  tapeCandle: candle,
  exchangeCandle,
  ...options
})

const last = (given: World, timeframe: "1m" | "1d" = "1m") =>
  Effect.gen(function* () {
    const candles = yield* Candles
    return yield* candles.last("sandbox", "BTC/USD", timeframe)
  }).pipe(Effect.provide(over(given)))

const isOf = (name: string, given: World, origin: "tape" | "exchange") =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const found = yield* last(given)
      assert.deepStrictEqual(found.origins, [origin])
      assert.strictEqual(found.row, candleRowJson(origin === "tape" ? candle : exchangeCandle))
      assert.strictEqual(
        candleCoverage(found, "1m"),
        `${origin === "tape" ? "complete=?1" : "verifiable=?0"}, from=60000, to=119999`
      )
    })
  )

describe("the last candle of a recorded market", () => {
  isOf("is the tape's, and proven, where a trade before it and all of its own are known", world(), "tape")
  isOf("is the tape's where the trade right before it is the first that is known", world({}, 60), "tape")
  isOf("is the exchange's where no trade before it is known", world({}, 61), "exchange")
  isOf("is the exchange's where the tape is behind", world({ isLive: false }), "exchange")
  isOf("is the exchange's where ids prove nothing", world({ continuity: "overlap" }), "exchange")
  isOf(
    "is the exchange's where a trade inside is missing",
    world({ tapeCandle: { ...candle, trades: 39 } }),
    "exchange"
  )
  isOf(
    "is the exchange's where a newer trade is known that is not in it",
    world({ tapeCandle: { ...candle, trades: 39, closeSequence: 99 } }),
    "exchange"
  )
  isOf(
    "is the exchange's where a gap lies before it",
    world({
      held: new Set([...Array.from({ length: 50 }, (_, at) => at), ...Array.from({ length: 40 }, (_, at) => at + 61)])
    }),
    "exchange"
  )

  it.effect("is proven by the tape if it starts with the market's first trade, also while the exchange is down", () =>
    Effect.gen(function* () {
      const day = { ...candle, start: 0, volume: "200", trades: 100, openSequence: 1 }
      const { exchangeCandle: _none, ...down } = world({ exchangeFrom: undefined, tapeCandle: day })
      const found = yield* last(down, "1d")
      assert.deepStrictEqual([found.row, found.origins], [candleRowJson(day), ["tape"]])
      assert.strictEqual(candleCoverage(found, "1d"), "complete=?1, from=0, to=86399999")
      assert.strictEqual((yield* Effect.flip(last({ ...down, firstId: 0 }, "1d")))._tag, "OperationNotSupported")
    })
  )

  it.effect("is closed ten seconds after its end, and not before", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(2 * minute + 9999)
      assert.isFalse((yield* last(world())).closed)
      yield* TestClock.adjust(1)
      assert.isTrue((yield* last(world())).closed)
    })
  )
})

describe("a window in which no candle starts", () => {
  it("has no range of which something is proven", () => {
    const empty = { completeness: "complete", scope: { from: minute, to: 0 }, unproven: [] } as const
    assert.strictEqual(candlesCoverage(empty, "1m"), "complete=?1")
    const one = { ...empty, scope: { from: minute, to: minute } }
    assert.strictEqual(candlesCoverage(one, "1m"), "complete=?1, from=60000, to=119999")
  })

  const readBetween = (market: string) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(10 * minute)
      const candles = yield* Candles
      const request = { since: Option.some(minute + 1), until: Option.some(2 * minute - 1), limit: 10 }
      return yield* candles.read("sandbox", market, "1m", request)
    }).pipe(Effect.provide(over(world())))

  it.effect("is empty, and names its source", () =>
    Effect.gen(function* () {
      const [recorded, listed] = [yield* readBetween("BTC/USD"), yield* readBetween("ETH/USD")]
      assert.deepStrictEqual([recorded.rows, recorded.origins], ["", ["tape"]])
      assert.deepStrictEqual([listed.rows, listed.origins], ["", ["exchange"]])
    })
  )

  it.effect("is a problem for a market that the exchange does not list", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(readBetween("NO/SUCH")))._tag, "MarketNotFound")
    })
  )
})
