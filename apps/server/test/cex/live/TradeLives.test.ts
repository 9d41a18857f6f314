import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Random, Schema } from "effect"
import { TestClock } from "effect/testing"
import { LiveTapes } from "../../../src/cex/live/LiveTapes.ts"
import { withTrades } from "../../../src/cex/tape/ledger/Coverage.ts"
import type { Coverage } from "../../../src/cex/tape/ledger/Coverage.ts"
import { startingState, toStatus } from "../../../src/cex/tape/record/RecordingState.ts"
import { Tape, TapeReads } from "../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import type { Continuity } from "../../../src/cex/TradeFlow.ts"
import type { Start } from "../../../src/live/LiveFeed.ts"
import { Wakeups } from "../../../src/live/Wakeups.ts"
import { RecordingStatuses } from "../../../src/status/RecordingStatuses.ts"
import { casesOf } from "../../Cases.ts"
import type { TestReader } from "../../live/TestReader.ts"
import { dataOf, openReader, subscriptionsFor } from "../../live/TestReader.ts"
import type { Dice } from "../tape/record/FakeMarket.ts"
import { makeDice } from "../tape/record/FakeMarket.ts"
import { storeDown } from "../tape/store/MemoryTape.ts"

const lives = casesOf("CHAINTAPE_LIVE_SEQUENCES", { few: 40, many: 1000 })
const firstSeed = Number(process.env["CHAINTAPE_LIVE_SEED"] ?? 1)

const begin = 1_800_000_000_000

/** A tape that is written by the test, and read by the code under test. */
const makeModel = (continuity: Continuity, dice: Dice) => {
  const stored = new Map<number, TapeTrade & { readonly storedAt: number }>()
  let coverage: Coverage = []
  let version = 0
  let failing = false
  const answer = <A>(value: () => A) => Effect.suspend(() => (failing ? Effect.fail(storeDown) : Effect.sync(value)))
  let sorted: ReadonlyArray<TapeTrade> | undefined
  const inTime = () =>
    (sorted ??= [...stored.values()].toSorted(
      (one, other) => one.timestamp - other.timestamp || one.sequence - other.sequence
    ))
  return {
    stored,
    coverage: () => coverage,
    fail: (value: boolean) => void (failing = value),
    write: (trades: ReadonlyArray<TapeTrade>, storedAt: number) => {
      for (const trade of trades) stored.set(trade.sequence, { ...trade, storedAt })
      coverage = withTrades(coverage, trades)
      version++
      sorted = undefined
    },
    /** Drops the oldest trades. */
    dropTo: (sequence: number) => {
      for (const one of stored.keys()) if (one <= sequence) stored.delete(one)
      coverage = withTrades([], [...stored.values()])
      version++
      sorted = undefined
    },
    layer: Layer.mergeAll(
      Layer.mock(Tape, {
        find: () =>
          answer(() =>
            version === 0
              ? Option.none()
              : Option.some({ id: 1, exchange: "e", market: "A/B", continuity, firstId: 1, version, coverage })
          )
      }),
      Layer.mock(TapeReads, {
        find: (_series, sequence, { from, to }) =>
          answer(() =>
            Option.filter(
              Option.fromUndefinedOr(stored.get(sequence)),
              ({ timestamp }) => timestamp >= from && timestamp <= to
            )
          ),
        isUnfillable: () => Effect.succeed(false),
        since: (_series, time, limit) =>
          answer(() =>
            inTime()
              .filter(({ timestamp }) => timestamp >= time)
              .slice(0, limit)
          )
      }),
      Layer.succeed(RecordingStatuses, {
        all: Effect.succeed([toStatus("e", "A/B", startingState, 0)]),
        isLive: () => Effect.succeed(true),
        watchUnchanged: () => Effect.undefined
      })
    ),
    dice
  }
}
type Model = ReturnType<typeof makeModel>

const toTrade = (sequence: number, timestamp: number): TapeTrade => ({
  id: `${sequence}`,
  sequence,
  timestamp,
  price: `${1000 + (sequence % 97)}.5`,
  size: "0.1",
  cost: "1",
  side: sequence % 2 === 0 ? "buy" : "sell",
  receivedAt: timestamp
})

const Gap = Schema.Struct({
  fromTime: Schema.Int,
  toTime: Schema.Int,
  missing: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["open", "unfillable"])
})
const decodeGap = dataOf(Gap)
const decodeTrade = dataOf(Schema.Struct({ id: Schema.String, timestamp: Schema.String, price: Schema.Finite }))

/** The knowledge of one reader, through all its connections. */
interface Knowledge {
  cursor: Start
  /** Nothing at or below it was promised. */
  readonly from: number
  last: number
  readonly trades: Array<number>
  readonly gaps: Array<{
    readonly from: number
    to: number | undefined
    readonly missing: number | null
  }>
  reader: TestReader | undefined
}

/** Reads what has arrived; a reader that is then disconnected reads only the first `most` events. */
const read = (knowledge: Knowledge, max = Number.POSITIVE_INFINITY) => {
  const events = knowledge.reader?.take().slice(0, max) ?? []
  for (const { data, id, name } of events) {
    if (id !== undefined) knowledge.cursor = { after: id }
    if (name === "trade") {
      const sequence = Number(decodeTrade(data).id)
      const open = knowledge.gaps.at(-1)
      if (open !== undefined && open.to === undefined) open.to = sequence - 1
      knowledge.trades.push(sequence)
      knowledge.last = sequence
    } else if (name === "gap") {
      const { missing } = decodeGap(data)
      knowledge.gaps.push({ from: knowledge.last + 1, to: undefined, missing })
    } else {
      assert.include(["open", "end"], name)
    }
  }
}

