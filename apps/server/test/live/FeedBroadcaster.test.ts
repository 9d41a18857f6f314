import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { LiveEvent, LiveFeed } from "../../src/live/LiveFeed.ts"
import { LiveError } from "../../src/live/LiveFeed.ts"
import { SubscriberBuffer } from "../../src/live/SubscriberBuffer.ts"
import { Subscriptions } from "../../src/live/Subscriptions.ts"
import { Wakeups } from "../../src/live/Wakeups.ts"
import { makeSteppedClock } from "../SteppedClock.ts"
import { toEvents, openReader, subscriptionsFor } from "./TestReader.ts"

/** A feed that counts, and fails on demand. */
const makeFeed = Effect.gen(function* () {
  const { announce, watch } = yield* Wakeups
  const events: Array<LiveEvent> = []
  let failing = false
  let next: Effect.Effect<never, LiveError> | undefined
  let defects = 0
  let looks = 0
  const feed: LiveFeed = {
    name: "numbers",
    watch: watch("numbers"),
    open: (start) =>
      Effect.suspend(() => {
        if (defects-- > 0) return Effect.die(new Error("unexpected"))
        let at = "after" in start ? Number(start.after) : events.length
        return Effect.succeed({
          cursor: () => String(at),
          next: (max) =>
            Effect.suspend(() => {
              looks++
              if (next !== undefined) return next
              if (failing) return Effect.fail(new LiveError({ message: "It is down." }))
              const found = events.slice(at, at + max)
              at += found.length
              return Effect.succeed(found)
            })
        })
      })
  }
  const add = (count: number) => {
    for (let left = count; left > 0; left--) {
      events.push({ name: "trade", cursor: String(events.length + 1), data: `{"id":"${events.length + 1}"}` })
    }
    return announce("numbers")
  }
  return {
    add,
    feed,
    looks: () => looks,
    fail: (value: boolean) => void (failing = value),
    openAfterDefects: (count: number) => void (defects = count),
    readWith: (effect: typeof next) => void (next = effect)
  }
})

const world = Layer.fresh(subscriptionsFor())
const ids = (events: ReadonlyArray<{ readonly id: string | undefined }>) => events.map(({ id }) => id)

