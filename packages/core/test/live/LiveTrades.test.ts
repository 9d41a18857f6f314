import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { readTradeCursor } from "../../src/internal/trades/tradeCursor.ts"
import { type TradePage, tradePages, type TradesRequest } from "../../src/stream/TradeStream.ts"
import type { Shown } from "../stream/ModelMarket.ts"
import { idsOf, tradesOf } from "../stream/ModelMarket.ts"
import { type Life, liveMarket, place, type Tape } from "./LiveMarket.ts"
import { goOn, settled } from "./LiveWire.ts"

const start = 1_000_000
const since = DateTime.makeUnsafe(start)
const request: TradesRequest = { ...place, since, live: true }

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const listOf = <S extends Schema.Codec<unknown, unknown>>(schema: S, shortest: number, longest: number) =>
  Schema.Array(schema).check(Schema.isMinLength(shortest), Schema.isMaxLength(longest))

/** Milliseconds after the previous trade, and the delay until it is shown. */
const arrivals = (late: number) =>
  listOf(Schema.Tuple([Schema.Literals([0, 0, 1, 40, 700, 2500]), between(0, late)]), 20, 50)
const lives = listOf(
  Schema.Struct({
    events: between(0, 20),
    end: Schema.Literals(["broken", "closed", "announced", "refused", "silent", "page"])
  }),
  0,
  8
)

const tapeOf = (script: ReadonlyArray<readonly [number, number]>): ReadonlyArray<Shown> => {
  let time = start
  return script.map(([step, late]) => ({ time: (time += step), shownAt: time + late }))
}

/** A trade each second, shown at once. */
const steady = (count: number): ReadonlyArray<Shown> => tapeOf(Array.from({ length: count }, () => [1000, 0] as const))

/** Reads a market for a while, and then leaves it. */
const runLive = Effect.fnUntraced(function* (tape: Tape, seconds: number, given: Partial<TradesRequest> = {}) {
  yield* TestClock.setTime(start)
  const market = yield* liveMarket(tape)
  const pages: Array<TradePage> = []
  const fiber = yield* tradePages(market.read, { ...request, ...given }).pipe(
    Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
    Effect.forkChild
  )
  yield* goOn(seconds * 1000)
  yield* Fiber.interrupt(fiber)
  yield* settled
  return { ...market, read: pages, pages: market.pages }
})

