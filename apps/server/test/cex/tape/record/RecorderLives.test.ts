import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { SourceTrade } from "../../../../src/cex/ExchangeSource.ts"
import { gaps } from "../../../../src/cex/tape/ledger/Coverage.ts"
import type { Recorder } from "../../../../src/cex/tape/record/Recorder.ts"
import { makeRecorder } from "../../../../src/cex/tape/record/Recorder.ts"
import type { RecordingStatus } from "../../../../src/status/RecordingStatuses.ts"
import { casesOf } from "../../../Cases.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import type { MemoryTape } from "../store/MemoryTape.ts"
import { makeMemoryTape } from "../store/MemoryTape.ts"
import type { Dice, FakeMarket } from "./FakeMarket.ts"
import { exchangeError, makeDice, makeFakeMarket, shuffled, unobserved } from "./FakeMarket.ts"

const sequences = casesOf("CHAINTAPE_RECORDER_SEQUENCES", { few: 60, many: 1000 })
const firstSeed = Number(process.env["CHAINTAPE_RECORDER_SEED"] ?? 1)

const epoch = 1_800_000_000_000

const begin = Effect.fnUntraced(function* (market: FakeMarket, tape: MemoryTape) {
  const recorder = makeRecorder(unobserved)
  const fiber = yield* Effect.forkChild(recorder.run.pipe(withLease, Effect.provide([market.layer, tape.layer])))
  return { fiber, recorder }
})

/** The same trade with wrong content. */
const altered = (trade: SourceTrade): SourceTrade => ({ ...trade, price: `9${trade.price}` })

/** An honest market's trades after transmission. */
const distorted = (trades: ReadonlyArray<SourceTrade>, dice: Dice, lossy: boolean): ReadonlyArray<SourceTrade> => {
  const kept = lossy ? trades.filter(() => dice(8) > 0) : trades
  const doubled = kept.flatMap((trade) => {
    const fall = dice(20)
    return fall === 0 ? [trade, trade] : fall === 1 ? [trade, altered(trade)] : [trade]
  })
  if (dice(4) > 0) return doubled
  // The first content of an id counts.
  const order = shuffled([...new Set(doubled.map(({ id }) => id))], dice)
  return order.flatMap((id) => doubled.filter((trade) => trade.id === id))
}

const openOf = ({ gaps }: RecordingStatus) => gaps.filter(({ state }) => state === "open")

/** Whatever the status calls live or shows as gaps matches the store. */
const assertHonest = Effect.fnUntraced(function* (recorder: Recorder, tape: MemoryTape, seed: number) {
  assert.isUndefined(tape.broken(), `seed ${seed}`)
  const status = yield* recorder.status
  const missing = gaps(tape.coverage())
  const context = `seed ${seed}: ${JSON.stringify(status)}`
  if (status.state === "live") assert.deepStrictEqual(openOf(status), [], context)
  // Data lost by the store is known once it answers; until then no state is live.
  if (status.state === "starting" || status.lastError?.includes("store") === true) {
    assert.notStrictEqual(status.state, "live", context)
    return
  }
  if (tape.writing() === 0) assert.strictEqual(status.gapCount, missing.length, context)
  if (status.gapCount > 20) return
  for (const { from, to } of missing) {
    assert.isTrue(
      status.gaps.some((gap) => gap.from <= from && to <= gap.to),
      `${context} hides ${from} to ${to}`
    )
  }
})

const disturb = (market: FakeMarket, tape: MemoryTape, dice: Dice) => {
  market.connectFails = () =>
    dice(3) === 0 ? exchangeError("Busy", dice(2) === 0 ? dice(5000) : undefined) : undefined
  market.openFails = () => (dice(3) === 0 ? exchangeError("Unavailable") : undefined)
  market.firstPage = () => {
    const seen = market.journal.slice(0, market.journal.length - dice(2) * dice(4))
    return seen.slice(seen.length - Math.min(seen.length, 1 + dice(150)))
  }
  market.rangeAnswer = (right) => {
    const fall = dice(8)
    if (fall === 0) return Effect.fail(exchangeError("Busy", dice(3000)))
    if (fall === 1) return Effect.fail(exchangeError("BadResponse"))
    if (fall === 2) return Effect.succeed(right.filter(() => dice(2) === 0))
    if (fall === 3) return Effect.succeed([])
    if (fall === 4) return Effect.delay(Effect.succeed(shuffled(right, dice)), dice(2000))
    return Effect.succeed(right)
  }
  tape.fate = () => ({
    failsBefore: dice(6) === 0,
    failsAfter: dice(6) === 0,
    milliseconds: dice(3) === 0 ? dice(300) : 0
  })
  tape.readFails = () => dice(6) === 0
}

