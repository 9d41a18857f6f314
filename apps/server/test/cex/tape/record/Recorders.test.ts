import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as Recorders from "../../../../src/cex/tape/record/Recorders.ts"
import { startingState, toStatus } from "../../../../src/cex/tape/record/RecordingState.ts"
import * as Retention from "../../../../src/cex/tape/record/Retention.ts"
import { Tape, tapeTopic } from "../../../../src/cex/tape/Tape.ts"
import { TradeFlow } from "../../../../src/cex/TradeFlow.ts"
import { Wakeups } from "../../../../src/live/Wakeups.ts"
import { SourceHealth } from "../../../../src/sources/SourceHealth.ts"
import { RecordingStatuses } from "../../../../src/status/RecordingStatuses.ts"
import { TapeRetention } from "../../../../src/status/TapeRetention.ts"
import { testOwnership } from "../../../ownership/TestOwnership.ts"
import { makeMemoryTape, storeDown } from "../store/MemoryTape.ts"
import { exchangeError, makeFakeMarket } from "./FakeMarket.ts"

const epoch = 1_800_000_000_000
const day = 86_400_000
const pair = (base: string) => ({ base, quote: "USD" })

const hasNoOwner = "No instance does this work at the moment."

describe("the recordings of a service", () => {
  it.effect("continue if the exchange does not list one of the markets", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const market = makeFakeMarket("sequence")
      market.trade(10, epoch)
      const tape = makeMemoryTape()
      const { open } = Context.get(yield* Layer.build(market.layer), TradeFlow)
      const flows = Layer.succeed(TradeFlow, {
        open: (exchange, { base, quote }) =>
          base === "BTC" ? open(exchange, { base, quote }) : Effect.fail(exchangeError("MarketNotFound"))
      })
      const markets = [
        { exchange: "fake", market: pair("XYZ") },
        { exchange: "fake", market: pair("BTC") }
      ]
      const built = yield* Layer.build(
        Recorders.layer(markets, undefined).pipe(
          Layer.provide([flows, tape.layer, testOwnership(), SourceHealth.layer([]), Wakeups.layer])
        )
      )
      const { all, isLive } = Context.get(built, RecordingStatuses)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        (yield* all).map(({ lastError, market, state }) => [market, state, lastError]),
        [
          ["XYZ/USD", "unsupported", 'The exchange "fake" answers MarketNotFound.'],
          ["BTC/USD", "live", null]
        ]
      )
      assert.deepStrictEqual(
        yield* Effect.all([isLive("fake", "BTC/USD"), isLive("fake", "XYZ/USD"), isLive("other", "BTC/USD")]),
        [true, false, false]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("wake the readers of a market after each write of it, and of no other market", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const market = makeFakeMarket("sequence")
      market.trade(10, epoch)
      const announced: Array<string> = []
      const wakeups = Layer.succeed(Wakeups, {
        announce: (topic) => Effect.sync(() => void announced.push(topic)),
        watch: () => Effect.succeed(Effect.never)
      })
      const tape = makeMemoryTape().layer
      const services = Layer.mergeAll(market.layer, tape, testOwnership(), SourceHealth.layer([]), wakeups)
      yield* Layer.build(
        Recorders.layer([{ exchange: "fake", market: pair("BTC") }], undefined).pipe(Layer.provide(services))
      )
      yield* TestClock.adjust("1 second")
      const before = announced.length
      assert.isAbove(before, 0)
      assert.deepStrictEqual([...new Set(announced)], [tapeTopic("fake", "BTC/USD")])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(announced.length, before)
      yield* market.emit("live", market.trade(1, epoch))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(announced.length, before + 1)
    }).pipe(Effect.scoped)
  )

  it.effect("of other instances have the published status of their owners, and only while these run", () =>
    Effect.gen(function* () {
      const recording = { ...toStatus("fake", "BTC/USD", startingState, 0), state: "live" as const, from: 1, to: 2 }
      let ageMs = 0
      let isLive = true
      const published = (name: string) =>
        name === "recording:fake/BTC/USD" ? { status: { recording, isLive }, ageMs } : undefined
      const market = makeFakeMarket("sequence")
      const elsewhere = Layer.mergeAll(
        market.layer,
        makeMemoryTape().layer,
        testOwnership({ owns: [], published }),
        SourceHealth.layer([]),
        Wakeups.layer
      )
      const markets = ["BTC", "XYZ"].map((base) => ({ exchange: "fake", market: pair(base) }))
      const built = yield* Layer.build(Recorders.layer(markets, undefined).pipe(Layer.provide(elsewhere)))
      const statuses = Context.get(built, RecordingStatuses)
      const seen = Effect.gen(function* () {
        const [first, second] = yield* statuses.all
        return [first?.state, first?.lastError, second?.state, yield* statuses.isLive("fake", "BTC/USD")]
      })
      assert.deepStrictEqual(yield* seen, ["live", null, "starting", true])
      isLive = false
      assert.deepStrictEqual(yield* seen, ["live", null, "starting", false])
      isLive = true
      ageMs = 2500
      assert.deepStrictEqual(yield* seen, ["live", null, "starting", false])
      ageMs = 3001
      assert.deepStrictEqual(yield* seen, ["disconnected", hasNoOwner, "starting", false])
      assert.strictEqual((yield* statuses.all)[0]?.to, 2)
      assert.isFalse(yield* statuses.isLive("fake", "XYZ/USD"))
    }).pipe(Effect.scoped)
  )

  it.effect("drop old days at the start and once a day, and again after ten minutes where that fails", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const asked: Array<number> = []
      let isDown = false
      const memory = makeMemoryTape()
      const tape = Layer.effect(
        Tape,
        Effect.map(Tape, (service) =>
          Tape.of({
            ...service,
            dropBefore: (time) =>
              Effect.suspend(() => {
                asked.push(time)
                return isDown ? Effect.fail(storeDown) : Effect.succeed(asked.length * 100)
              })
          })
        )
      ).pipe(Layer.provide(memory.layer))
      const built = yield* Layer.build(Retention.layer(30).pipe(Layer.provide([tape, testOwnership()])))
      const status = Effect.map(Context.get(built, TapeRetention).status, Option.getOrUndefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked, [epoch - 30 * day])
      assert.deepStrictEqual(yield* status, { days: 30, lastRunAt: epoch, dropped: 100, lastError: null })
      isDown = true
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(asked, [epoch - 30 * day, epoch - 29 * day])
      assert.deepStrictEqual(yield* status, {
        days: 30,
        lastRunAt: epoch,
        dropped: 100,
        lastError: `Old days cannot be dropped: ${storeDown.message}`
      })
      isDown = false
      yield* TestClock.adjust("10 minutes")
      const retried = epoch + day + 600_000
      assert.deepStrictEqual(yield* status, { days: 30, lastRunAt: retried, dropped: 300, lastError: null })
    }).pipe(Effect.scoped)
  )
})
