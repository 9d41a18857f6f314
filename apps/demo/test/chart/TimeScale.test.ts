import { assert, describe, it } from "@effect/vitest"
import type { IHorzScaleBehavior, Time, UTCTimestamp } from "lightweight-charts"
import { TimeScale } from "../../src/chart/TimeScale.ts"

const hour = 3600

const isTimestamp = (value: number): value is UTCTimestamp => Number.isInteger(value)

/** Weights of the library for the first candle of a day, a month and a year. */
const [day, month, year] = [50, 60, 70]

type Point = Parameters<IHorzScaleBehavior<Time>["fillWeightsForPoints"]>[0][number]

const isWeight = (value: number): value is Point["timeWeight"] => Number.isInteger(value)

/** The marks of candles that start then. */
const toWeights = (scale: TimeScale, starts: ReadonlyArray<string>, startIndex = 0) => {
  const times = starts.map((start) => Date.parse(start) / 1000).filter(isTimestamp)
  const points = times.flatMap((time) =>
    [0].filter(isWeight).map((timeWeight): Point => {
      const internal = scale.convertHorzItemToInternal(time)
      return { time: internal, originalTime: time, timeWeight }
    })
  )
  scale.fillWeightsForPoints(points, startIndex)
  return points.map(({ timeWeight }) => Number(timeWeight))
}

const newYork = new TimeScale(() => -5 * hour)
const kathmandu = new TimeScale(() => 5.75 * hour)

describe("the axis of a chart", () => {
  it("begins a day with its first candle in the zone of the page", () => {
    const starts = ["2026-11-27T23:00Z", "2026-11-28T00:00Z", "2026-11-28T04:00Z", "2026-11-28T05:00Z"]
    assert.deepStrictEqual(
      toWeights(newYork, starts).map((weight) => weight >= day),
      [false, false, false, true]
    )
    const further = ["2026-11-27T17:00Z", "2026-11-27T18:00Z", "2026-11-27T19:00Z", "2026-11-28T00:00Z"]
    assert.deepStrictEqual(
      toWeights(kathmandu, further).map((weight) => weight >= day),
      [false, false, true, false]
    )
  })
  it("begins a month and a year with their first candle in the zone of the page", () => {
    const days = ["2026-12-30T00:00Z", "2026-12-31T00:00Z", "2027-01-01T00:00Z", "2027-01-02T00:00Z"]
    assert.deepStrictEqual(toWeights(newYork, days), [day, day, day, year])
    assert.deepStrictEqual(toWeights(new TimeScale(() => 0), days), [day, day, year, day])
    const ofMonth = ["2026-11-30T00:00Z", "2026-12-01T00:00Z", "2026-12-02T00:00Z"]
    assert.deepStrictEqual(toWeights(newYork, ofMonth), [day, day, month])
  })
  it("marks a candle that is added as it marks all of them", () => {
    const starts = ["2026-11-28T03:00Z", "2026-11-28T04:00Z", "2026-11-28T05:00Z"]
    assert.isAtLeast(toWeights(newYork, starts, 2).at(-1) ?? 0, day)
  })
  it("follows the clock of a zone when it changes", () => {
    const change = Date.parse("2026-11-01T06:00Z")
    const scale = new TimeScale((millis) => (millis < change ? -4 : -5) * hour)
    const starts = ["2026-11-01T03:00Z", "2026-11-01T04:00Z", "2026-11-02T04:00Z", "2026-11-02T05:00Z"]
    assert.deepStrictEqual(
      toWeights(scale, starts).map((weight) => weight >= day),
      [false, true, false, true]
    )
  })
})
