import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { readTradeCursor } from "../../src/internal/trades/tradeCursor.ts"
import { InvalidCursor, TradesTooDense } from "../../src/problem/StreamError.ts"
import { tradePages, trades } from "../../src/stream/TradeStream.ts"
import { Broken, idsOf, modelMarket, place, readInPieces, type Shown, tradesOf } from "./ModelMarket.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const listOf = <S extends Schema.Codec<unknown, unknown>>(schema: S, shortest: number, longest: number) =>
  Schema.Array(schema).check(Schema.isMinLength(shortest), Schema.isMaxLength(longest))

/** Many trades share a millisecond: most distances are 0. */
const gaps = listOf(Schema.Literals([0, 0, 0, 0, 0, 0, 1, 2, 700, 9000]), 20, 80)
const pageSizes = between(1, 20)
const cuts = listOf(between(1, 4), 0, 12)
const failures = listOf(between(1, 40), 0, 12)

const start = 1_000_000
const since = DateTime.makeUnsafe(start)

const timesOf = (steps: ReadonlyArray<number>): ReadonlyArray<number> => {
  let time = start
  return steps.map((step) => (time += step))
}

const shownAtOnce = (times: ReadonlyArray<number>): ReadonlyArray<Shown> => times.map((time) => ({ time, shownAt: 0 }))

describe("trades up to the present", () => {
  const ages = Schema.Literals([0, 3000, 30_000, 3_600_000])

  it.effect.prop(
    "are the same sequence, each once, whatever the page size, the failures and the cuts",
    [gaps, pageSizes, cuts, failures, ages],
    ([steps, pageSize, pieces, failing, age]) =>
      Effect.gen(function* () {
        const times = timesOf(steps)
        yield* TestClock.setTime((times.at(-1) ?? start) + age)
        const { ids, read } = modelMarket(shownAtOnce(times), new Set(failing))
        const pages = yield* readInPieces(read, { ...place, since, pageSize }, pieces)
        assert.deepStrictEqual(idsOf(tradesOf(pages)), ids)
      })
  )

  it.effect.prop(
    "end with the last trade of the millisecond of `until`",
    [gaps, pageSizes, cuts, between(0, 10_000)],
    ([steps, pageSize, pieces, length]) =>
      Effect.gen(function* () {
        const times = timesOf(steps)
        const { read } = modelMarket(shownAtOnce(times))
        const until = DateTime.makeUnsafe(start + length)
        const pages = yield* readInPieces(read, { ...place, since, until, pageSize }, pieces)
        const expected = times.flatMap((time, index) => (time <= start + length ? [`t${index}`] : []))
        assert.deepStrictEqual(idsOf(tradesOf(pages)), expected)
      })
  )

  it.effect("begin in the millisecond of `since`", () =>
    Effect.gen(function* () {
      const { read } = modelMarket(shownAtOnce([start - 1, start, start + 1]))
      const all = yield* Stream.runCollect(trades(read, { ...place, since }))
      assert.deepStrictEqual(idsOf(all), ["t1", "t2"])
    })
  )

  it.effect("are not requested before they are read", () =>
    Effect.gen(function* () {
      const { read, reads } = modelMarket(shownAtOnce(timesOf(Array<number>(100).fill(1))))
      const stream = trades(read, { ...place, since, pageSize: 10 })
      yield* Stream.runForEach(Stream.take(stream, 5), () => Effect.void)
      assert.lengthOf(reads, 1)
    })
  )

  it.effect("can be read again from the start with the same stream", () =>
    Effect.gen(function* () {
      const { ids, read } = modelMarket(shownAtOnce(timesOf([0, 0, 1, 1, 5])))
      const stream = trades(read, { ...place, since, pageSize: 2 })
      assert.deepStrictEqual(idsOf(yield* Stream.runCollect(stream)), ids)
      assert.deepStrictEqual(idsOf(yield* Stream.runCollect(stream)), ids)
    })
  )

  it.effect("that were shown late are found after resuming from the cursor of the last page", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 6000)
      const { read } = modelMarket([
        { time: start + 1000, shownAt: start + 9000 },
        { time: start + 5000, shownAt: start + 5000 }
      ])
      const [page] = yield* Stream.runCollect(tradePages(read, { ...place, since }))
      yield* TestClock.adjust("4 seconds")
      const rest = yield* Stream.runCollect(trades(read, { ...place, since, cursor: page?.cursor }))
      assert.deepStrictEqual(idsOf(rest), ["t0"])
    })
  )

  it.effect("fail with the time to start again if too many late trades appeared to distinguish them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 6000)
      const shown = Array.from({ length: 200 }, (_, index) => ({
        time: start + 10 * index,
        shownAt: index % 2 === 0 ? 0 : start + 7000
      }))
      const { ids, read } = modelMarket(shown)
      const [page] = yield* Stream.runCollect(tradePages(read, { ...place, since }))
      yield* TestClock.adjust("4 seconds")
      const error = yield* Effect.flip(Stream.runDrain(tradePages(read, { ...place, since, cursor: page?.cursor })))
      assert.instanceOf(error, InvalidCursor)
      assert.strictEqual(
        error.detail,
        "too many trades have appeared late to tell them from those that were read: start with the time " +
          "1970-01-01T00:16:40.000Z, and discard the trades from then on"
      )
      const rest = yield* Stream.runCollect(trades(read, { ...place, since: DateTime.makeUnsafe(1_000_000) }))
      assert.deepStrictEqual(idsOf(rest), ids)
    })
  )

  it.effect("fail as the read does", () =>
    Effect.gen(function* () {
      const { read } = modelMarket(shownAtOnce(timesOf([0, 1, 2])), new Set([2]))
      const error = yield* Effect.flip(Stream.runDrain(trades(read, { ...place, since, pageSize: 2 })))
      assert.deepStrictEqual(error, new Broken({ read: 2 }))
    })
  )
})

