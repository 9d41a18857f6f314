import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { Fault } from "../../src/exchange/faults/Fault.ts"
import { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"
import { call, ids, listen, matches, moment, subscribe, until, untilSo } from "./RunningExchange.ts"

type Exchange = SandboxExchange["Service"]

const exchangeWith = <A, E>(faults: ReadonlyArray<Fault>, use: (exchange: Exchange) => Effect.Effect<A, E, never>) =>
  Effect.gen(function* () {
    const exchange = yield* SandboxExchange
    yield* exchange.faults.set({ seed: 11, faults })
    return yield* use(exchange)
  }).pipe(
    Effect.provide(
      SandboxExchange.layer({ rateLimit: "none", tradesPerSecond: 1000, tick: "10 millis", history: "10 minutes" })
    )
  )

const trades = "/products/BTC-USD/trades?limit=20&after=500"

const idsOf = (body: string): ReadonlyArray<number> =>
  JSON.parse(body).map((row: { readonly trade_id: number }) => row.trade_id)

const start = 1_700_000_000_000

/** The same, with a clock that only the test advances. */
const standing: typeof exchangeWith = (faults, use) =>
  Effect.andThen(TestClock.setTime(start), exchangeWith(faults, use))

const hits = (exchange: Exchange) => Effect.map(exchange.faults.get, ({ faults }) => faults.map((fault) => fault.hits))

/** Waits until the faults have happened so often, and their responses are on the way. */
const untilHits = (exchange: Exchange, ...counts: ReadonlyArray<number>) =>
  Effect.andThen(
    untilSo(
      `${counts.join()} hits`,
      Effect.map(hits(exchange), (found) => found.join() === counts.join())
    ),
    moment
  )

/** A client of the stream that ends when it has read enough. */
const watch = (exchange: Exchange, enough: (count: number) => boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const listener = yield* listen(exchange)
      listener.send(subscribe("BTC-USD"))
      yield* until("enough frames", () => enough(matches(listener).length) || listener.closed() !== undefined)
      return { frames: matches(listener), closed: listener.closed() }
    })
  )

const missing = (seen: ReadonlyArray<number>) => {
  const set = new Set(seen)
  const holes: Array<number> = []
  for (let id = Math.min(...seen); id <= Math.max(...seen); id++) if (!set.has(id)) holes.push(id)
  return holes
}

