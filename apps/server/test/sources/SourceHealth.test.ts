import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Recorders from "../../src/cex/tape/record/Recorders.ts"
import { Wakeups } from "../../src/live/Wakeups.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"
import { exchangeError, makeFakeMarket } from "../cex/tape/record/FakeMarket.ts"
import { makeMemoryTape } from "../cex/tape/store/MemoryTape.ts"
import { testOwnership } from "../ownership/TestOwnership.ts"
import { makeSteppedClock } from "../SteppedClock.ts"

const hourMs = 3_600_000
const epoch = 1_800_000_000_000

const health = Effect.gen(function* () {
  const service = Context.get(
    yield* Layer.build(
      SourceHealth.layer([
        { id: "fake", kind: "exchange" },
        { id: "devnet", kind: "blockchain" }
      ])
    ),
    SourceHealth
  )
  const getState = (id: string) =>
    Effect.map(service.all, (all) => Option.getOrThrow(Option.fromUndefinedOr(all.find((one) => one.id === id))))
  return { service, getState }
})

/** A recording of a fake exchange without any requests. */
const recorded = Effect.gen(function* () {
  yield* TestClock.setTime(epoch)
  const { service, getState } = yield* health
  const market = makeFakeMarket("sequence")
  market.trade(10, epoch)
  const begin = Layer.build(
    Recorders.layer([{ exchange: "fake", market: { base: "BTC", quote: "USD" } }], undefined).pipe(
      Layer.provide([
        market.layer,
        makeMemoryTape().layer,
        Layer.succeed(SourceHealth, service),
        testOwnership(),
        Wakeups.layer
      ])
    )
  )
  return { market, begin, state: getState("fake") }
})

describe("the health of a source", () => {
  it.effect("is that of its last call, and unknown once a failure is two minutes old", () =>
    Effect.gen(function* () {
      const { service, getState } = yield* health
      assert.deepInclude(yield* getState("fake"), { state: "idle", lastSuccessAt: null, lastErrorAt: null })
      yield* service.exchange.failed("fake", "down")
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(yield* getState("fake"), { state: "failing", lastError: "down" })
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* getState("fake"), { state: "idle", lastError: "down" })
      yield* service.exchange.failed("fake", "down again")
      assert.strictEqual((yield* getState("fake")).state, "failing")
      yield* service.exchange.succeeded("fake")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* getState("fake")).state, "ok")
    }).pipe(Effect.scoped)
  )

  it.effect("is unknown after two minutes, also if the clock is changed", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      yield* Effect.gen(function* () {
        const { service, getState } = yield* health
        yield* service.exchange.failed("fake", "down")
        yield* step(hourMs)
        assert.strictEqual((yield* getState("fake")).state, "failing")
        yield* step(-hourMs)
        yield* TestClock.adjust("121 seconds")
        assert.strictEqual((yield* getState("fake")).state, "idle")
      }).pipe(Effect.provideService(Clock.Clock, clock))
    }).pipe(Effect.scoped)
  )

  it.effect("keeps the newest block that was seen, also after a node that is late", () =>
    Effect.gen(function* () {
      const { service, getState } = yield* health
      for (const [seen, newest] of [
        [5, 5],
        [3, 5],
        [9, 9]
      ] as const) {
        yield* service.blockchain.advanced("devnet", seen)
        assert.strictEqual((yield* getState("devnet")).head, newest)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("is separate for an exchange and a chain of the same id", () =>
    Effect.gen(function* () {
      const both = [
        { id: "ronin", kind: "exchange" },
        { id: "ronin", kind: "blockchain" }
      ] as const
      const { all, blockchain, exchange } = Context.get(yield* Layer.build(SourceHealth.layer(both)), SourceHealth)
      const states = Effect.map(all, (sources) => sources.map(({ kind, state }) => `${kind} ${state}`))
      assert.deepStrictEqual(yield* states, ["exchange idle", "blockchain idle"])
      yield* exchange.failed("ronin", "down")
      yield* blockchain.succeeded("ronin")
      assert.deepStrictEqual(yield* states, ["exchange failing", "blockchain ok"])
    }).pipe(Effect.scoped)
  )

  it.effect("follows a recording from trades to a cut and back, without a request", () =>
    Effect.gen(function* () {
      const { begin, market, state } = yield* recorded
      yield* begin
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* state, { state: "ok", lastSuccessAt: epoch, lastError: null })
      const cut = exchangeError("Unavailable")
      market.connectFails = () => cut
      yield* market.disconnect(cut)
      yield* TestClock.adjust("1 millis")
      assert.deepInclude(yield* state, { state: "failing", lastErrorAt: epoch + 1000, lastError: cut.message })
      // Each failed attempt renews the failure: it does not age while the outage lasts.
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* state).state, "failing")
      market.connectFails = () => undefined
      yield* TestClock.adjust("1 minute")
      const healed = yield* state
      assert.strictEqual(healed.state, "ok")
      assert.isAbove(healed.lastSuccessAt ?? 0, healed.lastErrorAt ?? 0)
    }).pipe(Effect.scoped)
  )

  it.effect("receives the failures of closing gaps", () =>
    Effect.gen(function* () {
      const { begin, market, state } = yield* recorded
      market.trade(5000, epoch)
      market.rangeAnswer = () => Effect.fail(exchangeError("BadResponse"))
      yield* begin
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* state, { state: "failing", lastError: exchangeError("BadResponse").message })
      market.rangeAnswer = Effect.succeed
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* state).state, "ok")
    }).pipe(Effect.scoped)
  )

  it.effect("is not affected by an unlisted market, but by an exchange that cannot be opened", () =>
    Effect.gen(function* () {
      const { begin, market, state } = yield* recorded
      market.openFails = () => exchangeError("MarketNotFound")
      yield* begin
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* state, { state: "idle", lastError: null })
      market.openFails = () => exchangeError("Timeout")
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* state).state, "failing")
    }).pipe(Effect.scoped)
  )
})