const soothe = (market: FakeMarket, tape: MemoryTape) => {
  market.connectFails = () => undefined
  market.openFails = () => undefined
  market.firstPage = () => market.journal.slice(-100)
  market.rangeAnswer = Effect.succeed
  tape.fate = () => ({ failsBefore: false, failsAfter: false, milliseconds: 0 })
  tape.readFails = () => false
}

const newestIsStored = (market: FakeMarket, tape: MemoryTape): boolean =>
  tape.coverage().length === 1 && tape.coverage()[0]?.from === 1 && tape.coverage()[0]?.to === market.journal.length

/** One life of a recording of a market with consecutive ids. */
const runLife = Effect.fnUntraced(function* (seed: number) {
  const dice = makeDice(seed)
  const market = makeFakeMarket("sequence")
  const tape = makeMemoryTape()
  market.trade(1 + dice(dice(6) === 0 ? 4000 : 300), yield* Clock.currentTimeMillis)
  disturb(market, tape, dice)
  let { fiber, recorder } = yield* begin(market, tape)
  const late: Array<SourceTrade> = []
  for (let turn = 10 + dice(20); turn > 0; turn--) {
    const happened = market.trade(dice(dice(10) === 0 ? 2500 : 40), yield* Clock.currentTimeMillis)
    const shown = distorted(happened, dice, dice(2) === 0)
    // Some frames arrive after those of the next moment.
    const ids = new Set(dice(4) === 0 ? shown.slice(0, dice(5)).map(({ id }) => id) : [])
    const held = shown.filter(({ id }) => ids.has(id))
    yield* market.emit("live", [...shown.filter(({ id }) => !ids.has(id)), ...late.splice(0)])
    late.push(...held)
    if (dice(8) === 0) yield* market.emit("page", market.journal.slice(-(1 + dice(300))))
    if (dice(6) === 0) {
      yield* market.disconnect(exchangeError(dice(2) === 0 ? "Timeout" : "Unavailable", dice(4) * 500))
      late.length = 0
    }
    if (dice(9) === 0) {
      yield* Fiber.interrupt(fiber)
      ;({ fiber, recorder } = yield* begin(market, tape))
      late.length = 0
    }
    yield* TestClock.adjust(dice(3) === 0 ? dice(30_000) : dice(400))
    yield* assertHonest(recorder, tape, seed)
  }
  soothe(market, tape)
  for (let minutes = 0; minutes < 300 && (minutes < 2 || !newestIsStored(market, tape)); minutes++) {
    yield* market.emit("live", market.trade(1, yield* Clock.currentTimeMillis))
    yield* TestClock.adjust("1 minute")
    yield* assertHonest(recorder, tape, seed)
  }
  const stored = [...tape.trades.values()]
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ receivedAt: _at, sequence: _sequence, ...trade }) => trade)
  assert.deepStrictEqual(stored, [...market.journal], `seed ${seed}`)
  assert.strictEqual((yield* recorder.status).state, "live", `seed ${seed}`)
  assert.isTrue(yield* recorder.isLive)
  yield* Fiber.interrupt(fiber)
  return { events: tape.events.length, trades: stored.length }
})

describe("a recording of a market with consecutive ids", () => {
  it.effect(
    `equals the market in the end, and never claims more than it has, in ${sequences} generated lives`,
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(epoch)
        for (let seed = firstSeed; seed < firstSeed + sequences; seed++) yield* runLife(seed)
      }),
    120_000 + sequences * 500
  )
})