describe("faults of REST", { timeout: 60_000 }, () => {
  it.effect("latency delays the responses of one endpoint, by a fixed time or with a tail", () =>
    standing(
      [
        { kind: "latency", milliseconds: 250, endpoint: "trades", count: 1 },
        { kind: "latency", milliseconds: 100, tailMilliseconds: 200, endpoint: "candles" }
      ],
      (exchange) =>
        Effect.gen(function* () {
          const late = yield* Effect.forkChild(call(exchange, trades))
          yield* untilHits(exchange, 1, 0)
          const tail = yield* Effect.forkChild(call(exchange, "/products/BTC-USD/candles"))
          yield* untilHits(exchange, 1, 1)
          /**
           * Which of both have a response within so many milliseconds more, in which another request is answered at
           * once.
           */
          const answeredAfter = Effect.fnUntraced(function* (milliseconds: number) {
            yield* TestClock.adjust(milliseconds)
            assert.strictEqual((yield* call(exchange, trades)).status, 200)
            return [late, tail].map((fiber) => fiber.pollUnsafe() !== undefined)
          })
          assert.deepStrictEqual(yield* answeredAfter(99), [false, false])
          yield* TestClock.adjust(101)
          assert.strictEqual((yield* Fiber.join(tail)).status, 200)
          assert.deepStrictEqual(yield* answeredAfter(49), [false, true])
          yield* TestClock.adjust(1)
          assert.strictEqual((yield* Fiber.join(late)).status, 200)
          assert.deepStrictEqual(yield* hits(exchange), [1, 1])
        })
    )
  )

  it.effect("hang never answers, or stops after the headers", () =>
    standing(
      [
        { kind: "hang", phase: "before-headers", endpoint: "time", count: 1 },
        { kind: "hang", phase: "after-headers", endpoint: "products", count: 1 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          const silent = yield* Effect.forkChild(call(exchange, "/time"))
          yield* untilHits(exchange, 1, 0)
          const response = yield* Effect.promise(() => fetch(`${exchange.rest}/products`))
          assert.strictEqual(response.status, 200)
          const body = yield* Effect.forkChild(Effect.tryPromise(() => response.text()))
          yield* TestClock.adjust("10 seconds")
          for (const path of ["/time", "/products"]) assert.strictEqual((yield* call(exchange, path)).status, 200)
          assert.isUndefined(silent.pollUnsafe())
          assert.isUndefined(body.pollUnsafe())
        })
    )
  )

  it.effect("429 has Retry-After in seconds, as a date, or not at all", () =>
    standing(
      [
        { kind: "rate-limited", retryAfter: "seconds", seconds: 7, count: 1 },
        { kind: "rate-limited", retryAfter: "date", seconds: 30, count: 1, afterRequests: 1 },
        { kind: "rate-limited", retryAfter: "none", count: 1, afterRequests: 2 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          const first = yield* call(exchange, trades)
          assert.deepStrictEqual([first.status, first.headers.get("retry-after")], [429, "7"])
          const second = yield* call(exchange, trades)
          assert.strictEqual(Date.parse(second.headers.get("retry-after") ?? ""), start + 30_000)
          const third = yield* call(exchange, trades)
          assert.deepStrictEqual([third.status, third.headers.get("retry-after")], [429, null])
          assert.strictEqual((yield* call(exchange, trades)).status, 200)
        })
    )
  )

  it.live("5xx fails for so many calls", () =>
    exchangeWith([{ kind: "server-error", status: 520, product: "BTC-USD", count: 2 }], (exchange) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* call(exchange, "/products/ETH-USD/trades")).status, 200)
        assert.strictEqual((yield* call(exchange, trades)).status, 520)
        assert.strictEqual((yield* call(exchange, trades)).status, 520)
        assert.strictEqual((yield* call(exchange, trades)).status, 200)
      })
    )
  )

  it.live("an HTML page comes with status 200 and either content type", () =>
    exchangeWith(
      [
        { kind: "html-page", contentType: "html", count: 1 },
        { kind: "html-page", contentType: "json", afterRequests: 1, count: 1 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          for (const type of ["text/html", "application/json"]) {
            const page = yield* call(exchange, trades)
            assert.strictEqual(page.status, 200)
            assert.include(page.headers.get("content-type") ?? "", type)
            assert.match(page.body, /^<!DOCTYPE html>/)
          }
        })
    )
  )

  it.live("JSON is cut off, with a matching or a wrong length, or is missing", () =>
    exchangeWith(
      [
        { kind: "truncated-body", bytes: 100, contentLength: "matching", count: 1 },
        { kind: "truncated-body", bytes: 0, contentLength: "matching", count: 1, afterRequests: 1 },
        { kind: "truncated-body", bytes: 100, contentLength: "original", count: 1, afterRequests: 2 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          assert.strictEqual((yield* call(exchange, trades)).body.length, 100)
          assert.strictEqual((yield* call(exchange, trades)).body, "")
          assert.include((yield* Effect.flip(call(exchange, trades))).message, "other side closed")
          assert.strictEqual(idsOf((yield* call(exchange, trades)).body).length, 20)
        })
    )
  )

  it.live("the shape changes: a field, the list, a price, an id", () =>
    exchangeWith(
      (["renamed-field", "list-moved", "null-price", "id-as-other-type"] as const).map(
        (change, index) => ({ kind: "changed-shape", change, afterRequests: index, count: 1 }) satisfies Fault
      ),
      (exchange) =>
        Effect.gen(function* () {
          const next = Effect.map(call(exchange, trades), ({ body }) => JSON.parse(body))
          assert.property((yield* next)[0], "price_v2")
          assert.isArray((yield* next).data)
          assert.isNull((yield* next)[0].price)
          assert.isString((yield* next)[0].trade_id)
          assert.isNumber((yield* next)[0].trade_id)
        })
    )
  )

  it.live("a page has a row twice, its rows in disorder, or the age of a cache", () =>
    exchangeWith(
      [
        { kind: "duplicate", content: "same", endpoint: "trades", count: 1 },
        { kind: "duplicate", content: "different", endpoint: "trades", count: 1, afterRequests: 1 },
        { kind: "out-of-order", window: 5, endpoint: "trades", count: 1, afterRequests: 2 },
        { kind: "stale-page", seconds: 60, count: 1, afterRequests: 3 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          const sorted = Array.from({ length: 20 }, (_, index) => 499 - index)
          const same = JSON.parse((yield* call(exchange, trades)).body)
          assert.strictEqual(new Set(same.map((row: object) => JSON.stringify(row))).size, 20)
          assert.strictEqual(same.length, 21)
          const different = JSON.parse((yield* call(exchange, trades)).body)
          assert.strictEqual(new Set(different.map((row: object) => JSON.stringify(row))).size, 21)
          assert.strictEqual(new Set(idsOf(JSON.stringify(different))).size, 20)
          const shuffled = idsOf((yield* call(exchange, trades)).body)
          assert.notDeepEqual(shuffled, sorted)
          assert.deepStrictEqual(
            shuffled.toSorted((left, right) => right - left),
            sorted
          )
          const stale = JSON.parse((yield* call(exchange, "/products/BTC-USD/trades?limit=1")).body)
          assert.isAtLeast((yield* Clock.currentTimeMillis) - Date.parse(stale[0].time), 59_900)
          assert.deepStrictEqual(idsOf((yield* call(exchange, trades)).body), sorted)
        })
    )
  )

  it.effect("the clock is skewed in the time, the Date header and new trades, and drifts", () =>
    standing([{ kind: "clock-skew", offsetMilliseconds: 90_000, driftMillisecondsPerHour: 3_600_000 }], (exchange) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("300 millis")
        const reply = yield* call(exchange, "/time")
        const now = start + 300
        assert.approximately(JSON.parse(reply.body).epoch * 1000 - now, 90_300, 1)
        assert.strictEqual(Date.parse(reply.headers.get("date") ?? ""), start + 90_000)
        const [newest] = JSON.parse((yield* call(exchange, "/products/BTC-USD/trades?limit=1")).body)
        assert.approximately(Date.parse(newest.time) - now, 90_300, 1000)
        const journal = yield* exchange.journal("BTC-USD")
        assert.isBelow(Date.parse(journal.at(-1)?.time ?? "") - now, 1000)
        const [old] = JSON.parse((yield* call(exchange, trades)).body)
        assert.strictEqual(old.time, journal[498]?.time)
        const [candle] = JSON.parse((yield* call(exchange, "/products/BTC-USD/candles?granularity=60")).body)
        assert.isAtLeast(candle[0] * 1000, now + 30_000)
      })
    )
  )

  it.live("a rate affects that share of requests, and the same seed affects the same requests", () => {
    const run = exchangeWith([{ kind: "server-error", status: 503, rate: 0.3 }], (exchange) =>
      Effect.map(Effect.all(Array.from({ length: 100 }, () => call(exchange, "/time"))), (replies) =>
        replies.map(({ status }) => status)
      )
    )
    return Effect.gen(function* () {
      const first = yield* run
      assert.approximately(first.filter((status) => status === 503).length, 30, 15)
      assert.deepStrictEqual(yield* run, first)
    })
  })
})

