import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Metric, Scheduler } from "effect"
import { TestClock } from "effect/testing"
import { makeRecorder } from "../../../../src/cex/tape/record/Recorder.ts"
import { Tape, TapeConflictError } from "../../../../src/cex/tape/Tape.ts"
import { LeaseLostError } from "../../../../src/ownership/Lease.ts"
import type { RecordingStatus } from "../../../../src/status/RecordingStatuses.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { makeSteppedClock } from "../../../SteppedClock.ts"
import type { MemoryTape } from "../store/MemoryTape.ts"
import { makeMemoryTape } from "../store/MemoryTape.ts"
import type { FakeMarket } from "./FakeMarket.ts"
import { exchangeError, makeFakeMarket, unobserved } from "./FakeMarket.ts"

const epoch = 1_800_000_000_000
const day = 86_400_000

const record = Effect.fnUntraced(function* (market: FakeMarket, tape: MemoryTape, keepMs?: number) {
  const recorder = makeRecorder({ ...unobserved, keepMs })
  const fiber = yield* Effect.forkChild(recorder.run.pipe(withLease, Effect.provide([market.layer, tape.layer])))
  return { recorder, stop: Fiber.interrupt(fiber) }
})

const world = Effect.fnUntraced(function* (trades: number) {
  yield* TestClock.setTime(epoch)
  const market = makeFakeMarket("sequence")
  const tape = makeMemoryTape()
  market.trade(trades, epoch)
  return { market, tape }
})

const kinds = ({ events }: MemoryTape) => events.map(({ kind }) => kind)

/** Runs a check before every step of the scheduled fibers: between them others may run. */
class InspectingScheduler extends Scheduler.MixedScheduler {
  inspect: () => void = () => {}
  override shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    this.inspect()
    return super.shouldYield(fiber)
  }
}

