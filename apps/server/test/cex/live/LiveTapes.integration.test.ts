import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { LiveTapes } from "../../../src/cex/live/LiveTapes.ts"
import { withTrades } from "../../../src/cex/tape/ledger/Coverage.ts"
import * as Recorders from "../../../src/cex/tape/record/Recorders.ts"
import { startingState, toStatus } from "../../../src/cex/tape/record/RecordingState.ts"
import { Tape } from "../../../src/cex/tape/Tape.ts"
import { TradeFlow } from "../../../src/cex/TradeFlow.ts"
import { Wakeups } from "../../../src/live/Wakeups.ts"
import { SourceHealth } from "../../../src/sources/SourceHealth.ts"
import { dataOf } from "../../live/TestReader.ts"
import { testOwnership } from "../../ownership/TestOwnership.ts"
import { plainTrade } from "../tape/store/SqlTapeWorld.ts"
import { embedded, store } from "../tape/store/TapeStores.ts"

/** Trades 1, 3, 5 and so on: 40 gaps of one trade, which are old enough to be emitted without a wait. */
const trades = Array.from({ length: 41 }, (_, at) => plainTrade(2 * at + 1, 1_700_000_000_000 + at))
const gaps = trades.slice(1).map(({ sequence }) => sequence - 1)

/** The exchange does not return the trades of these gaps; the last one is still requested. */
const unfillable = gaps.slice(0, -1)

/** What the owner of the recording publishes lists its newest gaps only. */
const recording = { ...toStatus("fake", "BTC/USD", startingState, 0), gapCount: gaps.length }
const published = (name: string) =>
  name === "recording:fake/BTC/USD" ? { status: { recording, isLive: true }, ageMs: 0 } : undefined

const markets = ["BTC", "ETH"].map((base) => ({ exchange: "fake", market: { base, quote: "USD" } }))
const statuses = Recorders.layer(markets, undefined).pipe(
  Layer.provide([testOwnership({ owns: [], published }), SourceHealth.layer([]), Layer.mock(TradeFlow, {})])
)

const decodeGap = dataOf(Schema.Struct({ state: Schema.String }))

describe("the live trades of a recording of another instance", () => {
  layer(LiveTapes.layer.pipe(Layer.provide(statuses), Layer.provideMerge([embedded, Wakeups.layer])), {
    excludeTestServices: true
  })((it) => {
    it.effect("have the state of every gap", () =>
      Effect.gen(function* () {
        const tape = yield* Tape
        const { id, version } = yield* tape.open("fake", "BTC/USD", "sequence", 1)
        yield* tape.append(id, {
          version,
          trades,
          coverage: withTrades([], trades),
          events: unfillable.map((gap) => ({ at: 1, kind: "unfillable", from: gap, to: gap, detail: "" }))
        })
        const feed = Option.getOrThrow(yield* (yield* LiveTapes).find("fake", "BTC/USD"))
        const reader = yield* feed.open({ since: 0 })
        const events = yield* reader.next(500)
        const states = events.flatMap(({ data, name }) => (name === "gap" ? [decodeGap(data).state] : []))
        assert.deepStrictEqual(states, [...unfillable.map(() => "unfillable"), "open"])
      })
    )

    it.effect("continue after each trade, however many are of one millisecond, and after no other", () =>
      Effect.gen(function* () {
        const time = 1_700_000_000_000
        yield* store(
          "fake",
          "ETH/USD",
          Array.from({ length: 1500 }, (_, at) => plainTrade(at + 1, time))
        )
        const { open } = Option.getOrThrow(yield* (yield* LiveTapes).find("fake", "ETH/USD"))
        const reader = yield* open({ after: `a1499-${time}` })
        assert.deepStrictEqual(
          (yield* reader.next(500)).map(({ cursor }) => cursor),
          [`a1500-${time}`]
        )
        for (const other of [`a1501-${time}`, `a1499-${time + 1}`]) {
          assert.strictEqual((yield* Effect.flip(open({ after: other })))._tag, "UnknownCursorError")
        }
      })
    )
  })
})
