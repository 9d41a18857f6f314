import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { parseRetryAfter } from "../../src/sources/RetryAfter.ts"

const now = Date.UTC(2026, 10, 20, 12, 0, 0)

describe("parseRetryAfter", () => {
  it.each([
    ["7", 7000],
    ["0", 0],
    ["0.25", 250],
    ["Fri, 20 Nov 2026 12:00:30 GMT", 30_000],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 0],
    ["999999999", 86_400_000]
  ])("reads %s as %i ms", (header, expected) => {
    assert.deepStrictEqual(parseRetryAfter(header, now), Option.some(expected))
  })

  it.each([undefined, "", "soon", "-1", "1e3", "2026-11-20"])("ignores %s", (header) => {
    assert.deepStrictEqual(parseRetryAfter(header, now), Option.none())
  })
})
