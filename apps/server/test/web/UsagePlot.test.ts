import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { scaleEnd, usagePlot } from "../../src/web/dashboard/UsagePlot.ts"

const Days = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000_000 }))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(30)
)

const toUsage = (requests: ReadonlyArray<number>) =>
  requests.map((count, index) => ({
    day: `2026-11-${String(index + 1).padStart(2, "0")}`,
    requests: count,
    refused: count % 7
  }))

describe("the plot of the usage", () => {
  it.prop("ends at a round number above the busiest day, and at most twice as high", [Days], ([requests]) => {
    const max = Math.max(...requests, 1)
    assert.isAtLeast(scaleEnd(max), max)
    assert.isAtMost(scaleEnd(max), 2 * max)
    assert.isTrue(Number.isInteger(scaleEnd(max)))
  })

  it.prop("draws no bar beyond its edges, and says every day in its table", [Days], ([requests]) => {
    const { text } = usagePlot(toUsage(requests))
    for (const [, y = "", height = ""] of text.matchAll(/y="([\d.-]+)"[^>]* height="([\d.-]+)"/g)) {
      assert.isAtLeast(Number(y), 0)
      assert.isAtLeast(Number(height), 0)
      assert.isAtMost(Number(y) + Number(height), 100.02)
    }
    assert.strictEqual([...text.matchAll(/<th scope="row">/g)].length, requests.length)
  })

  it("says in words what it shows, and nothing of bars where there was no request", () => {
    assert.include(
      usagePlot(toUsage([3, 1200, 14])).text,
      "1,217 requests in the last 3 days, 6 of them refused by a limit. The busiest day was 2026-11-02 with 1,200."
    )
    const quiet = usagePlot(toUsage([0, 0])).text
    assert.include(quiet, "No requests in the last 2 days.")
    assert.notInclude(quiet, "<svg")
  })
})
