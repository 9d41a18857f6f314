import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { SourceTrade } from "../../../../src/cex/ExchangeSource.ts"
import { makeRecorder } from "../../../../src/cex/tape/record/Recorder.ts"
import { casesOf } from "../../../Cases.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import type { MemoryTape } from "../store/MemoryTape.ts"
import { makeMemoryTape } from "../store/MemoryTape.ts"
import type { FakeMarket } from "./FakeMarket.ts"
import { exchangeError, makeDice, makeFakeMarket, shuffled, unobserved } from "./FakeMarket.ts"

const sequences = casesOf("CHAINTAPE_RECORDER_SEQUENCES", { few: 60, many: 1000 })
const firstSeed = Number(process.env["CHAINTAPE_RECORDER_SEED"] ?? 1)
const epoch = 1_800_000_000_000

const begin = Effect.fnUntraced(function* (market: FakeMarket, tape: MemoryTape) {
  const recorder = makeRecorder(unobserved)
  const fiber = yield* Effect.forkChild(recorder.run.pipe(withLease, Effect.provide([market.layer, tape.layer])))
  return { recorder, fiber }
})

/** A page by time; the trades of one time in an order that is not that of the stream. */
const sortByHash = (page: ReadonlyArray<SourceTrade>) => {
  const toHash = ({ id }: SourceTrade) => Math.imul(Number(id.slice(2)), 2_654_435_761)
  return page.toSorted((one, other) => one.timestamp - other.timestamp || toHash(one) - toHash(other))
}

const toPlace = ({ journal }: FakeMarket) => new Map(journal.map(({ id }, index) => [id, index]))

/** Every run of the tape holds trades that followed each other, and no trade is stored twice. */
const assertRunsAreWhole = (market: FakeMarket, tape: MemoryTape, seed: number) => {
  assert.isUndefined(tape.broken(), `seed ${seed}`)
  const places = toPlace(market)
  const ids = [...tape.trades.values()].map(({ id }) => id)
  assert.strictEqual(new Set(ids).size, ids.length, `seed ${seed}: a trade is stored twice`)
  for (const { from, to } of tape.coverage()) {
    const held = [...tape.trades.values()]
      .filter(({ sequence }) => sequence >= from && sequence <= to)
      .map(({ id }) => places.get(id) ?? -1)
    assert.strictEqual(Math.max(...held) - Math.min(...held) + 1, held.length, `seed ${seed}: a run with a hole`)
  }
}

/** One life of a recording of a market whose ids prove nothing. */
const runLife = Effect.fnUntraced(function* (seed: number) {
  const dice = makeDice(seed)
  const market = makeFakeMarket("overlap")
  const tape = makeMemoryTape()
  market.trade(1 + dice(300), yield* Clock.currentTimeMillis)
  market.connectFails = () => (dice(3) === 0 ? exchangeError("Unavailable") : undefined)
  market.firstPage = () => sortByHash(market.journal.slice(-(1 + dice(60))))
  tape.fate = () => ({
    failsBefore: dice(6) === 0,
    failsAfter: dice(6) === 0,
    milliseconds: dice(3) === 0 ? dice(300) : 0
  })
  tape.readFails = () => dice(6) === 0
  let { fiber, recorder } = yield* begin(market, tape)
  for (let turn = 10 + dice(20); turn > 0; turn--) {
    const happened = market.trade(dice(40), yield* Clock.currentTimeMillis)
    const doubled = happened.flatMap((trade) => (dice(20) === 0 ? [trade, trade] : [trade]))
    yield* market.emit("live", dice(4) === 0 ? shuffled(doubled, dice) : doubled)
    if (dice(6) === 0) yield* market.emit("page", sortByHash(market.journal.slice(-(1 + dice(100)))))
    // A cached page.
    if (dice(8) === 0) {
      const end = market.journal.length - dice(80)
      yield* market.emit("page", market.journal.slice(Math.max(0, end - 50), Math.max(0, end)))
    }
    if (dice(6) === 0) yield* market.disconnect(exchangeError("Timeout"))
    if (dice(9) === 0) {
      yield* Fiber.interrupt(fiber)
      ;({ fiber, recorder } = yield* begin(market, tape))
    }
    // Within one millisecond a cached page cannot be distinguished from one after a loss.
    yield* TestClock.adjust(1 + (dice(3) === 0 ? dice(30_000) : dice(400)))
    assertRunsAreWhole(market, tape, seed)
  }
  market.connectFails = () => undefined
  tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
  tape.readFails = () => false
  yield* TestClock.adjust("2 minutes")
  yield* market.emit("live", market.trade(1, yield* Clock.currentTimeMillis))
  yield* TestClock.adjust("1 second")
  assertRunsAreWhole(market, tape, seed)
  const status = yield* recorder.status
  assert.deepStrictEqual([status.state, status.gapCount], ["live", tape.coverage().length - 1], `seed ${seed}`)
  assert.isTrue(status.gaps.every(({ state }) => state === "unfillable"))
  assert.strictEqual([...tape.trades.values()].at(-1)?.id, market.journal.at(-1)?.id, `seed ${seed}`)
  yield* Fiber.interrupt(fiber)
  return status.gapCount
})

