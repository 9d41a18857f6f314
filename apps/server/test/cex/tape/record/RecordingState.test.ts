import { assert, describe, it } from "@effect/vitest"
import { maxDisorderMs } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { Recording } from "../../../../src/cex/tape/record/Recording.ts"
import { detectIdReset, isUpToDate, startingState, toStatus } from "../../../../src/cex/tape/record/RecordingState.ts"

const live = { ...startingState, isConnected: true, isCurrent: true, upToDateAt: 1000 }

/** Trades 1, 3, 5 and so on: 40 gaps of one trade, of which the exchange has none. */
const coverage = Array.from({ length: 41 }, (_, at) => {
  const sequence = 2 * at + 1
  return { from: sequence, to: sequence, fromTime: sequence, toTime: sequence }
})
const pendingGaps = coverage
  .slice(1)
  .map(({ from }) => ({ from: from - 1, to: from - 1, fromTime: 0, toTime: 0, dueAt: 0, misses: 6, isAnnounced: true }))

describe("the state of a recording", () => {
  it("lists the newest gaps with their states, and counts all of them", () => {
    const recording = { ...live, continuity: "sequence" as const, coverage, pendingGaps }
    const { gapCount, gaps } = toStatus("e", "A/B", recording, 0)
    assert.deepStrictEqual([gapCount, gaps.length], [40, 20])
    assert.deepStrictEqual([gaps[0]?.to, gaps[0]?.state], [80, "unfillable"])
    const [newest] = toStatus("e", "A/B", { ...recording, pendingGaps: [] }, 0).gaps
    assert.strictEqual(newest?.state, "open")
  })

  it("counts the missing trades of each open gap, also before the gap is pending", () => {
    const recording = new Recording("e", "A/B", undefined)
    const interval = (from: number, to: number) => ({ from, to, fromTime: from, toTime: to })
    const series = { id: 1, exchange: "e", market: "A/B", continuity: "sequence", firstId: 1, version: 1 } as const
    recording.resume({ ...series, coverage: [interval(1, 10), interval(16, 20)] })
    const resumed = toStatus("e", "A/B", recording.state, 0)
    assert.deepStrictEqual([resumed.gaps.map(({ state }) => state), resumed.missing], [["open"], 5])
    const uncommittedGaps = { ...recording.state, uncommittedGaps: [interval(21, 24)] }
    assert.strictEqual(toStatus("e", "A/B", uncommittedGaps, 0).missing, 9)
    const history = { ...interval(-9, 0), dueAt: 0, misses: 0, isAnnounced: false }
    const gap = { ...interval(11, 15), dueAt: 0, misses: 0, isAnnounced: false }
    assert.strictEqual(toStatus("e", "A/B", { ...recording.state, pendingGaps: [history, gap] }, 0).missing, 15)
    const unfillable = { ...recording.state, pendingGaps: [history, { ...gap, misses: 6 }] }
    assert.strictEqual(toStatus("e", "A/B", unfillable, 0).missing, 10)
  })

  it("distinguishes a late trade from one whose id an exchange assigned again", () => {
    const detectAt = (timestamp: number) =>
      detectIdReset({ ...live, continuity: "sequence", coverage }, [
        { id: "80", timestamp, price: "1", size: "1", cost: "1", side: "buy" }
      ])
    assert.isUndefined(detectAt(81 + maxDisorderMs))
    assert.include(detectAt(82 + maxDisorderMs) ?? "", 'The trade "80" is newer than the trade "81"')
  })

  it("distinguishes them at once if many trades lie between", () => {
    const long = [{ from: 1, to: 3000, fromTime: 1, toTime: 3000 }]
    const detectFor = (id: number, timestamp: number) =>
      detectIdReset({ ...live, continuity: "sequence", coverage: long }, [
        { id: String(id), timestamp, price: "1", size: "1", cost: "1", side: "buy" }
      ])
    assert.isUndefined(detectFor(2000, 3000))
    assert.isUndefined(detectFor(2001, 3001))
    assert.include(detectFor(2000, 3001) ?? "", "the exchange restarted its ids")
  })

  it("keeps that ids were assigned again once two batches in a row show it", () => {
    const recording = new Recording("e", "A/B", undefined)
    const long = [{ from: 1, to: 3000, fromTime: 1, toTime: 3000 }]
    const series = { id: 1, exchange: "e", market: "A/B", continuity: "sequence", firstId: 1, version: 1 } as const
    recording.resume({ ...series, coverage: long })
    const confirm = (id: number, timestamp: number) => {
      recording.confirm(1, [{ id: String(id), timestamp, price: "1", size: "1", cost: "1", side: "buy" }])
      return recording.state.failures.ids
    }
    assert.isDefined(confirm(5, 3001))
    assert.isUndefined(confirm(3000, 3000))
    assert.isDefined(confirm(5, 3001))
    assert.isDefined(confirm(6, 3002))
    assert.isDefined(confirm(3001, 3003))
  })

  it("is up to date while the exchange sends something, or while its polls succeed", () => {
    for (const [transport, longest] of [
      ["websocket", 2500],
      ["polling", 15_000]
    ] as const) {
      assert.isTrue(isUpToDate({ ...live, transport }, 1000 + longest))
      assert.isFalse(isUpToDate({ ...live, transport }, 1001 + longest))
      assert.isFalse(isUpToDate({ ...live, transport, upToDateAt: undefined }, 1000))
    }
  })
})