describe("a millisecond with more trades than a page", () => {
  it.effect("is read with larger pages", () =>
    Effect.gen(function* () {
      const steps = [...Array<number>(100).fill(0), ...Array<number>(200).fill(1)]
      const { ids, read, reads } = modelMarket(shownAtOnce(timesOf(steps)))
      const all = yield* Stream.runCollect(trades(read, { ...place, since, pageSize: 3 }))
      assert.deepStrictEqual(idsOf(all), ids)
      assert.deepStrictEqual(reads.map(({ limit }) => limit).slice(0, 4), [3, 24, 192, 3])
    })
  )

  it.effect("fails where the largest page can't hold it, and says where", () =>
    Effect.gen(function* () {
      const { read } = modelMarket(shownAtOnce(Array<number>(50_000).fill(start)))
      const error = yield* Effect.flip(Stream.runDrain(trades(read, { ...place, since })))
      assert.deepStrictEqual(error, new TradesTooDense({ ...place, timestamp: since, limit: 50_000 }))
      assert.strictEqual(
        error.message,
        'BTC/USD on "model" has 50000 trades or more at 1970-01-01T00:16:40.000Z, as many as one answer holds: begin ' +
          "a new stream with a later `since`; some trades of this millisecond are missing."
      )
    })
  )
})

