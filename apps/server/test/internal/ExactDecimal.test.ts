import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as ExactDecimal from "../../src/internal/ExactDecimal.ts"

const digits = Schema.String.check(Schema.isPattern(/^[0-9]{1,24}$/))
const Parts = Schema.Struct({
  negative: Schema.Boolean,
  whole: digits,
  fraction: digits,
  exponent: Schema.Int.check(Schema.isBetween({ minimum: -30, maximum: 30 }))
})
type Parts = typeof Parts.Type

const scale = 100n
const text = ({ negative, whole, fraction, exponent }: Parts) =>
  `${negative ? "-" : ""}${whole}.${fraction}e${exponent}`

/** The value times 10^100, as an integer. */
const oracle = ({ negative, whole, fraction, exponent }: Parts): bigint => {
  const value = BigInt(whole + fraction) * 10n ** (scale - BigInt(fraction.length) + BigInt(exponent))
  return negative ? -value : value
}

/** The value of a canonical text times 10^places. */
const scaled = (value: string, places: bigint): bigint => {
  const [whole = "", fraction = ""] = value.replace("-", "").split(".")
  const magnitude = BigInt(whole + fraction) * 10n ** (places - BigInt(fraction.length))
  return value.startsWith("-") ? -magnitude : magnitude
}

const canonical = (parts: Parts): string => {
  const value = ExactDecimal.canonical(text(parts))
  if (value === undefined) throw new Error(`no decimal: ${text(parts)}`)
  return value
}

describe("ExactDecimal", () => {
  it.prop("keeps the value and has one text for each", [Parts], ([parts]) => {
    const value = canonical(parts)
    assert.strictEqual(scaled(value, scale), oracle(parts))
    assert.match(value, /^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/)
    assert.notStrictEqual(value, "-0")
    assert.strictEqual(ExactDecimal.canonical(value), value)
  })

  it.prop("multiplies exactly", [Parts, Parts], ([left, right]) => {
    const product = ExactDecimal.multiply(canonical(left), canonical(right))
    assert.strictEqual(scaled(product, scale * 2n), oracle(left) * oracle(right))
    assert.strictEqual(ExactDecimal.canonical(product), product)
  })

  it.prop("adds exactly", [Parts, Parts], ([left, right]) => {
    const sum = ExactDecimal.add(canonical(left), canonical(right))
    assert.strictEqual(scaled(sum, scale), oracle(left) + oracle(right))
    assert.strictEqual(ExactDecimal.canonical(sum), sum)
  })

  it.prop("sums exactly", [Schema.Array(Parts).check(Schema.isMaxLength(8))], ([parts]) => {
    const sum = ExactDecimal.sum(parts.map(canonical))
    assert.strictEqual(
      scaled(sum, scale),
      parts.reduce((total, part) => total + oracle(part), 0n)
    )
    assert.strictEqual(ExactDecimal.canonical(sum), sum)
  })

  it.prop("compares as numbers", [Parts, Parts], ([left, right]) => {
    const [a, b] = [oracle(left), oracle(right)]
    assert.strictEqual(ExactDecimal.compare(canonical(left), canonical(right)), a < b ? -1 : a > b ? 1 : 0)
    assert.strictEqual(ExactDecimal.isPositive(canonical(left)), a > 0n)
  })

  it.each([
    ["73271.63000000", "73271.63"],
    ["1.10", "1.1"],
    ["000", "0"],
    ["-0.0", "0"],
    ["+5", "5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["1e-8", "0.00000001"],
    ["1.5E+3", "1500"],
    ["123456789012.123456789", "123456789012.123456789"]
  ])("writes %s as %s", (given, expected) => {
    assert.strictEqual(ExactDecimal.canonical(given), expected)
  })

  it.each(["", ".", "-", "e5", "1e", "1e99999", "1e401", "0x10", "1,5", " 1", "NaN", "Infinity", "1".repeat(513)])(
    "refuses %j",
    (given) => {
      assert.isUndefined(ExactDecimal.canonical(given))
    }
  )
})
