import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { TradeFeed } from "../../../src/market/feed/TradeFeed.ts"
import { followTrades } from "../../../src/market/feed/TradeFeed.ts"
import type { World } from "./World.ts"
import { candlesOf, cexOf, listing, makeWorld } from "./World.ts"

/** Unix milliseconds, a multiple of a minute. */
const begun = 1_699_999_980_000

const trade = (world: World, count: number, at: number) => {
  for (let index = 0; index < count; index += 1) world.rows.push({ id: (world.rows.at(-1)?.id ?? 0) + 1, at })
}

/** Follows a market from `last` on for some seconds, each of which begins with `act`. */
const follow = Effect.fnUntraced(function* (
  world: World,
  seconds: number,
  act: (second: number) => void,
  last?: TradeFeed
) {
  let feed = last
  const fiber = yield* Stream.runForEach(followTrades(listing)(last), (next) =>
    Effect.sync(() => {
      feed = next
    })
  ).pipe(Effect.provide(cexOf(world)), Effect.forkChild)
  for (let second = 0; second < seconds; second += 1) {
    act(second)
    yield* TestClock.adjust("1 second")
  }
  yield* TestClock.adjust("2 seconds")
  yield* Fiber.interrupt(fiber)
  return feed ?? assert.fail("there is no feed")
})

const idsOf = ({ trades }: TradeFeed) => trades.map(({ id }) => Number(id))

const newest = (world: World) =>
  world.rows
    .map(({ id }) => id)
    .slice(-60)
    .toReversed()

describe("the feed of a market", () => {
  it.effect("has each trade once, on the tape and in the candles", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      trade(world, 70, begun - 200_000)
      yield* TestClock.setTime(begun)
      const feed = yield* follow(world, 200, (second) => trade(world, second % 9, begun + second * 1000))
      assert.deepStrictEqual(idsOf(feed), newest(world))
      assert.deepStrictEqual(feed.minutes, candlesOf(world.rows, 60))
      assert.strictEqual(feed.coverage, "complete")
    })
  )

  it.effect("begins at the newest trades where the clock of the browser is days behind", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      for (let minute = 0; minute < 600; minute += 1) trade(world, 10, begun + minute * 60_000)
      yield* TestClock.setTime(begun - 86_400_000)
      const feed = yield* follow(world, 1, () => {})
      assert.strictEqual(feed.start, begun + 594 * 60_000)
      assert.deepStrictEqual(idsOf(feed), newest(world))
    })
  )

  it.effect("continues after a short pause, and starts again after a long one", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      yield* TestClock.setTime(begun)
      const first = yield* follow(world, 10, (second) => trade(world, 1, begun + second * 1000))
      trade(world, 30, begun + 100_000)
      yield* TestClock.setTime(begun + 120_000)
      const second = yield* follow(world, 1, () => {}, first)
      assert.strictEqual(second.start, first.start)
      assert.deepStrictEqual(idsOf(second), newest(world))
      assert.deepStrictEqual(second.minutes, candlesOf(world.rows, 60))
      trade(world, 80, begun + 1_900_000)
      yield* TestClock.setTime(begun + 2_000_000)
      const third = yield* follow(world, 1, () => {}, second)
      assert.isAbove(third.start, second.start)
      assert.deepStrictEqual(idsOf(third), newest(world))
    })
  )

  it.effect("has incomplete coverage while a trade of the tape may be missing", () =>
    Effect.gen(function* () {
      const world = makeWorld()
      yield* TestClock.setTime(begun)
      const step = (second: number) => trade(world, 2, begun + second * 1000)
      world.missing = ({ id }) => id === 11
      const before = yield* follow(world, 10, step)
      assert.strictEqual(before.coverage, "incomplete")
      assert.isFalse(before.minutes.at(-1)?.isProven)
      // The rows beside the gap stay for more trades than the tape has otherwise.
      const later = yield* follow(world, 60, (second) => step(second + 20), before)
      assert.isAbove(later.trades.length, 120)
      assert.includeMembers(idsOf(later), [10, 12])
      const after = yield* follow(world, 200, (second) => step(second + 100), later)
      assert.strictEqual(after.trades.length, 60)
      assert.strictEqual(after.coverage, "complete")
      assert.isTrue(after.minutes.at(-1)?.isProven)
    })
  )
})
