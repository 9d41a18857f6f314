import { assert, describe, it } from "@effect/vitest"
import { clockText, timeText, wholeText } from "../../../src/parts/time/TimeText.ts"
import { toDay } from "../../../src/parts/time/Today.ts"

const midnight = Date.UTC(2026, 0, 2)

describe("the text of a time", () => {
  it("is in UTC, from 00 to 23 h, whatever the zone of the browser is", () => {
    assert.strictEqual(clockText("UTC", midnight), "00:00:00")
    assert.strictEqual(clockText("UTC", midnight - 1000), "23:59:59")
    assert.match(wholeText("UTC", midnight), /2026.*00:00:00/)
  })

  it("is in the zone of the browser otherwise", () => {
    const offset = new Date(midnight).getTimezoneOffset() * 60_000
    assert.strictEqual(clockText("local", midnight + offset), "00:00:00")
  })

  it("has the date, unless it is of today in the zone", () => {
    for (const zone of ["local", "UTC"] as const) {
      const start = zone === "UTC" ? midnight : midnight + new Date(midnight).getTimezoneOffset() * 60_000
      const text = (millis: number, now: number) => timeText(zone, millis, toDay(zone, now))
      assert.strictEqual(text(start, start), "00:00:00")
      assert.strictEqual(text(start + 86_399_000, start), "23:59:59")
      for (const [millis, now] of [
        [start - 1000, start],
        [start, start - 1],
        [start, start + 86_400_000],
        // The same clock time.
        [start - 7 * 86_400_000, start]
      ] as const)
        assert.strictEqual(text(millis, now), wholeText(zone, millis))
    }
  })
})
