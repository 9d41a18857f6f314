import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { quoteNumbers } from "../../../../src/cex/ccxt/class/JsonNumbers.ts"

const quoted = (value: unknown): unknown =>
  typeof value === "number"
    ? JSON.stringify(value)
    : Array.isArray(value)
      ? value.map(quoted)
      : typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, quoted(member)]))
        : value

const Json = Schema.Array(
  Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.String, Schema.Boolean, Schema.Null]))
)

describe("quoteNumbers", () => {
  it.prop("turns every number into text and changes nothing else", [Json], ([value]) => {
    const plain = JSON.parse(JSON.stringify(value))
    assert.deepStrictEqual(JSON.parse(quoteNumbers(JSON.stringify(plain))), quoted(plain))
    assert.deepStrictEqual(JSON.parse(quoteNumbers(JSON.stringify(plain, null, 2))), quoted(plain))
  })

  it("keeps digits that a double would drop", () => {
    assert.strictEqual(
      quoteNumbers("[1.5679440600000000123, 1.10, -0, 1E-9, 12345678901234567890]"),
      '["1.5679440600000000123", "1.10", "-0", "1E-9", "12345678901234567890"]'
    )
  })

  it("leaves numbers inside strings alone, whatever stands before a quote", () => {
    for (const text of ['{"a 1":"2"}', '["\\"1","\\\\","-3"]', '["\\\\\\"4",true,null]']) {
      assert.strictEqual(quoteNumbers(text), text)
    }
  })
})
