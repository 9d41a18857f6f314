import { Cex, CexStream } from "@chaintape/cex"
import { CexTest } from "@chaintape/cex/testing"
import { Decimal, Client, Market, NoData, RateLimited, TransportError } from "@chaintape/core"
import { Faults, Script, mockResponse } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"

const market = Market.make("BTC/USD")
const place = { exchange: "stub", market }
const at = (millis: number) => DateTime.makeUnsafe(millis)

const withCex = <A, E>(use: (cex: Cex["Service"]) => Effect.Effect<A, E>) => Effect.flatMap(Cex, use)

/** Both uses of the same script: over the client's calls, and over HTTP below the client. */
const ways: ReadonlyArray<readonly [string, (script: CexTest.CexScript) => Layer.Layer<Cex>]> = [
  ["layer", CexTest.layer],
  [
    "layerHttp",
    (script) =>
      Cex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test", retry: { attempts: 1 } })),
        Layer.provide(CexTest.layerHttp(script))
      )
  ]
]

const defectOf = <A, E>(exit: Exit.Exit<A, E>): unknown =>
  Exit.isFailure(exit) && Cause.hasDies(exit.cause) ? Cause.squash(exit.cause) : undefined

const millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))
const requests = Schema.Struct({
  tape: Schema.Array(millis),
  limit: Schema.Option(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }))),
  since: Schema.Option(millis)
})