describe("faults of the stream", { timeout: 60_000 }, () => {
  for (const mode of ["clean", "reset"] as const) {
    it.live(`a connection ends with a ${mode} drop after so many frames`, () =>
      exchangeWith([{ kind: "socket-drop", mode, afterRequests: 30, count: 1 }], (exchange) =>
        Effect.gen(function* () {
          const { closed, frames } = yield* watch(exchange, (count) => count > 200)
          assert.strictEqual(closed?.code, mode === "clean" ? 1000 : 1006)
          assert.isAtMost(frames.length, 31)
          const after = yield* watch(exchange, (count) => count > 40)
          assert.isUndefined(after.closed)
        })
      )
    )
  }

  it.live("a silent connection stays open and sends nothing", () =>
    exchangeWith([{ kind: "socket-drop", mode: "silence", afterRequests: 30, count: 1 }], (exchange) =>
      Effect.scoped(
        Effect.gen(function* () {
          const listener = yield* listen(exchange)
          listener.send(subscribe("BTC-USD"))
          yield* until("31 frames", () => matches(listener).length === 31)
          yield* watch(exchange, (count) => count > 50)
          assert.strictEqual(matches(listener).length, 31)
          assert.isUndefined(listener.closed())
        })
      )
    )
  )

  it.live("frames are lost: a share of them, or those with the given ids", () =>
    Effect.gen(function* () {
      const share = yield* exchangeWith([{ kind: "frame-loss", rate: 0.2 }], (exchange) =>
        watch(exchange, (count) => count > 200)
      )
      assert.isTrue(missing(ids(share.frames)).length > 15)
      yield* exchangeWith([], (exchange) =>
        Effect.gen(function* () {
          const listener = yield* listen(exchange)
          listener.send(subscribe("BTC-USD"))
          yield* until("the subscription", () => listener.frames.length > 0)
          const last = (yield* exchange.journal("BTC-USD")).length
          const tradeIds = [last + 200, last + 201, last + 205]
          yield* exchange.faults.set({ faults: [{ kind: "frame-loss", tradeIds }] })
          yield* until("later frames", () => ids(matches(listener)).some((id) => id > last + 210))
          assert.deepStrictEqual(missing(ids(matches(listener))), tradeIds)
          assert.deepStrictEqual(yield* hits(exchange), [3])
        }).pipe(Effect.scoped)
      )
    })
  )

  it.live("frames arrive twice, the second time unchanged or with another price", () =>
    Effect.gen(function* () {
      for (const content of ["same", "different"] as const) {
        const { frames } = yield* exchangeWith([{ kind: "duplicate", content, rate: 0.5 }], (exchange) =>
          watch(exchange, (count) => count > 100)
        )
        const doubles = frames.filter((frame, index) => frame.trade_id === frames[index - 1]?.trade_id)
        assert.isAbove(doubles.length, 20)
        assert.deepStrictEqual(missing(ids(frames)), [])
        const prices = new Set(
          frames.filter(({ trade_id }) => trade_id === doubles[0]?.trade_id).map(({ price }) => price)
        )
        assert.strictEqual(prices.size, content === "same" ? 1 : 2)
      }
    })
  )

  it.live("frames come out of order, but within the window, and none is lost", () =>
    Effect.gen(function* () {
      const { frames } = yield* exchangeWith([{ kind: "out-of-order", window: 5, rate: 0.2 }], (exchange) =>
        watch(exchange, (count) => count > 300)
      )
      const seen = ids(frames)
      assert.isTrue(seen.some((id, index) => id < (seen[index - 1] ?? 0)))
      const settled = seen.slice(0, -20)
      assert.isTrue(settled.every((id, index) => Math.abs(id - (seen[0] ?? 0) - index) <= 20))
      assert.isTrue(missing(settled).every((id) => seen.includes(id)))
    })
  )

  it.live("connecting hangs or is refused", () =>
    exchangeWith(
      [
        { kind: "server-error", status: 503, endpoint: "stream", count: 1 },
        { kind: "hang", phase: "before-headers", endpoint: "stream", afterRequests: 1, count: 1 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          yield* Effect.flip(Effect.scoped(listen(exchange)))
          const hanging = yield* Effect.forkChild(Effect.scoped(listen(exchange)))
          yield* untilHits(exchange, 1, 1)
          yield* watch(exchange, (count) => count > 5)
          assert.isUndefined(hanging.pollUnsafe())
        })
    )
  )
})

