import { assert, describe, it } from "@effect/vitest"
import { clockText, wholeText } from "../../../src/parts/time/TimeText.ts"

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
})