describe("a recording of a market whose ids prove nothing", () => {
  it.effect(
    `has runs without holes only, and each trade once, in ${sequences} generated lives`,
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(epoch)
        let gaps = 0
        for (let seed = firstSeed; seed < firstSeed + sequences; seed++) gaps += yield* runLife(seed)
        assert.isAbove(gaps, 0)
      }),
    120_000 + sequences * 500
  )

  it.effect("has the transport of its newest connection", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const market = makeFakeMarket("overlap")
      const { fiber, recorder } = yield* begin(market, makeMemoryTape())
      yield* TestClock.adjust("1 second")
      const seen = [(yield* recorder.status).transport]
      // Its stream cannot be used: from now on the flow polls pages.
      market.transport = "polling"
      yield* market.disconnect(exchangeError("BadResponse"))
      yield* TestClock.adjust("1 minute")
      seen.push((yield* recorder.status).transport)
      assert.deepStrictEqual(seen, ["websocket", "polling"])
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("holds each trade once after the reply to its largest transaction was lost", () =>
    Effect.gen(function* () {
      const market = makeFakeMarket("overlap")
      const tape = makeMemoryTape()
      const { fiber } = yield* begin(market, tape)
      const emit = (count: number) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => market.emit("live", market.trade(count, now)))
      yield* TestClock.adjust("1 second")
      yield* emit(1)
      yield* TestClock.adjust("1 second")
      // While the store is slow, so much arrives that the next transaction is as large as one can be.
      tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 500 })
      yield* emit(1)
      yield* TestClock.adjust("100 millis")
      const largest: Array<number> = []
      tape.fate = ({ trades }) => {
        largest.push(trades.length)
        return { failsBefore: false, failsAfter: trades.length > 5000 && largest.length < 5, milliseconds: 0 }
      }
      for (let batch = 0; batch < 5; batch++) yield* emit(2000)
      yield* TestClock.adjust("2 minutes")
      assert.isAbove(Math.max(...largest), 5000)
      assertRunsAreWhole(market, tape, 0)
      assert.strictEqual(tape.trades.size, market.journal.length)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("drops a trade dated years before the others, since the retention would delete them with it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const market = makeFakeMarket("overlap")
      const tape = makeMemoryTape()
      const { fiber } = yield* begin(market, tape)
      yield* TestClock.adjust("1 second")
      const [first, misdated, last] = market.trade(3, epoch)
      assert.isDefined(first)
      assert.isDefined(misdated)
      assert.isDefined(last)
      yield* market.emit("live", [first, { ...misdated, timestamp: Date.UTC(2012, 0, 1) }])
      yield* TestClock.adjust("1 second")
      yield* market.emit("live", [last])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        [...tape.trades.values()].map(({ id }) => id),
        [first.id, last.id]
      )
      assert.strictEqual(tape.coverage().length, 2)
      yield* market.emit("page", [{ ...misdated, timestamp: Date.UTC(2012, 0, 1) }, last])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(
        tape.events.map(({ kind }) => kind),
        ["connected", "dropped"]
      )
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("holds the trades of a time that a page has in another order than the stream", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(epoch)
      const market = makeFakeMarket("overlap")
      const tape = makeMemoryTape()
      const { fiber } = yield* begin(market, tape)
      yield* TestClock.adjust("1 second")
      const [known, unknown, last] = market.trade(3, epoch)
      assert.isDefined(known)
      assert.isDefined(unknown)
      assert.isDefined(last)
      yield* market.emit("live", [known])
      yield* TestClock.adjust("1 second")
      yield* market.disconnect(exchangeError("Timeout"))
      market.firstPage = () => [unknown, known, { ...last, timestamp: epoch + 1 }]
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        [...tape.trades.values()].map(({ id }) => id),
        [known.id, unknown.id, last.id]
      )
      assert.strictEqual(tape.coverage().length, 1)
      yield* Fiber.interrupt(fiber)
    })
  )
})