const judge = (model: Model, { from, gaps, trades }: Knowledge, newest: number, about: string) => {
  const lost = (sequence: number) => gaps.some((gap) => gap.from <= sequence && sequence <= (gap.to ?? newest))
  for (const [at, sequence] of trades.entries()) {
    assert.isAbove(sequence, trades[at - 1] ?? from, `${about}: ${trades.slice(Math.max(0, at - 3), at + 2)}`)
  }
  const told = new Set(trades)
  for (let sequence = from + 1; sequence <= newest; sequence++) {
    const isStored = model.stored.has(sequence)
    if (told.has(sequence)) assert.isFalse(lost(sequence), `${about}: ${sequence} is told and lost`)
    else assert.isTrue(lost(sequence), `${about}: ${sequence} is missing without a word (stored: ${isStored})`)
  }
  for (const gap of gaps) {
    if (gap.missing !== null && gap.to !== undefined) assert.strictEqual(gap.missing, gap.to - gap.from + 1, about)
    const behind = model.stored.get((gap.to ?? newest) + 1)?.storedAt ?? 0
    for (let sequence = gap.from; sequence <= (gap.to ?? newest); sequence++) {
      const storedAt = model.stored.get(sequence)?.storedAt ?? Number.POSITIVE_INFINITY
      assert.isAbove(storedAt, behind, `${about}: ${sequence} was there when it was told to be missing`)
    }
  }
}

const oneLife = Effect.fnUntraced(function* (seed: number) {
  const dice = makeDice(seed)
  const continuity: Continuity = dice(3) === 0 ? "overlap" : "sequence"
  const model = makeModel(continuity, dice)
  let next = 1
  const waiting: Array<TapeTrade> = []
  /** Trades of a moment: some are late, and a few have an earlier time. */
  const happen = (now: number) =>
    Array.from({ length: dice(12) }, () => {
      const disorder = dice(10) === 0 ? dice(400) : dice(300) === 0 ? dice(30_000) : 0
      return toTrade(next++, now - disorder)
    })

  yield* Effect.gen(function* () {
    const { announce } = yield* Wakeups
    const tapes = yield* LiveTapes
    const feed = Option.getOrThrow(yield* tapes.find("e", "A/B"))
    const readers: Array<Knowledge> = []
    model.write(happen(begin), begin)
    for (let step = 0; step < 60; step++) {
      yield* TestClock.adjust(dice(5) === 0 ? 3000 : 20 + dice(200))
      const now = yield* Clock.currentTimeMillis
      for (const knowledge of readers) read(knowledge)
      const fresh = happen(now)
      // Some are stored later, in any order, and some never: they remain a gap.
      const late = continuity === "sequence" ? fresh.filter(() => dice(25) === 0) : []
      const lost = continuity === "overlap" && dice(12) === 0 ? fresh.slice(0, 1) : []
      waiting.push(...late.filter(() => dice(4) > 0))
      const written = fresh.filter((trade) => !late.includes(trade) && !lost.includes(trade))
      const arrived = waiting.length > 0 && dice(2) === 0 ? waiting.splice(0, 1 + dice(3)) : []
      if (written.length + arrived.length > 0) model.write([...written, ...arrived], now)
      if (dice(2) === 0) yield* announce("tape e A/B")
      model.fail(dice(8) === 0)
      if (dice(40) === 0) {
        // Connected readers were notified of what retention drops.
        for (const knowledge of readers) read(knowledge)
        model.dropTo(Math.max(0, (model.coverage()[0]?.to ?? 2) - 2))
      }
      for (const knowledge of readers) {
        if (dice(6) > 0) continue
        read(knowledge, knowledge.reader === undefined ? undefined : dice(4))
        if (knowledge.reader === undefined) {
          knowledge.reader = yield* Effect.orElseSucceed(openReader(feed, knowledge.cursor), () => undefined)
        } else {
          yield* knowledge.reader.cut
          knowledge.reader = undefined
        }
      }
      if (readers.length < 6 && dice(6) === 0) {
        const reader = yield* Effect.orElseSucceed(openReader(feed, { from: "now" }), () => undefined)
        const [open] = reader?.take() ?? []
        if (reader === undefined || open?.id === undefined) continue
        const from = Number(/^[ab](\d+)-/.exec(open.id)?.[1] ?? 0) - (open.id.startsWith("b") ? 1 : 0)
        readers.push({ reader, cursor: { after: open.id }, from, last: from, trades: [], gaps: [] })
      }
    }
    model.fail(false)
    const end = toTrade(next++, yield* Clock.currentTimeMillis)
    model.write([end], end.timestamp)
    for (const knowledge of readers) knowledge.reader ??= yield* openReader(feed, knowledge.cursor)
    for (let step = 0; step < 30; step++) {
      yield* TestClock.adjust(1000)
      for (const knowledge of readers) read(knowledge)
    }
    for (const [at, knowledge] of readers.entries()) {
      const about = `seed ${seed}, ${continuity}, reader ${at}`
      assert.strictEqual(knowledge.last, end.sequence, `${about} is behind`)
      judge(model, knowledge, end.sequence, about)
      yield* knowledge.reader?.cut ?? Effect.void
    }
  }).pipe(
    Effect.provide(LiveTapes.layer.pipe(Layer.provide(model.layer), Layer.provideMerge(subscriptionsFor()))),
    Effect.scoped,
    // The jitter of retries belongs to the life, too.
    Random.withSeed(seed)
  )
})

describe("live trades", () => {
  it.effect(
    "are emitted once, in order, with every gap, despite cuts, resumes, late trades and failures of the store",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(begin)
        for (let seed = firstSeed; seed < firstSeed + lives; seed++) yield* oneLife(seed)
      }),
    120_000
  )
})