describe("live trades", () => {
  /** Milliseconds after the previous trade, and the delay until it is shown. */
  const arrivals = listOf(Schema.Tuple([Schema.Literals([0, 0, 1, 40, 700, 2500]), between(0, 10_000)]), 30, 60)
  const liveCuts = listOf(between(1, 9), 5, 15)

  /** Reads a market up to its last trade, while the clock advances in small steps. */
  const runLive = Effect.fnUntraced(function* (
    tape: ReadonlyArray<Shown>,
    pageSize: number,
    pieces: ReadonlyArray<number>,
    failing: ReadonlyArray<number>
  ) {
    yield* TestClock.setTime(start)
    const { ids, read, reads } = modelMarket(tape, new Set(failing))
    const until = DateTime.makeUnsafe(tape.at(-1)?.time ?? start)
    const request = { ...place, since, until, live: true, pageSize }
    const fiber = yield* Effect.forkChild(readInPieces(read, request, pieces))
    for (let step = 0; step < 600 && fiber.pollUnsafe() === undefined; step++) yield* TestClock.adjust("1 second")
    return { pages: yield* Fiber.join(fiber), ids, reads }
  })

  it.effect.prop(
    "are the same sequence where none is shown late, whatever the page size, the failures and the cuts",
    [arrivals, pageSizes, liveCuts, failures],
    ([script, pageSize, pieces, failing]) =>
      Effect.gen(function* () {
        const tape = timesOf(script.map(([step]) => step)).map((time) => ({ time, shownAt: time }))
        const { ids, pages } = yield* runLive(tape, pageSize, pieces, failing)
        assert.deepStrictEqual(idsOf(tradesOf(pages)), ids)
      })
  )

  it.effect.prop(
    "hold each trade once where all are shown up to 10 s late, whatever the page size",
    [arrivals, pageSizes],
    ([script, pageSize]) =>
      Effect.gen(function* () {
        const times = timesOf(script.map(([step]) => step))
        const tape = times.map((time, index) => ({ time, shownAt: time + (script[index]?.[1] ?? 0) }))
        const { ids, pages } = yield* runLive(tape, pageSize, [], [])
        assert.deepStrictEqual(idsOf(tradesOf(pages)).toSorted(), ids.toSorted())
      })
  )

  it.effect.prop(
    "hold each trade once where six are shown up to 10 s late, whatever the page size, the failures and the cuts",
    [arrivals, pageSizes, liveCuts, failures, listOf(between(0, 59), 0, 6)],
    ([script, pageSize, pieces, failing, late]) =>
      Effect.gen(function* () {
        const times = timesOf(script.map(([step]) => step))
        const lateness = (index: number) => (late.includes(index) ? (script[index]?.[1] ?? 0) : 0)
        const tape = times.map((time, index) => ({ time, shownAt: time + lateness(index) }))
        const { ids, pages } = yield* runLive(tape, pageSize, pieces, failing)
        assert.deepStrictEqual(idsOf(tradesOf(pages)).toSorted(), ids.toSorted())
      })
  )

  it.effect("are requested every second, and from time to time from ten seconds before", () =>
    Effect.gen(function* () {
      const seconds = Array.from({ length: 30 }, (_, second) => start + second * 1000)
      const { reads } = yield* runLive(
        seconds.map((time) => ({ time, shownAt: time })),
        100,
        [],
        []
      )
      assert.deepStrictEqual(
        reads.slice(0, 30).map(({ at }) => at),
        seconds
      )
      const looksBack = reads.slice(0, 30).flatMap(({ at, since }) => (at - since >= 10_000 ? [at - start] : []))
      assert.deepStrictEqual(looksBack, [12_000, 23_000])
    })
  )

  it.effect("cost one unit for each poll at the end, and as much as a page when they are behind", () =>
    Effect.gen(function* () {
      const calm = Array.from({ length: 20 }, (_, second) => start + second * 1000)
      const burst = Array.from({ length: 8000 }, (_, index) => start + 20_000 + (index % 1000))
      const times = [...calm, ...burst].toSorted((left, right) => left - right)
      const { ids, pages, reads } = yield* runLive(
        times.map((time) => ({ time, shownAt: time < start + 20_000 ? time : start + 21_500 })),
        5000,
        [],
        []
      )
      assert.deepStrictEqual(idsOf(tradesOf(pages)).toSorted(), ids.toSorted())
      const limits = reads.map(({ limit }) => limit)
      assert.strictEqual(limits[0], 5000)
      assert.deepStrictEqual([...new Set(limits.slice(1, 20))], [999])
      // The page that reaches the burst is full, and two pages hold the rest of it.
      assert.deepStrictEqual(limits.slice(limits.indexOf(5000, 1)).slice(0, 3), [5000, 5000, 999])
    })
  )

  it.effect("still look for late ones when the clock is set back by an hour", () =>
    Effect.gen(function* () {
      const noon = start + 86_400_000
      yield* TestClock.setTime(noon)
      const market = modelMarket([noon, noon + 5000].map((time) => ({ time, shownAt: 0 })))
      const isSetBack = yield* Deferred.make<void>()
      const read = (request: Parameters<typeof market.read>[0]) =>
        Effect.tap(market.read(request), () => (market.reads.length === 5 ? Deferred.await(isSetBack) : Effect.void))
      const stream = trades(read, { ...place, since: DateTime.makeUnsafe(noon), live: true })
      const fiber = yield* Effect.forkChild(Stream.runDrain(stream))
      yield* TestClock.adjust("5 seconds")
      yield* TestClock.setTime(noon - 3_600_000)
      yield* Deferred.succeed(isSetBack, undefined)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.interrupt(fiber)
      const later = market.reads.slice(5)
      assert.isAtLeast(later.length, 55)
      assert.isAtLeast(later.filter(({ since }) => since === noon).length, 5)
    })
  )

  it.effect("wait for the given time between polls", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { read, reads } = modelMarket([])
      const pollEvery = Duration.millis(250)
      const fiber = yield* Effect.forkChild(Stream.runDrain(trades(read, { ...place, since, live: true, pollEvery })))
      yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(
        reads.map(({ at }) => at - start),
        [0, 250, 500, 750, 1000]
      )
    })
  )
})