describe.each(ways)("a Cex by %s", (_, layerOf) => {
  it.effect("gives a function the standard limit for the last trade, too, and covers a list from its since", () => {
    const rows = [1000, 2000].map((time) => CexTest.trade({ id: String(time), timestamp: at(time) }))
    return Effect.gen(function* () {
      const cex = yield* Cex
      assert.strictEqual((yield* cex.lastTrade(place)).id, "2000")
      const { coverage } = yield* cex.withResponse.trades({ ...place, since: at(1500) })
      assert.deepStrictEqual(
        Option.flatMap(coverage, ({ from }) => Option.map(from, DateTime.toEpochMillis)),
        Option.some(1500)
      )
    }).pipe(Effect.provide(layerOf({ trades: ({ limit = 0 }) => rows.slice(0, limit) })))
  })

  it.effect.prop("serves since and limit from its trades as the service does", [requests], ([request]) => {
    const limit = Option.getOrUndefined(request.limit)
    const since = Option.getOrUndefined(request.since)
    const trades = request.tape.map((time, index) => CexTest.trade({ id: String(index), timestamp: at(time) }))
    return Effect.gen(function* () {
      const answered = yield* withCex((cex) =>
        cex.trades({ ...place, limit, since: since === undefined ? undefined : at(since) })
      )
      const sorted = request.tape.map((time, index) => ({ time, id: String(index) })).sort((a, b) => a.time - b.time)
      const expected =
        since === undefined
          ? sorted.slice(-(limit ?? 200))
          : sorted.filter(({ time }) => time >= since).slice(0, limit ?? 200)
      assert.deepStrictEqual(
        answered.trades.map(({ id }) => id),
        expected.map(({ id }) => id)
      )
      const newest = yield* withCex((cex) => Effect.result(cex.lastTrade(place)))
      const last = sorted.at(-1)
      if (newest._tag === "Success") assert.strictEqual(newest.success.id, last?.id)
      else {
        assert.strictEqual(newest.failure._tag, "NoData")
        assert.isUndefined(last)
      }
    }).pipe(Effect.provide(layerOf({ trades })))
  })

  it.effect("answers values as they are given, with the request's exchange and market", () =>
    Effect.gen(function* () {
      const trade = CexTest.trade({ price: 0.1, size: 3, side: "sell" })
      const cex = yield* Effect.provide(Cex, layerOf({ lastTrade: trade }))
      assert.deepEqual<unknown>(yield* cex.lastTrade(place), {
        ...place,
        ...trade,
        price: "0.1",
        size: "3",
        cost: "0.3"
      })
    })
  )

  it.effect("selects candles by time and limit, as the service does", () =>
    Effect.gen(function* () {
      const cex = yield* Effect.provide(
        Cex,
        layerOf({ candles: [3, 1, 2, 4].map((second) => CexTest.candle({ openTime: at(second) })) })
      )
      const starts = (request: { limit?: number; since?: DateTime.Utc; until?: DateTime.Utc }) =>
        Effect.map(cex.candles({ ...place, timeframe: "1m", ...request }), ({ candles }) =>
          candles.map(({ openTime }) => openTime)
        )
      assert.deepStrictEqual(yield* starts({}), [at(1), at(2), at(3), at(4)])
      assert.deepStrictEqual(yield* starts({ limit: 2, until: at(3) }), [at(2), at(3)])
      assert.deepStrictEqual(yield* starts({ limit: 2, since: at(2) }), [at(2), at(3)])
      const crossed = yield* Effect.flip(starts({ since: at(3), until: at(2) }))
      assert.deepInclude(crossed, { _tag: "InvalidParameter" })
    })
  )

  it.effect("answers with the headers given for a value", () =>
    Effect.gen(function* () {
      const candle = CexTest.candle({ openTime: at(0), high: 2, close: "2.50", volume: 3 })
      const unproven = [
        { from: at(1), to: at(1) },
        { from: at(2), to: at(2) }
      ]
      const coverage = { state: "incomplete" as const, from: at(1), to: at(2), unproven }
      const cex = yield* Effect.provide(
        Cex,
        layerOf({
          lastCandle: mockResponse(candle, { candleClosed: true, source: "record", requestId: "r", remaining: 7 }),
          trades: () => Effect.succeed(mockResponse([], { coverage }))
        })
      )
      const last = yield* cex.withResponse.lastCandle({ ...place, timeframe: "1m" })
      assert.deepEqual<unknown>(last.value, {
        ...place,
        timeframe: "1m",
        openTime: at(0),
        open: "100",
        high: "2",
        low: "100",
        close: "2.50",
        volume: "3"
      })
      assert.deepStrictEqual(
        [last.candleClosed, last.source, last.requestId, last.remaining],
        [Option.some(true), Option.some("record"), Option.some("r"), Option.some(7)]
      )
      const { coverage: answered } = yield* cex.withResponse.trades(place)
      assert.deepStrictEqual(
        answered,
        Option.some({ state: coverage.state, from: Option.some(at(1)), to: Option.some(at(2)), unproven })
      )
    })
  )

  it.effect("sees the request as the service does: with the standards of what was left out", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const script: CexTest.CexScript = { trades: ({ limit }) => (seen.push(limit), []) }
      yield* Effect.provide(
        withCex((cex) => cex.trades(place)),
        layerOf(script)
      )
      assert.deepStrictEqual(seen, [200])
    })
  )

  it.effect("fails with a problem that is given as a value, as an effect, or by a function", () =>
    Effect.gen(function* () {
      const problem = new RateLimited({ detail: "Wait.", retryAfterMs: 60_000 })
      const scripts: ReadonlyArray<CexTest.CexScript> = [
        { lastTrade: problem },
        { lastTrade: Effect.fail(problem) },
        { lastTrade: () => problem }
      ]
      for (const script of scripts) {
        const error = yield* Effect.flip(
          Effect.provide(
            withCex((cex) => cex.lastTrade(place)),
            layerOf(script)
          )
        )
        assert.deepInclude(error, { _tag: "RateLimited", retryAfterMs: 60_000 })
      }
    })
  )

  it.effect("refuses wrong parameters as the service does", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.provide(
          withCex((cex) => cex.trades({ ...place, limit: 50_001 })),
          layerOf({ trades: [] })
        )
      )
      assert.strictEqual(error._tag, "InvalidParameter")
      assert.include(error.message, "50,000")
    })
  )

  it.effect("dies with a sentence that names what the test forgot", () =>
    Effect.gen(function* () {
      const defect = defectOf(
        yield* Effect.exit(
          Effect.provide(
            withCex((cex) => cex.exchanges({})),
            layerOf({ trades: [] })
          )
        )
      )
      assert.instanceOf(defect, Script.WrongScript)
      assert.match(String(defect), /exchanges.*the test does not say what it answers/)
    })
  )

  const wrongTrades: ReadonlyArray<{ readonly name: string; readonly script: CexTest.CexScript }> = [
    { name: "a price that is no number", script: { trades: [CexTest.trade({ price: Number.NaN, cost: 1 })] } },
    { name: "a time that the wire can't hold", script: { trades: [CexTest.trade({ timestamp: at(-1) })] } }
  ]
  it.effect.each(wrongTrades)("dies where the test gives $name", ({ script }) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.provide(
          withCex((cex) => cex.trades(place)),
          layerOf(script)
        )
      )
      const defect = defectOf(exit)
      assert.instanceOf(defect, Script.WrongScript)
      assert.match(String(defect), /The value given for "cex.trades" is not one that the service can answer: /)
    })
  )

  it.effect("lists exchanges and their properties", () =>
    Effect.gen(function* () {
      const stub = { id: "stub", name: "Stub" }
      const properties = {
        ...stub,
        countries: [],
        hasTrades: true,
        hasAggregates: false,
        aggregateTimeframes: {},
        url: "",
        fees: [],
        docs: "",
        logo: ""
      }
      const cex = yield* Effect.provide(Cex, layerOf({ exchanges: [stub], exchange: properties }))
      assert.deepStrictEqual(
        (yield* cex.exchanges({})).map(({ id, name }) => ({ id, name })),
        [stub]
      )
      assert.isTrue((yield* cex.exchange({ exchange: "stub" })).hasTrades)
    })
  )
})

