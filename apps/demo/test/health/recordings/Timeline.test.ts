import { assert, describe, it } from "@effect/vitest"
import { barCount, barLength, toTimeline } from "../../../src/health/recordings/Timeline.ts"
import type { Recording } from "../../../src/service/Status.ts"

const now = 1_795_686_979_646

const recording: Recording = {
  exchange: "sandbox",
  market: "BTC/USD",
  state: "live",
  transport: "websocket",
  continuity: "sequence",
  from: now - 10 * barLength,
  to: now,
  stored: 100,
  backfilled: 0,
  missing: 3,
  disconnects: 0,
  gapCount: 2,
  gaps: [
    { from: 5, to: 6, fromTime: now - 4 * barLength, toTime: now - 3 * barLength, state: "open" },
    { from: 2, to: 2, fromTime: now - 8 * barLength, toTime: now - 8 * barLength, state: "unfillable" }
  ],
  events: [],
  lastError: null
}

const states = (one: Recording) => toTimeline(one, now).map(({ state }) => state)

describe("the timeline of a recording", () => {
  it("has a bar for each of the last 90 minutes, which join and end with the current one", () => {
    const bars = toTimeline(recording, now)
    assert.lengthOf(bars, barCount)
    for (const [index, { from }] of bars.entries()) assert.strictEqual(from, bars[index - 1]?.to ?? from)
    const last = bars.at(-1)
    assert.isTrue(last !== undefined && last.from <= now && now < last.to)
  })

  it("shows every minute that a gap touches, and none before the recording", () => {
    assert.deepStrictEqual(states(recording).slice(-11), [
      "complete",
      "complete",
      "unfillable",
      "complete",
      "complete",
      "complete",
      "open",
      "open",
      "complete",
      "complete",
      "complete"
    ])
    assert.isTrue(
      states(recording)
        .slice(0, -11)
        .every((state) => state === "none")
    )
  })

  it("prefers a gap that is still open, and shows nothing without a trade", () => {
    const gaps = recording.gaps.map((gap) => ({ ...gap, fromTime: now - 4 * barLength, toTime: now - 3 * barLength }))
    const both = { ...recording, gaps: gaps.toReversed() }
    assert.strictEqual(states(both).filter((state) => state === "open").length, 2)
    assert.isTrue(states({ ...recording, from: null, to: null, gaps: [] }).every((state) => state === "none"))
  })

  it("shows a recording that has ended", () => {
    assert.deepStrictEqual(states({ ...recording, to: now - 5 * barLength, gaps: [] }).slice(-7), [
      "complete",
      "complete",
      "none",
      "none",
      "none",
      "none",
      "none"
    ])
  })

  it("counts the first millisecond of a minute only to that minute", () => {
    const minute = Math.floor(now / barLength) * barLength
    const gap = { from: 5, to: 6, fromTime: minute - 1, toTime: minute, state: "open" as const }
    assert.deepStrictEqual(states({ ...recording, gaps: [gap] }).slice(-3), ["complete", "open", "open"])
    const last = (to: number) => states({ ...recording, to, gaps: [] }).at(-1)
    assert.deepStrictEqual([last(minute), last(minute - 1)], ["complete", "none"])
  })
})
