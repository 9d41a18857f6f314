import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { setToday, today } from "../../../src/parts/time/Today.ts"

const midnight = Date.UTC(2026, 0, 2)

describe("the current day", () => {
  it("changes once, at the midnight of its zone", () => {
    const days: Array<number> = []
    const close = today.UTC.subscribe(() => days.push(today.UTC.get() - midnight / 86_400_000))
    try {
      for (const now of [-2000, -1000, 0, 1000, 2000, 86_399_000, 86_400_000]) setToday(midnight + now)
      assert.deepStrictEqual(days, [-1, 0, 1])
      setToday(midnight + new Date(midnight).getTimezoneOffset() * 60_000)
      assert.strictEqual(today.local.get(), midnight / 86_400_000)
    } finally {
      close()
      setToday(DateTime.toEpochMillis(DateTime.nowUnsafe()))
    }
  })
})