describe("live trades where the service streams them", () => {
  it.effect.prop(
    "are the same sequence after any failures of streams",
    [arrivals(0), lives, between(2, 20)],
    ([script, ends, pageSize]) =>
      Effect.gen(function* () {
        const { ids, lives, read } = yield* runLive({ shown: tapeOf(script), lives: ends }, 100, { pageSize })
        assert.deepStrictEqual(idsOf(tradesOf(read)), ids)
        assert.isFalse(lives.some(({ isOpen }) => isOpen()))
      }),
    { arbitrary: { runs: 12 }, timeout: 60_000 }
  )

  it.effect.prop(
    "hold each trade once where some are shown up to 10 s late, whatever becomes of the streams",
    [arrivals(10_000), lives, between(2, 20)],
    ([script, ends, pageSize]) =>
      Effect.gen(function* () {
        const { ids, read } = yield* runLive({ shown: tapeOf(script), lives: ends }, 100, { pageSize })
        assert.deepStrictEqual(idsOf(tradesOf(read)).toSorted(), ids.toSorted())
      }),
    { arbitrary: { runs: 12 }, timeout: 60_000 }
  )

  it.effect.prop(
    "are the same sequence when reading resumes from a cursor",
    [arrivals(0), listOf(between(1, 5), 3, 10)],
    ([script, cuts]) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const { ids, read } = yield* liveMarket({ shown: tapeOf(script) })
        const pages: Array<TradePage> = []
        for (const cut of [...cuts, Infinity]) {
          const cursor = pages.at(-1)?.cursor
          const fiber = yield* tradePages(read, { ...request, pageSize: 7, cursor }).pipe(
            Stream.take(cut),
            Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
            Effect.forkChild
          )
          yield* goOn(cut === Infinity ? 100_000 : 6000)
          yield* Fiber.interrupt(fiber)
        }
        assert.deepStrictEqual(idsOf(tradesOf(pages)), ids)
      }),
    { arbitrary: { runs: 8 }, timeout: 60_000 }
  )

  it.effect("arrive as they happen, without further requests", () =>
    Effect.gen(function* () {
      const { lives, pages, read } = yield* runLive({ shown: steady(60) }, 30)
      assert.lengthOf(lives, 1)
      assert.lengthOf(pages, 1)
      assert.lengthOf(tradesOf(read), 30)
      for (const { coverage } of read.slice(1)) {
        assert.isTrue(Option.exists(coverage, ({ state }) => state === "complete"))
      }
    })
  )

  it.effect("are in the order of the exchange, also where its times go back a little", () =>
    Effect.gen(function* () {
      const shown = [
        ...steady(5),
        { time: start + 7000, shownAt: start + 7000 },
        { time: start + 6500, shownAt: start + 9000 }
      ]
      const { ids, read } = yield* runLive({ shown }, 15)
      assert.deepStrictEqual(idsOf(tradesOf(read)), ids)
    })
  )

  it.effect("stream from the point up to which the pages are complete", () =>
    Effect.gen(function* () {
      const { lives } = yield* runLive({ shown: steady(3) }, 30, { since: DateTime.makeUnsafe(start - 5000) })
      assert.deepStrictEqual(
        lives.map(({ since }) => since),
        [start - 5000]
      )
    })
  )

  it.effect("are polled if the service has no stream of them, and the stream is not tried again", () =>
    Effect.gen(function* () {
      const { ids, lives, pages, read } = yield* runLive(
        { shown: steady(60), lives: [{ events: 0, end: "unsupported" }] },
        90
      )
      assert.deepStrictEqual(idsOf(tradesOf(read)), ids)
      assert.lengthOf(lives, 1)
      assert.isAtLeast(pages.length, 85)
    })
  )

  it.effect.each(["silent", "page"] as const)(
    "are polled for five minutes if no events arrive (%s), and then the stream is tried again",
    (end) =>
      Effect.gen(function* () {
        const given: Life = { events: 0, end }
        const { lives, read } = yield* runLive({ shown: steady(400), lives: [given, given] }, 400)
        assert.lengthOf(lives, 2)
        assert.isAtLeast((lives[1]?.at ?? 0) - (lives[0]?.at ?? 0), 300_000)
        assert.isAtLeast(tradesOf(read).length, 390)
      })
  )

  it.effect("are polled until the Retry-After of a refused stream", () =>
    Effect.gen(function* () {
      const { lives } = yield* runLive({ shown: steady(60), lives: [{ events: 0, end: "refused" }] }, 30)
      assert.lengthOf(lives, 2)
      assert.isAtLeast((lives[1]?.at ?? 0) - (lives[0]?.at ?? 0), 700)
      assert.isAtMost((lives[1]?.at ?? 0) - (lives[0]?.at ?? 0), 2000)
    })
  )

  it.effect("with an end are polled", () =>
    Effect.gen(function* () {
      const until = DateTime.makeUnsafe(start + 20_000)
      const { lives, read } = yield* runLive({ shown: steady(60) }, 60, { until })
      assert.lengthOf(lives, 0)
      assert.lengthOf(tradesOf(read), 20)
    })
  )

  /** The gaps of the pages, in seconds after the start. */
  const gapsOf = (pages: ReadonlyArray<TradePage>) =>
    pages.flatMap(({ gaps }) =>
      gaps.map(({ from, missing, state, to }) => {
        const [first, last] = [from, to].map((time) => (DateTime.toEpochMillis(time) - start) / 1000)
        return [state, first, last, Option.getOrNull(missing)]
      })
    )

  const withGap = (shownAt: number): ReadonlyArray<Shown> => [
    ...steady(10),
    { time: start + 11_000, shownAt: start + shownAt },
    { time: start + 12_000, shownAt: start + 12_000 },
    { time: start + 14_000, shownAt: start + 14_000 },
    { time: start + 40_000, shownAt: start + 40_000 }
  ]

  it.effect("report a gap once with its count, find its trades within the settle time, and report it as filled", () =>
    Effect.gen(function* () {
      const { ids, lives, read } = yield* runLive({ shown: withGap(18_000) }, 60)
      assert.deepStrictEqual(idsOf(tradesOf(read)).toSorted(), ids.toSorted())
      assert.deepStrictEqual(gapsOf(read), [
        ["open", 10, 12, 1],
        ["filled", 10, 12, 1]
      ])
      const found = read.findIndex(({ gaps }) => gaps.some(({ state }) => state === "filled"))
      // The page that says so is the first one with the trade, or a later one.
      assert.include(idsOf(tradesOf(read.slice(0, found + 1))), "t10")
      const gap = read.find(({ coverage }) => Option.exists(coverage, ({ state }) => state === "incomplete"))
      const { from, to } = Option.getOrThrow(gap?.coverage ?? Option.none())
      assert.deepStrictEqual(
        [from, to].map((time) => DateTime.toEpochMillis(Option.getOrThrow(time)) - start),
        [10_000, 12_000]
      )
      assert.lengthOf(lives, 2)
    })
  )

  it.effect("report a gap that is not filled once, also if the stream is opened again", () =>
    Effect.gen(function* () {
      const ends: ReadonlyArray<Life> = Array.from({ length: 3 }, () => ({ events: 1, end: "closed" }))
      const { read } = yield* runLive({ shown: withGap(600_000), lives: [{ events: 100, end: "closed" }, ...ends] }, 60)
      assert.deepStrictEqual(gapsOf(read), [["open", 10, 12, 1]])
    })
  )

  it.effect("report a gap also if the times of the exchange decrease there", () =>
    Effect.gen(function* () {
      const shown = [
        ...steady(10),
        { time: start + 9800, shownAt: start + 18_000 },
        { time: start + 9500, shownAt: start + 12_000 },
        { time: start + 40_000, shownAt: start + 40_000 }
      ]
      const { ids, read } = yield* runLive({ shown }, 60)
      assert.deepStrictEqual(idsOf(tradesOf(read)).toSorted(), ids.toSorted())
      assert.deepStrictEqual(gapsOf(read)[0], ["open", 9.5, 10, 1])
      for (const { cursor } of read) yield* readTradeCursor(place, cursor)
    })
  )

  it.effect("report a gap and its fill once each if reading resumes in between", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { ids, read } = yield* liveMarket({ shown: withGap(18_000) })
      const pages: Array<TradePage> = []
      for (const seconds of [15, 2, 45]) {
        const fiber = yield* tradePages(read, { ...request, cursor: pages.at(-1)?.cursor }).pipe(
          Stream.runForEach((page) => Effect.sync(() => pages.push(page))),
          Effect.forkChild
        )
        yield* goOn(seconds * 1000)
        yield* Fiber.interrupt(fiber)
      }
      assert.deepStrictEqual(idsOf(tradesOf(pages)).toSorted(), ids.toSorted())
      assert.deepStrictEqual(gapsOf(pages), [
        ["open", 10, 12, 1],
        ["filled", 10, 12, 1]
      ])
    })
  )

  it.effect("are compared with pages if the stream is silent, and not lost if it lacks them", () =>
    Effect.gen(function* () {
      const { lives, pages, read } = yield* runLive({ shown: steady(100), isStalled: true }, 100)
      assert.isAtLeast(tradesOf(read).length, 75)
      // First, after the quiet time, and each second of the minute in which the stream is not used.
      assert.isAtLeast(pages.length, 60)
      assert.lengthOf(lives, 2)
    })
  )

  it.effect("of an exchange without verifiable coverage are marked unverifiable", () =>
    Effect.gen(function* () {
      const { read } = yield* runLive({ shown: steady(10), coverage: "verifiable=?0" }, 15)
      for (const { coverage } of read) assert.strictEqual(Option.getOrThrow(coverage).state, "unverifiable")
    })
  )

  it.effect("close their connection when the reader stops", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { lives, read } = yield* liveMarket({ shown: steady(10) })
      const fiber = yield* Effect.forkChild(Stream.runDrain(tradePages(read, request)))
      yield* goOn(5000)
      assert.deepStrictEqual(
        lives.map(({ isOpen }) => isOpen()),
        [true]
      )
      yield* Fiber.interrupt(fiber)
      yield* settled
      assert.isFalse(lives[0]?.isOpen())
    })
  )
})
