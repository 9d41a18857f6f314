import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Coverage from "../../../../src/cex/tape/ledger/Coverage.ts"
import type { Interval } from "../../../../src/cex/tape/Tape.ts"
import { countSequences } from "../store/MemoryTape.ts"

const Sequence = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
const Place = Schema.Struct({
  sequence: Sequence,
  timestamp: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9999 }))
})
const Batches = Schema.Array(Schema.Array(Place).check(Schema.isMaxLength(20))).check(Schema.isMaxLength(8))
type Batches = typeof Batches.Type

/** The times by sequence: the first value of a sequence counts. */
const naive = (batches: Batches): Map<number, number> => {
  const times = new Map<number, number>()
  for (const { sequence, timestamp } of batches.flat()) if (!times.has(sequence)) times.set(sequence, timestamp)
  return times
}

const runs = (times: Map<number, number>): ReadonlyArray<Interval> => {
  const result: Array<Interval> = []
  for (const [sequence, time] of [...times].sort(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last?.to === sequence - 1) result[result.length - 1] = { ...last, to: sequence, toTime: time }
    else result.push({ from: sequence, to: sequence, fromTime: time, toTime: time })
  }
  return result
}

const covered = (batches: Batches): Coverage.Coverage =>
  batches.reduce<Coverage.Coverage>((coverage, trades) => Coverage.withTrades(coverage, trades), [])

const everySequence = Array.from({ length: 63 }, (_, at) => at - 1)

describe("Coverage", () => {
  it.prop("is the runs of all sequences that it was given, whatever their order", [Batches], ([batches]) => {
    assert.deepStrictEqual(covered(batches), runs(naive(batches)))
  })

  it.prop("does not change its inputs", [Batches, Batches], ([before, after]) => {
    const coverage = covered(before)
    const copy = structuredClone(coverage)
    for (const trades of after) Coverage.withTrades(coverage, trades)
    assert.deepStrictEqual(coverage, copy)
  })

  it.prop("knows which sequences it holds, how many, and in which interval", [Batches], ([batches]) => {
    const times = naive(batches)
    const coverage = covered(batches)
    assert.strictEqual(countSequences(coverage), times.size)
    assert.deepStrictEqual(Coverage.newest(coverage), runs(times).at(-1))
    for (const sequence of everySequence) {
      assert.strictEqual(Coverage.contains(coverage, sequence), times.has(sequence))
      assert.deepStrictEqual(
        Coverage.getInterval(coverage, sequence),
        runs(times).find(({ from, to }) => from <= sequence && sequence <= to)
      )
    }
  })

  it.prop("its gaps are what is missing between the first and the last", [Batches], ([batches]) => {
    const times = naive(batches)
    const held = [...times.keys()].sort((a, b) => a - b)
    const missing = everySequence.filter(
      (sequence) => !times.has(sequence) && sequence > (held[0] ?? 99) && sequence < (held.at(-1) ?? -9)
    )
    const gaps = Coverage.gaps(covered(batches))
    assert.deepStrictEqual(
      gaps.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
      missing
    )
    for (const { from, fromTime, to, toTime } of gaps) {
      assert.strictEqual(fromTime, times.get(from - 1))
      assert.strictEqual(toTime, times.get(to + 1))
    }
  })

  it.prop("closing its gaps makes it one interval", [Batches], ([batches]) => {
    const coverage = covered(batches)
    const fillers = Coverage.gaps(coverage).flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, at) => ({ sequence: from + at, timestamp: 5 }))
    )
    const whole = Coverage.withTrades(coverage, fillers)
    assert.strictEqual(whole.length, Math.min(coverage.length, 1))
    assert.deepStrictEqual(Coverage.gaps(whole), [])
  })

  it("is one interval for a trade that fills the only hole", () => {
    const coverage = Coverage.withTrades(
      [
        { from: 1, to: 4, fromTime: 10, toTime: 40 },
        { from: 6, to: 9, fromTime: 60, toTime: 90 }
      ],
      [{ sequence: 5, timestamp: 50 }]
    )
    assert.deepStrictEqual(coverage, [{ from: 1, to: 9, fromTime: 10, toTime: 90 }])
  })

  it("appends to ten thousand intervals", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ sequence: at * 2, timestamp: at }))
    let coverage = Coverage.withTrades([], many)
    for (let at = 0; at < 2000; at++)
      coverage = Coverage.withTrades(coverage, [{ sequence: 20_000 + at, timestamp: at }])
    assert.strictEqual(coverage.length, 10_001)
    assert.strictEqual(countSequences(coverage), 12_000)
  })
})
