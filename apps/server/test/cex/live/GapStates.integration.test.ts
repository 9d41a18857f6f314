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
import { embedded } from "../tape/store/TapeStores.ts"

/** Trades 1, 3, 5 and so on: 40 gaps of one trade, which are old enough to be emitted without a wait. */
const trades = Array.from({ length: 41 }, (_, at) => plainTrade(2 * at + 1, 1_700_000_000_000 + at))
const gaps = trades.slice(1).map(({ sequence }) => sequence - 1)

/** The exchange does not return the trades of these gaps; the last one is still requested. */
const unfillable = gaps.slice(0, -1)

/** What the owner of the recording publishes lists its newest gaps only. */
const recording = { ...toStatus("fake", "BTC/USD", startingState, 0), gapCount: gaps.length }
const published = () => ({ status: { recording, isLive: true }, ageMs: 0 })

const statuses = Recorders.layer([{ exchange: "fake", market: { base: "BTC", quote: "USD" } }], undefined).pipe(
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
  })
})