/** The number of trades that a cursor knows; it is never longer than 200 characters. */
const knownIn = (cursor: string): number => {
  assert.isAtMost(cursor.length, 200)
  // The first request after a cursor leaves room for as many late trades as were read, and 999.
  const { limit } = Effect.runSync(readTradeCursor(place, cursor)).start(0)
  return limit === 0 ? 0 : (limit - 999) / 2
}

describe("memory", () => {
  it.effect("holds the ids of one millisecond of what is settled", () =>
    Effect.gen(function* () {
      const times = timesOf(Array<number>(5000).fill(1))
      yield* TestClock.setTime(start + 3_600_000)
      const { read } = modelMarket(shownAtOnce(times))
      const pages = yield* Stream.runCollect(tradePages(read, { ...place, since, pageSize: 500 }))
      for (const { cursor } of pages) assert.strictEqual(knownIn(cursor), 1)
    })
  )

  it.effect("holds the ids of at most twice `settle` near the present", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const perSecond = 20
      const tape = Array.from({ length: 120 * perSecond }, (_, index) => start + (index * 1000) / perSecond)
      const { read } = modelMarket(tape.map((time) => ({ time, shownAt: time })))
      const sizes: Array<number> = []
      const fiber = yield* tradePages(read, { ...place, since, live: true }).pipe(
        Stream.runForEach(({ cursor }) => Effect.sync(() => sizes.push(knownIn(cursor)))),
        Effect.forkChild
      )
      for (let second = 0; second < 120; second++) yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.isAtLeast(Math.max(...sizes), 10 * perSecond)
      assert.isAtMost(Math.max(...sizes), 22 * perSecond)
    })
  )

  it.effect("holds the ids of some minutes where the reading falls behind the market", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const calm = Array.from({ length: 15 }, (_, second) => start + second * 1000)
      const busy = Array.from({ length: 600 * 10 }, (_, index) => start + 15_000 + index * 100)
      const { read } = modelMarket([...calm, ...busy].map((time) => ({ time, shownAt: time })))
      const slowly = (request: Parameters<typeof read>[0]) => Effect.delay(read(request), "1 second")
      const readPerSecond = 8
      const sizes: Array<number> = []
      const fiber = yield* tradePages(slowly, { ...place, since, live: true, pageSize: readPerSecond }).pipe(
        Stream.runForEach(({ cursor }) => Effect.sync(() => sizes.push(knownIn(cursor)))),
        Effect.forkChild
      )
      for (let second = 0; second < 600; second++) yield* TestClock.adjust("1 second")
      yield* Fiber.interrupt(fiber)
      assert.isAtLeast(sizes.length, 550)
      assert.isAtMost(Math.max(...sizes), 190 * readPerSecond)
    })
  )
})