describe("the recent frames of a feed", () => {
  it.effect("reads once for all of its readers, as soon as something is announced", () =>
    Effect.gen(function* () {
      const { add, feed, looks } = yield* makeFeed
      const one = yield* openReader(feed, { from: "now" })
      const other = yield* openReader(feed, { from: "now" })
      yield* add(1)
      yield* TestClock.adjust(1)
      const before = looks()
      yield* add(3)
      yield* TestClock.adjust(1)
      assert.strictEqual(looks() - before, 1)
      assert.deepStrictEqual(ids(one?.take() ?? []), ["0", "1", "2", "3", "4"])
      assert.deepStrictEqual(ids(other?.take() ?? []), ["0", "1", "2", "3", "4"])
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("reads all that was announced at once, however much it is", () =>
    Effect.gen(function* () {
      const { add, feed } = yield* makeFeed
      const reader = yield* openReader(feed, { from: "now" })
      yield* add(2500)
      yield* TestClock.adjust(1)
      assert.strictEqual(ids(reader?.take() ?? []).at(-1), "2500")
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("asks ten times a second where nothing is announced", () =>
    Effect.gen(function* () {
      const { feed, looks } = yield* makeFeed
      yield* openReader(feed, { from: "now" })
      const before = looks()
      yield* TestClock.adjust("2 seconds")
      assert.isAtLeast(looks() - before, 18)
      assert.isAtMost(looks() - before, 21)
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("writes a comment after 15 seconds of silence", () =>
    Effect.gen(function* () {
      const { feed } = yield* makeFeed
      const reader = yield* openReader(feed, { from: "now" })
      reader?.take()
      yield* TestClock.adjust("14 seconds")
      assert.isNull(reader?.buffer.read() ?? null)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(String(reader?.buffer.read()), ": \n\n")
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("writes it after 15 seconds also if the clock was set back by an hour", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      yield* Effect.gen(function* () {
        const { feed } = yield* makeFeed
        const reader = yield* openReader(feed, { from: "now" })
        reader?.take()
        yield* step(-3_600_000)
        yield* TestClock.adjust("16 seconds")
        assert.strictEqual(String(reader?.buffer.read()), ": \n\n")
      }).pipe(Effect.provide(world), Effect.provideService(Clock.Clock, clock))
    }).pipe(Effect.scoped)
  )

  it.effect("ends its readers when reads fail for ten seconds, and continues when they succeed", () =>
    Effect.gen(function* () {
      const { add, fail, feed } = yield* makeFeed
      const reader = yield* openReader(feed, { from: "now" })
      fail(true)
      yield* add(2)
      yield* TestClock.adjust("8 seconds")
      assert.deepStrictEqual(ids(reader?.take() ?? []), ["0"])
      yield* TestClock.adjust("5 seconds")
      assert.include(reader?.take().at(-1)?.data, '"reason":"failed"')
      fail(false)
      yield* TestClock.adjust("5 seconds")
      const again = yield* openReader(feed, { after: "0" })
      assert.deepStrictEqual(ids(again?.take() ?? []), ["0", "1", "2"])
    }).pipe(Effect.provide(world), Effect.scoped)
  )
})

describe("a feed that cannot be opened, or read", () => {
  it.effect("is logged as a warning once each time", () => {
    const said: Array<string> = []
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => void said.push(`${logLevel} ${message}`))
    const warnings = () => said.filter((line) => line.startsWith("Warn")).map((line) => line.split(",")[0])
    return Effect.gen(function* () {
      const { add, fail, feed, openAfterDefects } = yield* makeFeed
      openAfterDefects(3)
      yield* openReader(feed, { from: "now" })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(warnings(), ["Warn The end of numbers cannot be found"])
      for (const times of [1, 2]) {
        fail(true)
        yield* add(1)
        yield* TestClock.adjust("5 seconds")
        fail(false)
        yield* TestClock.adjust("5 seconds")
        assert.lengthOf(warnings(), 1 + times)
        assert.strictEqual(warnings().at(-1), "Warn The events of numbers cannot be read")
      }
    }).pipe(Effect.provide(Layer.provideMerge(world, Logger.layer([logger]))), Effect.scoped)
  })
})

describe("a feed whose reads end in an unexpected way", () => {
  it.effect("is opened again after a defect", () =>
    Effect.gen(function* () {
      const { add, feed, openAfterDefects } = yield* makeFeed
      openAfterDefects(2)
      const reader = yield* openReader(feed, { from: "now" })
      yield* add(1)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(ids(reader?.take() ?? []), ["0", "1"])
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  it.effect("is refused to a subscriber that is ended before its first event", () =>
    Effect.gen(function* () {
      const { feed, openAfterDefects } = yield* makeFeed
      const { end, open } = yield* Subscriptions
      openAfterDefects(1)
      const opening = yield* Effect.forkChild(open(feed, { from: "now" }, "somebody"))
      yield* TestClock.adjust(1)
      yield* end({ reason: "closing", detail: "The service is stopping.", retryAfterMs: 1000 })
      yield* TestClock.adjust("1 second")
      const error = yield* Effect.flip(Fiber.join(opening))
      assert.strictEqual(error.message, "The stream of numbers has ended before it began: open it again.")
    }).pipe(Effect.provide(world), Effect.scoped)
  )

  for (const [what, unexpected] of [
    ["a defect", Effect.die(new Error("unexpected"))],
    // As of a read that others share, and that ends with its connection.
    ["the interruption of a part of it", Effect.flatMap(Effect.forkChild(Effect.interrupt), Fiber.join)]
  ] as const) {
    it.effect(`is read again after ${what}`, () =>
      Effect.gen(function* () {
        const { add, feed, readWith } = yield* makeFeed
        const reader = yield* openReader(feed, { from: "now" })
        readWith(unexpected)
        yield* add(1)
        yield* TestClock.adjust("1 second")
        readWith(undefined)
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(ids(reader?.take() ?? []), ["0", "1"])
      }).pipe(Effect.provide(world), Effect.scoped)
    )

    it.effect(`ends a subscriber that lags behind after ${what}`, () =>
      Effect.gen(function* () {
        const { add, feed, readWith } = yield* makeFeed
        yield* add(2)
        const reader = yield* openReader(feed, { after: "0" })
        readWith(unexpected)
        yield* TestClock.adjust("1 second")
        assert.include(reader?.take().at(-1)?.data, '"reason":"failed"')
      }).pipe(Effect.provide(world), Effect.scoped)
    )
  }
})

describe("a subscriber that resumes far behind the head", () => {
  it.effect("gets all that it lacks as fast as it reads, and is not ended by the next event", () =>
    Effect.gen(function* () {
      const { add, feed } = yield* makeFeed
      const first = yield* openReader(feed, { from: "now" })
      for (let batch = 0; batch < 10; batch++) {
        yield* add(10)
        yield* TestClock.adjust(1)
        first?.take()
      }
      const late = yield* openReader(feed, { after: "0" })
      yield* TestClock.adjust("1 second")
      for (let turn = 0; turn < 5; turn++) {
        yield* add(1)
        yield* TestClock.adjust("1 second")
        first?.take()
      }
      assert.isFalse(late?.buffer.isOver)
      const found: Array<string | undefined> = []
      for (let turn = 0; turn < 20; turn++) {
        found.push(...ids(late?.take() ?? []))
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(
        found,
        Array.from({ length: 106 }, (_, at) => String(at))
      )
    }).pipe(Effect.provide(Layer.fresh(subscriptionsFor(10, { bytes: 4000, events: 40 }))), Effect.scoped)
  )
})

describe("the buffer of a subscriber", () => {
  const limits = { bytes: 1000, events: 50 }

  it("holds what a reader has not taken, up to its bounds, and then ends", () => {
    for (const [size, count] of [
      [100, 1],
      [1, 10]
    ] as const) {
      const ends: Array<string> = []
      const buffer = new SubscriberBuffer(limits, (_, reason) => void ends.push(reason))
      const part = new TextEncoder().encode(`event: trade\nid: 1\ndata: ${"x".repeat(size)}\n\n`)
      for (let put = 0; put < 10_000 && ends.length === 0; put++) buffer.put(part, count)
      assert.deepStrictEqual(ends, ["too-slow"])
      let text = ""
      for (let read: unknown = buffer.read(); read !== null; read = buffer.read()) text += String(read)
      const last = toEvents(text).at(-1)
      assert.strictEqual(last?.name, "end")
      assert.include(last?.data, '"reason":"too-slow"')
      assert.isUndefined(last?.id)
    }
  })

  it("takes nothing more once it has ended", () => {
    const buffer = new SubscriberBuffer(limits, () => {})
    buffer.finish({ reason: "closing", detail: "It stops.", retryAfterMs: 1000 })
    buffer.put(new TextEncoder().encode("event: trade\nid: 1\ndata: 1\n\n"), 1)
    buffer.finish({ reason: "failed", detail: "Again.", retryAfterMs: null })
    assert.deepStrictEqual(
      toEvents(String(buffer.read())).map(({ data }) => data),
      ['{"reason":"closing","detail":"It stops.","retryAfterMs":1000}']
    )
  })
})
