import { timeframeSeconds } from "@chaintape/core"
import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Option, Random } from "effect"
import type { TapeSegments } from "../../../src/cex/tape/read/TapeSegments.ts"
import { Tape, type TapeReads } from "../../../src/cex/tape/Tape.ts"
import type { Lease } from "../../../src/ownership/Lease.ts"
import { store } from "../tape/store/TapeStores.ts"
import {
  dayMs,
  makeMonth,
  monthEnd,
  monthStart,
  readCandles,
  storeWorld,
  timeframes,
  toExpected
} from "./HistoryWorld.ts"
import type { HistoryWorld } from "./HistoryWorld.ts"

const everything = { since: Option.none<number>(), until: Option.none<number>(), limit: 50_000 }

const month = Effect.runSync(Effect.cached(Random.withSeed(makeMonth, "a month of trades")))

const makeRequest = Effect.gen(function* () {
  const time = Random.nextIntBetween(monthStart - dayMs, monthEnd + dayMs)
  const [one, other] = [yield* time, yield* time]
  const kind = yield* Random.nextIntBetween(0, 4)
  return {
    since: kind < 2 ? Option.some(Math.min(one, other)) : Option.none<number>(),
    until: kind % 2 === 0 ? Option.some(Math.max(one, other)) : Option.none<number>(),
    limit: yield* Random.nextIntBetween(1, (yield* Random.nextBoolean) ? 10 : 10_000)
  }
})

const check = Effect.fnUntraced(function* (world: HistoryWorld) {
  for (const timeframe of timeframes) {
    assert.deepStrictEqual(
      yield* readCandles(world, timeframe, everything),
      toExpected(world, timeframe, everything),
      `${world.market} ${timeframe}`
    )
    for (let round = 0; round < 6; round++) {
      const request = yield* makeRequest
      assert.deepStrictEqual(
        yield* readCandles(world, timeframe, request),
        toExpected(world, timeframe, request),
        `${world.market} ${timeframe} ${JSON.stringify(request)}`
      )
    }
  }
})

/** The laws of candle histories over every store. */
export const historyLaws = (it: Vitest.MethodsNonLive<Lease | Tape | TapeReads | TapeSegments>) => {
  const law = (
    name: string,
    market: string,
    make: (count: number) => Omit<HistoryWorld, "truth" | "candles" | "market">
  ) =>
    it.effect(
      name,
      () =>
        Effect.gen(function* () {
          const made = yield* month
          const world = { ...make(made.truth.length), ...made, market }
          yield* storeWorld(world)
          yield* Random.withSeed(check(world), market)
        }),
      120_000
    )

  law(
    "candles of a recorded market are those of its trades, digit by digit, and all of them proven",
    "WHOLE/ONE",
    () => ({ now: monthEnd + dayMs, missing: [], isLive: true, isUp: false })
  )

  law("the last candle is open until its time is over", "OPEN/ONE", () => ({
    now: monthEnd - 1,
    missing: [],
    isLive: true,
    isUp: false
  }))

  law(
    "at the starts that missing trades leave unproven, candles are the exchange's, and exactly these are named",
    "GAPS/ONE",
    (count) => ({
      missing: [0.1, 0.3, 0.300_5, 0.9].map((share) => {
        const from = Math.floor(count * share)
        return { from, to: from + (share === 0.3 ? 0 : 25) }
      }),
      now: monthEnd + dayMs,
      isLive: true,
      isUp: true
    })
  )

  law("before the recording and after its end, candles are the exchange's", "SEAMS/ONE", (count) => ({
    missing: [
      { from: 1, to: Math.floor(count * 0.4) },
      { from: Math.floor(count * 0.6), to: Math.floor(count * 0.6) + 100 },
      { from: Math.floor(count * 0.8), to: count }
    ],
    now: monthEnd + 3000,
    isLive: false,
    isUp: true
  }))

  it.effect("trades that arrive late complete the candles, and old days that are dropped leave them", () =>
    Effect.gen(function* () {
      const { candles, truth } = yield* month
      const late = { from: 800, to: 1000 }
      const world = {
        market: "LATE/ONE",
        truth,
        candles,
        now: monthEnd + dayMs,
        missing: [late],
        isLive: true,
        isUp: true
      }
      yield* storeWorld(world)
      const before = yield* readCandles(world, "1h", everything)
      assert.include(before.coverage, "complete=?0")
      const whole = { ...world, missing: [] }
      yield* store("history", world.market, truth.slice(late.from - 1, late.to))
      yield* (yield* Tape).open("history", world.market, "sequence", 1)
      for (const timeframe of timeframes) {
        assert.deepStrictEqual(
          yield* readCandles(whole, timeframe, everything),
          toExpected(whole, timeframe, everything)
        )
      }
      yield* (yield* Tape).dropBefore(monthStart + 20 * dayMs)
      yield* (yield* Tape).open("history", world.market, "sequence", 1)
      for (const timeframe of timeframes) {
        assert.deepStrictEqual(
          yield* readCandles(whole, timeframe, everything),
          toExpected(whole, timeframe, everything)
        )
      }
    })
  )

  it.effect("without the exchange, the unproven starts are absent and named; a request that needs them fails", () =>
    Effect.gen(function* () {
      const { candles, truth } = yield* month
      const world = {
        market: "DOWN/ONE",
        truth,
        candles,
        now: monthEnd + dayMs,
        missing: [{ from: 1000, to: 1010 }],
        isLive: true,
        isUp: false
      }
      yield* storeWorld(world)
      const frame = timeframeSeconds["1h"] * 1000
      const [first, last] = [999, 1011].map((id) => Math.floor((truth[id - 1]?.timestamp ?? 0) / frame) * frame)
      const found = yield* readCandles(world, "1h", everything)
      assert.include(found.coverage, `unproven=(${first} ${last})`)
      const starts = [...found.rows.matchAll(/"t":(\d+)/g)].map(([, start]) => Number(start))
      const all = new Set(truth.map(({ timestamp }) => Math.floor(timestamp / frame) * frame))
      assert.deepStrictEqual(
        starts,
        [...all].filter((start) => start < Number(first) || start > Number(last))
      )
      const since = { ...everything, since: Option.some(monthStart) }
      const problem = yield* Effect.flip(readCandles(world, "1h", since))
      assert.strictEqual(problem._tag, "UpstreamFailed")
      const behind = { ...everything, since: Option.some(Number(last) + frame) }
      assert.include((yield* readCandles(world, "1h", behind)).coverage, "complete=?1")
    })
  )
}
