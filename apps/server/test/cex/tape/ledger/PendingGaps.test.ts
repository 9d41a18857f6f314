import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  countMiss,
  countMissing,
  findEarliestDue,
  isUnfillable,
  findNextDue,
  replaceGap,
  trackGaps
} from "../../../../src/cex/tape/ledger/PendingGaps.ts"
import type { PendingGap } from "../../../../src/cex/tape/ledger/PendingGaps.ts"

const gapOf = (from: number, to: number) => ({ from, to, fromTime: from, toTime: to })

const Part = Schema.Struct({
  size: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
  apart: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
  dueAt: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
  misses: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
})
const Parts = Schema.Array(Part)

/** Gaps in the order of their sequences, with trades between them. */
const toPending = (parts: typeof Parts.Type): ReadonlyArray<PendingGap> => {
  let last = 0
  return parts.map(({ apart, dueAt, misses, size }) => {
    const from = last + apart + 1
    last = from + size - 1
    return { ...gapOf(from, last), dueAt, misses, isAnnounced: misses > 3 }
  })
}

const now = 10

describe("the pending gaps of a recording", () => {
  it.prop("miss each of their trades, except those that are considered lost", [Parts], ([parts]) => {
    const open = parts.filter(({ misses }) => misses < 6)
    assert.strictEqual(
      countMissing(toPending(parts)),
      open.reduce((sum, { size }) => sum + size, 0)
    )
  })

  it.prop("are requested from the newest on, or from the oldest on above a sequence", [Parts], ([parts]) => {
    const pending = toPending(parts)
    const due = pending.filter(({ dueAt }) => dueAt <= now)
    assert.strictEqual(findNextDue(pending, now), due.at(-1))
    for (const { from } of pending) {
      const above = due.find((gap) => gap.from > from)
      assert.strictEqual(findNextDue(pending, now, from), above ?? due.at(-1))
    }
  })

  it.prop("are due first where one of them is", [Parts], ([parts]) => {
    const first = parts.map(({ dueAt }) => dueAt).toSorted((one, other) => one - other)[0]
    assert.strictEqual(findEarliestDue(toPending(parts)), first)
  })

  it.prop("change one by one", [Parts], ([parts]) => {
    const pending = toPending(parts)
    for (const [at, gap] of pending.entries()) {
      const missed = countMiss(gap, now)
      assert.deepStrictEqual(replaceGap(pending, missed), pending.with(at, missed))
    }
    assert.deepStrictEqual(replaceGap(pending, { ...gapOf(-5, -1), dueAt: 0, misses: 0, isAnnounced: false }), pending)
  })

  it.prop("continue in each of their parts, and a new one is due half a second later", [Parts], ([parts]) => {
    const pending = toPending(parts)
    const ends = pending.flatMap(({ from, to }) =>
      from === to ? [gapOf(from, to)] : [gapOf(from, from), gapOf(to, to)]
    )
    const added = gapOf(1000, 1001)
    const tracked = trackGaps(pending, [...ends, added], now)
    for (const [at, end] of ends.entries()) {
      const whole = pending.find(({ from, to }) => from <= end.from && end.to <= to)
      assert.deepStrictEqual(tracked[at], { ...(whole ?? assert.fail()), ...end })
    }
    assert.deepStrictEqual(tracked.at(-1), { ...added, dueAt: now + 500, misses: 0, isAnnounced: false })
  })

  it("are new where they reach beyond a known one", () => {
    const known = [{ ...gapOf(5, 8), dueAt: 3, misses: 2, isAnnounced: true }]
    const missesOf = (from: number, to: number) => trackGaps(known, [gapOf(from, to)], now)[0]?.misses
    assert.deepStrictEqual([missesOf(5, 8), missesOf(4, 8), missesOf(5, 9), missesOf(4, 4)], [2, 0, 0, 0])
  })

  it("are retried for a minute, and then once in ten minutes to an hour", () => {
    let gap: PendingGap = { ...gapOf(1, 1), dueAt: 0, misses: 0, isAnnounced: false }
    const waits = Array.from({ length: 20 }, () => {
      gap = countMiss(gap, now)
      return { seconds: (gap.dueAt - now) / 1000, isUnfillable: isUnfillable(gap) }
    })
    assert.deepStrictEqual(
      waits.slice(0, 10).map(({ seconds }) => seconds),
      [1, 2, 4, 8, 16, 600, 1200, 2400, 3600, 3600]
    )
    assert.isTrue(waits.slice(10).every(({ seconds }) => seconds === 3600))
    assert.deepStrictEqual(
      waits.map((wait) => wait.isUnfillable),
      waits.map((_, at) => at >= 5)
    )
  })
})
