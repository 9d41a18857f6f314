import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Bar } from "../../src/chart/Bars.ts"
import { isContinuation, isOpen } from "../../src/chart/Bars.ts"

const minute = 60

const bar = (start: number, volume = 1, isProven = true): Bar => ({
  start,
  open: 100,
  high: 100 + volume,
  low: 100,
  close: 100 + volume,
  volume,
  isProven
})

describe("bars that continue those of a chart", () => {
  const [one, two, three] = [bar(60), bar(120), bar(180)]

  it.each([
    { what: "the newest has grown", before: [one, two], bars: [one, bar(120, 2)], is: true },
    { what: "the only one has grown", before: [two], bars: [bar(120, 2)], is: true },
    { what: "another one is behind them", before: [one, two], bars: [one, bar(120, 2), three], is: true },
    { what: "another one is behind the only one", before: [two], bars: [two, three], is: true },
    { what: "there were none", before: [], bars: [one], is: false },
    { what: "an older one is in front of the only one", before: [two], bars: [one, two], is: false },
    { what: "an older one is in front of them", before: [two, three], bars: [one, two, three], is: false },
    { what: "one has come between them", before: [one, three], bars: [one, two, three], is: false },
    { what: "an older one has changed", before: [one, two, three], bars: [one, bar(120, 2), three], is: false },
    { what: "an older one became proven", before: [bar(60, 1, false), two], bars: [one, two], is: false },
    { what: "two are behind them", before: [one], bars: [one, two, three], is: false },
    { what: "one is gone", before: [one, two], bars: [one], is: false },
    { what: "they are of another time", before: [one], bars: [three], is: false }
  ])("where $what: $is", ({ bars, before, is }) => {
    assert.strictEqual(isContinuation(before, bars), is)
  })

  const Volumes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))).check(
    Schema.isMaxLength(8)
  )

  it.prop("start at the first bar of the chart and add none before its newest", [Volumes, Volumes], ([known, more]) => {
    const toBars = (volumes: ReadonlyArray<number>) =>
      volumes.flatMap((volume, at) => (volume === 0 ? [] : [bar(at * minute, volume)]))
    const [before, bars] = [toBars(known), toBars(more)]
    if (!isContinuation(before, bars)) return
    const newest = before.at(-1)?.start ?? 0
    // A chart takes only the newest bar, and one behind it.
    assert.isTrue(bars.slice(before.length - 1).every(({ start }) => start >= newest))
    assert.strictEqual(bars[0]?.start, before[0]?.start)
  })
})

describe("a bar", () => {
  it("is open until its time has passed", () => {
    assert.isTrue(isOpen(bar(60), minute, 119_999))
    assert.isFalse(isOpen(bar(60), minute, 120_000))
  })
})