describe("/sandbox/faults", { timeout: 60_000 }, () => {
  it.live("shows, sets and clears the faults, with their counters", () =>
    exchangeWith([], (exchange) =>
      Effect.gen(function* () {
        const put = (body: string) => call(exchange, "/sandbox/faults", { method: "PUT", body })
        const faults = [{ kind: "server-error", status: 500, endpoint: "time", count: 1 }]
        assert.strictEqual((yield* put(JSON.stringify({ seed: 4, faults }))).status, 200)
        yield* call(exchange, "/time")
        yield* call(exchange, "/time")
        const shown = JSON.parse((yield* call(exchange, "/sandbox/faults")).body)
        assert.deepStrictEqual(shown, { seed: 4, faults: [{ ...faults[0], seen: 2, hits: 1 }] })
        yield* call(exchange, "/sandbox/faults", { method: "DELETE" })
        assert.deepStrictEqual((yield* exchange.faults.get).faults, [])
        for (const [wrong, sentence] of [
          ["{", "JSON"],
          ["[]", "object"],
          ['{"faults":[{"kind":"nonsense"}]}', "kind"],
          ['{"faults":[{"kind":"latency","milliseconds":-1}]}', "milliseconds"],
          ['{"faults":[{"kind":"frame-loss","rate":2}]}', "rate"],
          ['{"faults":[{"kind":"frame-loss","ratio":1}]}', "ratio"],
          ['{"faults":[{"kind":"frame-loss","product":"XXX-USD"}]}', "XXX-USD"]
        ] as const) {
          const refused = yield* put(wrong)
          assert.strictEqual(refused.status, 400, wrong)
          assert.include(JSON.parse(refused.body).message, sentence)
        }
      })
    )
  )

  it.live("never touch the journal", () =>
    exchangeWith(
      [
        { kind: "duplicate", content: "different" },
        { kind: "clock-skew", offsetMilliseconds: -5000 },
        { kind: "server-error", status: 500 },
        { kind: "frame-loss", rate: 0.5 }
      ],
      (exchange) =>
        Effect.gen(function* () {
          const page = JSON.parse((yield* call(exchange, "/sandbox/journal/BTC-USD?from=1&limit=300")).body)
          const truth = yield* exchange.journal("BTC-USD")
          assert.deepStrictEqual(page.trades, truth.slice(0, 300))
          assert.deepStrictEqual(
            truth.map(({ trade_id }) => trade_id),
            truth.map((_, index) => index + 1)
          )
        })
    )
  )
})
