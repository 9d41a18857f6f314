import { assert, describe, it } from "@effect/vitest"
import { gapSentence, markUnproven, updateGaps } from "../../../src/market/feed/Gaps.ts"
import type { Recording } from "../../../src/service/Status.ts"

const minute = 60_000

/** Unix milliseconds, a multiple of a minute. */
const begin = 1_800_000_000_000

const candles = [0, 1, 2].map((index) => ({
  start: (begin + index * minute) / 1000,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 1,
  isProven: true
}))

const gap = (fromTime: number, toTime: number) => ({
  from: 1,
  to: 2,
  fromTime,
  toTime,
  missing: 2,
  state: "open" as const,
  reason: ""
})

const proven = (fromTime: number, toTime: number) =>
  markUnproven(candles, [gap(fromTime, toTime)], 60).map(({ isProven }) => isProven)

const recording = (from: number, to: number) => ({
  exchange: "sandbox",
  market: "BTC/USD",
  state: "live" as const,
  transport: "websocket" as const,
  continuity: "sequence" as const,
  from: begin,
  to: begin,
  stored: 100,
  backfilled: 0,
  missing: to - from + 1,
  disconnects: 0,
  gapCount: 1,
  gaps: [{ from, to, fromTime: begin, toTime: begin, state: "open" as const }],
  events: [],
  lastError: null
})

const states = (state: "starting" | "live") =>
  updateGaps([gap(begin, begin)], { ...recording(3, 3), state, gapCount: 0, gaps: [] }).map((one) => one.state)

const seen = (from: number, to: number) =>
  updateGaps([gap(begin, begin)], recording(from, to)).map((one) => [one.from, one.to, one.state])

describe("a gap of the tape", () => {
  it("makes the candles from its start to its end unproven", () => {
    assert.deepStrictEqual(proven(begin + 1, begin + 2), [false, true, true])
    assert.deepStrictEqual(proven(begin + minute - 1, begin + 2 * minute + 1), [false, false, false])
  })

  it("affects a candle at whose first millisecond it ends, and no candle at whose end it begins", () => {
    assert.deepStrictEqual(proven(begin - minute, begin + minute), [false, false, true])
    assert.deepStrictEqual(proven(begin + minute, begin + minute), [true, false, true])
  })

  it("is filled once it overlaps no gap of the recording", () => {
    assert.deepStrictEqual(seen(2, 2), [[2, 2, "open"]])
    assert.deepStrictEqual(seen(0, 1), [[0, 1, "open"]])
    assert.deepStrictEqual(seen(3, 3), [
      [1, 2, "filled"],
      [3, 3, "open"]
    ])
  })

  it("is as it was while the recording starts, which knows no gaps yet", () => {
    assert.deepStrictEqual(states("starting"), ["open"])
    assert.deepStrictEqual(states("live"), ["filled"])
  })

  it("has a number of trades only if consecutive ids count them", () => {
    const sentences = (continuity: Recording["continuity"], state: "open" | "unfillable") => {
      const one = recording(4, 6)
      const gaps = one.gaps.map((listed) => ({ ...listed, state }))
      return updateGaps([], { ...one, continuity, gaps, lastError: "Cut." }).map(gapSentence)
    }
    assert.deepStrictEqual(sentences("sequence", "open"), ["3 trades are missing and still asked for. Cut."])
    // The sequences of the trades around the gap.
    assert.deepStrictEqual(sentences("overlap", "unfillable"), [
      "Trades may be missing, and are not asked for again. Cut."
    ])
    assert.deepStrictEqual(sentences(null, "open"), ["Trades may be missing, and are still asked for. Cut."])
  })

  it("is dropped, not filled, once the recording begins after it", () => {
    const [before, now] = [[gap(begin, begin)], { ...recording(3, 3), gapCount: 0, gaps: [] }]
    const after = (from: number | null) => updateGaps(before, { ...now, from }).map(({ state }) => state)
    assert.deepStrictEqual([after(begin), after(begin + 1), after(null)], [["filled"], [], []])
    // It was filled before.
    const filled = updateGaps(before, now)
    assert.deepStrictEqual(updateGaps(filled, { ...now, from: begin + 1 }), filled)
  })

  it("is dropped, not filled, once it is older than the listed gaps, if others are not listed", () => {
    const after = (from: number, gapCount: number) =>
      updateGaps([{ ...gap(begin, begin), from, to: from }], { ...recording(5, 5), gapCount }).map((one) => one.state)
    assert.deepStrictEqual(after(4, 1), ["filled", "open"])
    assert.deepStrictEqual(after(4, 2), ["open"])
    assert.deepStrictEqual(after(6, 2), ["open", "filled"])
  })
})