describe("a Cex for tests", () => {
  it.effect("dies where the script has a problem that the operation can't answer", () =>
    Effect.gen(function* () {
      const noData = new NoData({ detail: "None.", exchange: "stub", market: "BTC/USD" })
      // @ts-expect-error: the types say so too.
      // @effect-diagnostics-next-line missingEffectError:off
      const script: CexTest.CexScript = { exchanges: noData }
      const exit = yield* Effect.exit(
        Effect.provide(
          withCex((cex) => cex.exchanges({})),
          CexTest.layer(script)
        )
      )
      assert.match(
        String(defectOf(exit)),
        /"cex.exchanges" cannot fail with NoData: the operation does not have this problem/
      )
    })
  )

  it.effect("fails with an error of the client that is given", () =>
    Effect.gen(function* () {
      const error = new TransportError({ operation: "cex.lastTrade", attempts: 4, detail: "refused" })
      const failed = yield* Effect.flip(
        Effect.provide(
          withCex((cex) => cex.lastTrade(place)),
          CexTest.layer({ lastTrade: error })
        )
      )
      assert.strictEqual(failed, error)
    })
  )

  it.effect("can be combined with faults, on the test clock", () =>
    Effect.gen(function* () {
      const layer = Cex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
        Layer.provide(Faults.rateLimited({ first: 2, retryAfter: "3 seconds" })),
        Layer.provide(CexTest.layerHttp({ lastTrade: CexTest.trade({ price: 7 }) }))
      )
      const call = withCex((cex) => cex.lastTrade(place)).pipe(Effect.provide(layer))
      const fiber = yield* Effect.forkChild(call)
      yield* TestClock.adjust("6 seconds")
      assert.strictEqual((yield* Fiber.join(fiber)).price, Decimal.make("7"))
    })
  )

  it.effect("is read by streams, whose pages say where a gap is", () =>
    Effect.gen(function* () {
      const trades = Array.from({ length: 50 }, (_, index) =>
        CexTest.trade({ id: String(index), timestamp: at(index) })
      )
      const layer = Cex.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
        Layer.provide(Faults.gap({ start: at(20), end: at(30) })),
        Layer.provide(CexTest.layerHttp({ trades }))
      )
      const request = { ...place, since: at(0), pageSize: 7 }
      yield* TestClock.adjust("1 hour")
      const whole = yield* Stream.runCollect(CexStream.trades(request)).pipe(Effect.provide(CexTest.layer({ trades })))
      assert.deepStrictEqual(
        whole.map(({ id }) => id),
        trades.map(({ id }) => id)
      )
      const pages = yield* Stream.runCollect(CexStream.tradePages(request)).pipe(Effect.provide(layer))
      const ids = pages.flatMap((page) => page.trades.map(({ id }) => Number(id)))
      assert.deepStrictEqual(
        ids,
        trades.map((_, index) => index).filter((index) => index < 20 || index >= 30)
      )
      const states = pages.map(({ coverage }) => Option.getOrThrow(coverage).state)
      assert.include(states, "incomplete")
      assert.strictEqual(states[0], "complete")
    })
  )
})

describe.each(ways)("live trades of a script (%s)", (_name, layer) => {
  it.effect("are asked for, as a script has no live stream", () =>
    Effect.gen(function* () {
      let count = 3
      const script: CexTest.CexScript = {
        trades: () =>
          Array.from({ length: count++ }, (_, index) => CexTest.trade({ id: String(index), timestamp: at(index) }))
      }
      const live = CexStream.trades({ ...place, since: at(0), live: true }).pipe(
        Stream.take(6),
        Stream.runCollect,
        Effect.provide(layer(script)),
        Effect.forkChild
      )
      const fiber = yield* live
      yield* TestClock.adjust("10 seconds")
      const trades = yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        trades.map(({ id }) => id),
        ["0", "1", "2", "3", "4", "5"]
      )
    })
  )
})
