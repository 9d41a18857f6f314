import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { makeJsonMeter } from "../../src/sources/JsonMeter.ts"

const unbounded = { bytes: 1e9, values: 1e9 }

/** The report of the meter on a text that arrives in parts of this many bytes. */
const measure = (text: string, bounds = unbounded, part = 7): string | undefined => {
  const meter = makeJsonMeter(bounds)
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += part) {
    const found = meter(bytes.subarray(at, at + part))
    if (found !== undefined) return found
  }
  return undefined
}

/** Elements, members and containers, counted as the meter counts them: by commas and opening brackets. */
const countValues = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  const members: ReadonlyArray<unknown> = Object.values(value)
  return members.reduce<number>((sum, member) => sum + countValues(member), 1 + Math.max(0, members.length - 1))
}

const getDepth = (value: unknown): number =>
  typeof value !== "object" || value === null
    ? 0
    : 1 + Math.max(0, ...Object.values(value).map((member: unknown) => getDepth(member)))

const Text = Schema.Struct({ json: Schema.Json, part: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 })) })

describe("a meter of JSON", () => {
  it.prop("counts values as a parser does, however the bytes arrive", [Text], ([{ json, part }]) => {
    // Brackets and escapes inside texts do not count.
    const text = JSON.stringify([json, '[{"\\"'])
    const values = countValues(JSON.parse(text))
    if (getDepth(JSON.parse(text)) > 64) return
    assert.isUndefined(measure(text, { ...unbounded, values }, part))
    assert.strictEqual(
      measure(text, { ...unbounded, values: values - 1 }, part),
      `more than ${values - 1} values in one answer`
    )
  })

  it("ends an answer that is too long, too deep or holds too many values", () => {
    const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
    assert.isUndefined(measure(deep(64)))
    assert.strictEqual(measure(deep(65)), "an answer that is nested deeper than 64 levels")
    assert.strictEqual(measure(`${'{"a":'.repeat(65)}1`), "an answer that is nested deeper than 64 levels")
    assert.isUndefined(measure(JSON.stringify(Array.from({ length: 100 }, () => deep(60)))))
    assert.strictEqual(measure("12345678", { bytes: 7, values: 9 }), "more than 7 bytes in one answer")
  })
})