describe("a recording", () => {
  it.effect("ends when another instance has taken it over, however much waits to be written", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const lost = new LeaseLostError({ name: "recording:fake/BTC/USD", epoch: 1 })
      let isLost = false
      const contested = Layer.effect(
        Tape,
        Effect.map(Tape, (service) =>
          Tape.of({ ...service, append: (...change) => (isLost ? Effect.fail(lost) : service.append(...change)) })
        )
      ).pipe(Layer.provideMerge(tape.layer))
      const recorder = makeRecorder(unobserved)
      const fiber = yield* Effect.forkChild(
        recorder.run.pipe(withLease, Effect.provide(Layer.merge(market.layer, contested)), Effect.flip)
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* recorder.status).state, "live")
      isLost = true
      yield* market.emit("live", market.trade(5, epoch + 1000))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(fiber), lost)
      assert.strictEqual(tape.trades.size, 10)
    })
  )

  it.effect("loses no trade after many conflicts with another writer", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      let conflicts = 0
      const contested = Layer.effect(
        Tape,
        Effect.map(Tape, (service) =>
          Tape.of({
            ...service,
            append: (series, change) =>
              conflicts-- > 0
                ? Effect.fail(new TapeConflictError({ series, version: change.version }))
                : service.append(series, change)
          })
        )
      ).pipe(Layer.provideMerge(tape.layer))
      const { recorder, stop } = yield* record(market, { ...tape, layer: contested })
      yield* TestClock.adjust("1 second")
      conflicts = 10
      yield* market.emit("live", market.trade(5, epoch + 1000))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([tape.trades.size, kinds(tape)], [15, ["connected"]])
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* stop
    })
  )

  it.effect("catches up until the first trades of its newest connection are stored", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 800 })
      yield* market.emit("live", market.trade(1, epoch + 1000))
      yield* TestClock.adjust("500 millis")
      market.trade(1, epoch + 2000)
      yield* market.disconnect(exchangeError("Unavailable"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([market.connects(), tape.trades.size], [2, 11])
      yield* TestClock.adjust("400 millis")
      assert.strictEqual((yield* recorder.status).state, "catching-up")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* stop
    })
  )

  it.effect("is never live while a gap is being closed", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const scheduler = new InspectingScheduler()
      const { recorder, stop } = yield* Effect.provideService(record(market, tape), Scheduler.Scheduler, scheduler)
      yield* TestClock.adjust("1 second")
      const shown: Array<RecordingStatus> = []
      scheduler.inspect = () => void shown.push(Effect.runSync(recorder.status))
      for (let turn = 1; turn <= 5; turn++) {
        yield* market.emit("live", market.trade(3, epoch + turn * 1000).slice(1))
        yield* TestClock.adjust("5 seconds")
      }
      assert.isAbove(shown.filter(({ gapCount }) => gapCount > 0).length, 100)
      assert.deepStrictEqual(
        shown.filter(({ gapCount, state }) => state === "live" && gapCount > 0),
        []
      )
      yield* stop
    })
  )

  it.effect("is catching up if trades wait for two seconds, also if the clock is changed", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      yield* Effect.gen(function* () {
        const { market, tape } = yield* world(10)
        const { recorder, stop } = yield* record(market, tape)
        yield* TestClock.adjust("1 second")
        assert.isTrue(yield* recorder.isLive)
        tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 10_000 })
        yield* market.emit("live", market.trade(1, epoch + 1000))
        yield* TestClock.adjust("1500 millis")
        yield* step(3_600_000)
        assert.isTrue(yield* recorder.isLive)
        yield* step(-3_600_000)
        assert.strictEqual((yield* recorder.status).state, "live")
        yield* TestClock.adjust("600 millis")
        assert.isFalse(yield* recorder.isLive)
        assert.strictEqual((yield* recorder.status).state, "catching-up")
        tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
        yield* TestClock.adjust("20 seconds")
        assert.isTrue(yield* recorder.isLive)
        assert.strictEqual((yield* recorder.status).state, "live")
        yield* stop
      }).pipe(Effect.provideService(Clock.Clock, clock))
    })
  )

  it.effect("is not up to date where the exchange has sent nothing for 2.5 s, and is again with its next message", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      yield* market.beat
      const unchanged = yield* recorder.watchUnchanged
      yield* TestClock.adjust("2500 millis")
      assert.isTrue(yield* recorder.isLive)
      assert.isTrue(unchanged?.())
      yield* TestClock.adjust(1)
      assert.isFalse(yield* recorder.isLive)
      assert.isFalse(unchanged?.())
      assert.strictEqual((yield* recorder.status).state, "catching-up")
      yield* market.beat
      yield* TestClock.adjust("50 millis")
      assert.isTrue(yield* recorder.isLive)
      assert.isTrue(unchanged?.())
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* stop
    })
  )

  it.effect("backfills the 50,000 trades before the first that it sees, part by part", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(60_000)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("200 millis")
      assert.strictEqual((yield* recorder.status).state, "live")
      assert.strictEqual((yield* recorder.status).missing, 49_900)
      yield* TestClock.adjust("1 second").pipe(
        Effect.repeat({ until: () => kinds(tape).includes("backfilled"), times: 20 })
      )
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [[10_001, 60_000]]
      )
      assert.lengthOf(market.ranges, 13)
      const { backfilled, missing, stored } = yield* recorder.status
      assert.deepStrictEqual({ backfilled, missing, stored }, { backfilled: 49_900, missing: 0, stored: 50_000 })
      assert.deepStrictEqual(kinds(tape), ["connected", "gap", "backfilled"])
      yield* stop
    })
  )

  it.effect("drops a trade dated years before the others, since the retention would delete them with it", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const [good, misdated] = market.trade(2, epoch + 1000)
      assert.isDefined(good)
      assert.isDefined(misdated)
      const wrong = { ...misdated, timestamp: Date.UTC(2012, 0, 1) }
      market.rangeAnswer = (trades) => Effect.succeed(trades.map((one) => (one.id === wrong.id ? wrong : one)))
      yield* market.emit("live", [good, wrong])
      yield* TestClock.adjust("1 second")
      yield* market.emit("live", market.trade(1, epoch + 2000))
      yield* TestClock.adjust("1 second")
      assert.isTrue([...tape.trades.values()].every(({ timestamp }) => timestamp >= epoch))
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [
          [1, 11],
          [13, 13]
        ]
      )
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(kinds(tape), ["connected", "dropped", "gap", "unfillable"])
      assert.isAtMost(market.ranges.length, 10)
      assert.strictEqual((yield* recorder.status).gapCount, 1)
      yield* stop
    })
  )

  it.effect("does not request trades that are older than the retention of the tape", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(20_000)
      market.trade(2000, epoch + 5 * day)
      yield* TestClock.setTime(epoch + 5 * day)
      const { stop } = yield* record(market, tape, day)
      yield* TestClock.adjust("1 minute")
      const [oldest] = tape.coverage()
      assert.isAbove(oldest?.from ?? 0, 15_000)
      assert.isBelow(oldest?.from ?? 0, 20_002)
      yield* stop
    })
  )

  it.effect("waits half a second for a late trade before it requests the trade", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const [first, late, last] = market.trade(3, epoch + 1000)
      if (first === undefined || late === undefined || last === undefined) return assert.fail()
      yield* market.emit("live", [first, last])
      yield* TestClock.adjust("100 millis")
      assert.strictEqual((yield* recorder.status).state, "catching-up")
      assert.deepStrictEqual(
        (yield* recorder.status).gaps.map(({ from, state, to }) => [from, to, state]),
        [[12, 12, "open"]]
      )
      yield* market.emit("live", [late])
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* recorder.status).state, "live")
      assert.lengthOf(market.ranges, 0)
      assert.deepStrictEqual(kinds(tape), ["connected"])
      yield* stop
    })
  )

  it.effect("groups the digits of many missing trades", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      yield* market.emit("live", market.trade(1235, epoch + 1000).slice(-1))
      yield* TestClock.adjust("20 seconds")
      const details = tape.events.map(({ detail }) => detail)
      assert.include(details, "1,234 missing trades were read.")
      yield* stop
    })
  )

  it.effect("reports one missing trade in the singular", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      yield* market.emit("live", market.trade(2, epoch + 1000).slice(1))
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(
        tape.events.map(({ detail }) => detail).filter((detail) => detail.includes("missing")),
        ["1 trade is missing.", "1 missing trade was read."]
      )
      yield* stop
    })
  )

  it.effect("shows a gap as unfillable once the exchange has none of its trades for a minute, and asks rarely", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      market.rangeAnswer = () => Effect.succeed([])
      yield* market.emit("live", market.trade(3, epoch + 1000).slice(2))
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual((yield* recorder.status).state, "catching-up")
      yield* TestClock.adjust("1 minute")
      const { gaps, state } = yield* recorder.status
      assert.deepStrictEqual([gaps[0]?.from, gaps[0]?.to, gaps[0]?.state, state], [11, 12, "unfillable", "live"])
      const asked = market.ranges.length
      yield* TestClock.adjust("9 minutes")
      assert.isAtMost(market.ranges.length, asked + 1)
      market.rangeAnswer = Effect.succeed
      yield* TestClock.adjust("21 minutes")
      assert.lengthOf(tape.coverage(), 1)
      assert.deepStrictEqual(kinds(tape), ["connected", "gap", "unfillable", "backfilled"])
      yield* stop
    })
  )

  it.effect("closes an old gap also while new ones keep coming", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      market.rangeAnswer = (right) => Effect.delay(Effect.succeed(right), "400 millis")
      const { stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      market.trade(20_000, epoch + 1000)
      for (let turn = 0; turn < 40; turn++) {
        yield* market.emit("live", market.trade(2000, yield* Clock.currentTimeMillis).slice(1))
        yield* TestClock.adjust("300 millis")
      }
      assert.isAbove(tape.coverage()[0]?.to ?? 0, 20_010)
      yield* stop
    })
  )

  it.effect("reports its tape as unchanged until something is written, or may have been", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      assert.isUndefined(yield* recorder.watchUnchanged)
      yield* TestClock.adjust("1 second")
      const requireWatch = Effect.flatMap(recorder.watchUnchanged, (isTrue) =>
        isTrue === undefined ? Effect.die("the tape is not up to date") : Effect.succeed(isTrue)
      )
      const first = yield* requireWatch
      yield* TestClock.adjust("1 hour")
      assert.isTrue(first())
      // A repetition changes nothing.
      yield* market.emit("live", market.journal.slice(-1))
      yield* TestClock.adjust("1 second")
      assert.isTrue(first())
      yield* market.emit("live", market.trade(1, epoch + 1000))
      yield* TestClock.adjust("1 second")
      assert.isFalse(first())
      const second = yield* requireWatch
      assert.isTrue(second())
      // A transaction that fails may have been committed.
      tape.fate = () => ({ failsBefore: false, failsAfter: true, milliseconds: 0 })
      yield* market.emit("live", market.trade(1, epoch + 2000))
      yield* TestClock.adjust("60 millis")
      assert.isFalse(second())
      tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
      yield* TestClock.adjust("20 seconds")
      const third = yield* requireWatch
      yield* market.disconnect(exchangeError("Unavailable"))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(third())
      assert.isUndefined(yield* recorder.watchUnchanged)
      yield* stop
    })
  )

  it.effect("is never written to while it is reported as unchanged", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const watches: Array<{ readonly isTrue: () => boolean; readonly count: number }> = []
      let held = 0
      for (let turn = 0; turn < 200; turn++) {
        // Also during a slow transaction.
        tape.fate = () => ({ failsBefore: turn % 11 === 0, failsAfter: turn % 7 === 0, milliseconds: (turn * 37) % 90 })
        if (turn % 3 === 0) yield* market.emit("live", market.trade(1 + (turn % 4), yield* Clock.currentTimeMillis))
        yield* TestClock.adjust((turn * 13) % 70)
        const isTrue = yield* recorder.watchUnchanged
        if (isTrue !== undefined) watches.push({ isTrue, count: tape.trades.size })
        for (const one of watches) {
          if (!one.isTrue()) continue
          held += 1
          assert.strictEqual(one.count, tape.trades.size)
        }
      }
      assert.isAbove(held, 50)
      yield* stop
    })
  )

  it.effect("waits as long as the exchange asks before it connects again, and twice as long after each failure", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* recorder.isLive)
      market.connectFails = () => exchangeError("Busy", 60_000)
      yield* market.disconnect(exchangeError("Unavailable"))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(yield* recorder.isLive)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(market.connects(), 2)
      yield* TestClock.adjust("57 seconds")
      assert.strictEqual(market.connects(), 2)
      assert.include((yield* recorder.status).lastError ?? "", "Busy")
      market.connectFails = () => exchangeError("Unavailable")
      yield* TestClock.adjust("3 minutes")
      assert.isBelow(market.connects(), 20)
      market.connectFails = () => undefined
      yield* TestClock.adjust("31 seconds")
      const { disconnects, lastError, state } = yield* recorder.status
      assert.deepStrictEqual({ disconnects, lastError, state }, { disconnects: 1, lastError: null, state: "live" })
      assert.deepStrictEqual(kinds(tape), ["connected", "disconnected", "connected"])
      yield* stop
    })
  )

  it.effect("counts the connections that it lost, and no failed attempt to connect", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      market.connectFails = () => exchangeError("Unavailable")
      yield* market.disconnect(exchangeError("Unavailable"))
      yield* TestClock.adjust("1 minute")
      const all = yield* Metric.snapshot
      const lost = all.find(({ id }) => id === "chaintape_recorder_disconnects_total")
      assert.deepInclude(lost?.state, { count: 1 })
      yield* stop
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("keeps the first version of a trade and records the conflict", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const [trade] = market.trade(1, epoch + 1000)
      if (trade === undefined) return assert.fail()
      yield* market.emit("live", [trade])
      yield* TestClock.adjust("1 second")
      yield* market.emit("live", [{ ...trade, price: "7" }])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(tape.trades.get(11)?.price, trade.price)
      assert.strictEqual((yield* recorder.status).conflicts, 1)
      assert.deepInclude(tape.events.at(-1), { kind: "conflict", from: 11, to: 11 })
      assert.include(tape.events.at(-1)?.detail ?? "", `at ${trade.price}`)
      yield* stop
    })
  )

  it.effect("withholds a single trade whose id is far beyond the others, and reports it once per connection", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const [wild] = market.journal.slice(-1).map((trade) => ({ ...trade, id: "9000000000000000" }))
      if (wild === undefined) return assert.fail()
      for (const id of [wild.id, "5000000000000000", wild.id]) {
        yield* market.emit("live", [...market.trade(1, epoch + 1000), { ...wild, id }])
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [[1, 13]]
      )
      assert.deepStrictEqual(kinds(tape), ["connected", "dropped"])
      assert.include(tape.events.at(-1)?.detail ?? "", wild.id)
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* market.disconnect(exchangeError("Unavailable"))
      yield* TestClock.adjust("5 seconds")
      yield* market.emit("live", [wild])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(kinds(tape), ["connected", "dropped", "disconnected", "connected", "dropped"])
      assert.deepStrictEqual([tape.trades.size, tape.broken()], [13, undefined])
      yield* stop
    })
  )

  it.effect("accepts a large increase of ids once a second trade confirms it", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      const emit = (id: number) => {
        const [trade] = market.trade(1, epoch + 1000)
        return trade === undefined ? Effect.void : market.emit("live", [{ ...trade, id: `${id}` }])
      }
      const runs = () => tape.coverage().map(({ from, to }) => [from, to])
      yield* emit(10_000_010)
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(runs().at(-1), [10_000_010, 10_000_010])
      yield* emit(20_000_011)
      yield* TestClock.adjust("100 millis")
      yield* emit(20_000_011)
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(runs().at(-1), [10_000_010, 10_000_010])
      yield* emit(20_000_012)
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(runs().at(-1), [20_000_011, 20_000_012])
      assert.isUndefined(tape.broken())
      yield* stop
    })
  )

  it.effect("leaves trades in the flow while the store fails, and loses none of them", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      tape.fate = () => ({ failsBefore: true, failsAfter: false, milliseconds: 0 })
      for (let burst = 0; burst < 12; burst++) {
        yield* market.emit("live", market.trade(5000, yield* Clock.currentTimeMillis))
        yield* TestClock.adjust("100 millis")
      }
      // One batch is being written, one waits for its transaction, and one for its turn.
      assert.strictEqual(market.waiting(), 9)
      const down = yield* recorder.status
      assert.strictEqual(down.state, "catching-up")
      assert.include(down.lastError ?? "", "store")
      assert.isFalse(yield* recorder.isLive)
      tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
      // In steps: each lets the fibers run, and one step is too short for twelve batches where the machine is busy.
      for (let step = 0; step < 60 && tape.coverage().at(-1)?.to !== 60_010; step++) yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [[1, 60_010]]
      )
      assert.isTrue(yield* recorder.isLive)
      assert.strictEqual((yield* recorder.status).dropped, 0)
      yield* stop
    })
  )

  it.effect("is not live after it discarded the newest trades, also if an older gap is closed", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      market.rangeAnswer = () => Effect.fail(exchangeError("Unavailable"))
      market.trade(5, epoch + 1000)
      yield* market.emit("live", market.trade(1, epoch + 1000))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* recorder.status).gapCount, 1)
      // The store refuses the newest trades, and nothing else.
      tape.fate = ({ trades }) => ({
        failsBefore: trades.some(({ sequence }) => sequence > 16),
        failsAfter: false,
        milliseconds: 0
      })
      yield* market.emit("live", market.trade(2, epoch + 2000))
      const isGivenUp = () => kinds(tape).includes("dropped")
      for (let step = 0; step < 120 && !isGivenUp(); step++) yield* TestClock.adjust("1 second")
      assert.isTrue(isGivenUp())
      assert.isFalse(yield* recorder.isLive)
      market.rangeAnswer = Effect.succeed
      const isClosed = () => tape.coverage().length === 1
      for (let step = 0; step < 120 && !isClosed(); step++) yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [[1, 16]]
      )
      assert.isFalse(yield* recorder.isLive)
      yield* market.emit("live", market.trade(1, yield* Clock.currentTimeMillis))
      tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
      for (let step = 0; step < 120 && tape.coverage().at(-1)?.to !== 19; step++) yield* TestClock.adjust("1 second")
      for (let step = 0; step < 120 && !isClosed(); step++) yield* TestClock.adjust("1 second")
      assert.isTrue(isClosed())
      assert.isTrue(yield* recorder.isLive)
      yield* stop
    })
  )

  it.effect("counts and records the trades that the flow dropped, and reads them again", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      market.trade(12_000, epoch + 1000)
      yield* market.emit("page", market.trade(1, epoch + 1000), 12_000)
      yield* TestClock.adjust("100 millis")
      const { dropped, gapCount, state } = yield* recorder.status
      assert.deepStrictEqual({ dropped, gapCount, state }, { dropped: 12_000, gapCount: 1, state: "catching-up" })
      assert.include(tape.events.find(({ kind }) => kind === "dropped")?.detail ?? "", "12,000 trades were dropped")
      yield* TestClock.adjust("1 minute")
      assert.isTrue(yield* recorder.isLive)
      assert.deepStrictEqual(
        tape.coverage().map(({ from, to }) => [from, to]),
        [[1, 12_011]]
      )
      yield* stop
    })
  )

  it.effect("is not live if an exchange restarts its ids, so that new trades have the ids of earlier ones", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(20_000)
      const earlier = yield* record(market, tape)
      yield* TestClock.adjust("1 minute")
      yield* earlier.stop
      const restarted = makeFakeMarket("sequence")
      restarted.trade(500, epoch + day)
      yield* TestClock.setTime(epoch + day)
      const { recorder, stop } = yield* record(restarted, tape)
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* recorder.isLive)
      const { lastError, state } = yield* recorder.status
      assert.strictEqual(state, "catching-up")
      assert.include(lastError ?? "", "restarted its ids")
      yield* stop
    })
  )

  it.effect("says in a sentence that the ids of a market have become of another kind", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      const earlier = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      yield* earlier.stop
      const changed = makeFakeMarket("overlap")
      changed.trade(10, epoch + 1000)
      const { recorder, stop } = yield* record(changed, tape)
      yield* TestClock.adjust("1 second")
      const { lastError, state } = yield* recorder.status
      assert.strictEqual(state, "unsupported")
      assert.include(lastError ?? "", 'recorded by "sequence", and the exchange now gives "overlap"')
      assert.strictEqual(tape.trades.size, 10)
      yield* stop
    })
  )

  it.effect("says in a sentence that an exchange does not list a market, and looks again later", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      market.openFails = () => exchangeError("MarketNotFound")
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 minute")
      const { lastError, state } = yield* recorder.status
      assert.deepStrictEqual([state, lastError], ["unsupported", 'The exchange "fake" answers MarketNotFound.'])
      assert.isFalse(yield* recorder.isLive)
      market.openFails = () => undefined
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* stop
    })
  )

  it.effect("continues after an unexpected defect", () =>
    Effect.gen(function* () {
      const { market, tape } = yield* world(10)
      market.openFails = () => {
        throw new Error("unforeseen")
      }
      const { recorder, stop } = yield* record(market, tape)
      yield* TestClock.adjust("1 second")
      assert.include((yield* recorder.status).lastError ?? "", "unforeseen")
      market.openFails = () => undefined
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* recorder.status).state, "live")
      yield* stop
    })
  )
})
