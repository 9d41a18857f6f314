import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as RetryPolicy from "../../../src/options/RetryPolicy.ts"

const attempts = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }))
const draws = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999_999 }))
const wishes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
const policy = RetryPolicy.standard
const first = Duration.toMillis(policy.firstDelay)
const longest = Duration.toMillis(policy.maxDelay)

describe("docs/retries.md", () => {
  it("has the numbers of RetryPolicy.standard", async () => {
    const text = await readFile(new URL("../../../../../docs/retries.md", import.meta.url), "utf8")
    const rows = [...text.matchAll(/^\| `(\w+)` +\| (\S.*?) +\|/gm)].map(([, name, value]) => [name, value])
    const shown = (value: unknown) => {
      if (!Duration.isDuration(value)) return typeof value === "boolean" ? `\`${value}\`` : String(value)
      const milliseconds = Duration.toMillis(value)
      return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`
    }
    assert.deepStrictEqual(
      rows,
      Object.entries(policy).map(([name, value]) => [name, shown(value)])
    )
  })
})

describe("RetryPolicy.delayAfter", () => {
  it.prop("lies between half and all of the doubled delay, and never above the cap", [attempts, draws], ([n, draw]) => {
    const delay = RetryPolicy.delayAfter(policy, n, draw, undefined)
    const doubled = Math.min(first * 2 ** (n - 1), longest)
    assert.isAtLeast(delay, Math.floor(doubled / 2))
    assert.isAtMost(delay, doubled)
    assert.isAtMost(delay, longest)
  })

  it.prop("grows with the drawn number", [attempts, draws, draws], ([n, one, other]) => {
    const [low, high] = one <= other ? [one, other] : [other, one]
    assert.isAtMost(
      RetryPolicy.delayAfter(policy, n, low, undefined),
      RetryPolicy.delayAfter(policy, n, high, undefined)
    )
  })

  it.prop("is never shorter than what the service asked for", [attempts, draws, wishes], ([n, draw, wish]) => {
    const delay = RetryPolicy.delayAfter(policy, n, draw, wish)
    assert.isAtLeast(delay, wish)
    assert.strictEqual(delay, Math.max(wish, RetryPolicy.delayAfter(policy, n, draw, undefined)))
  })

  it("doubles from the first delay", () => {
    const highest = [1, 2, 3, 4, 5, 6, 7].map((n) => RetryPolicy.delayAfter(policy, n, 1, undefined))
    assert.deepStrictEqual(highest, [200, 400, 800, 1600, 3200, 5000, 5000])
  })
})
