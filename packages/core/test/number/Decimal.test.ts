import { Decimal } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"

const texts = Schema.String.check(Schema.isPattern(/^-?(0|[1-9]\d{0,39})(\.\d{1,40})?$/))
const places = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 45 }))
const counts = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 60 }))
const roundings = Schema.Literals(["half-even", "toward-zero"])
const decimal = (text: string) => Decimal.Decimal.make(text)
const exact = (text: string) => Decimal.toBigDecimal(decimal(text))

describe("the conversions", () => {
  it.prop("give back the value that was converted", [texts], ([text]) => {
    const back = Decimal.fromBigDecimal(exact(text))
    assert.strictEqual(back, Decimal.isZero(decimal(text)) ? text.replace("-", "") : text)
  })

  it("write what BigDecimal itself writes with an exponent", () => {
    assert.strictEqual(Decimal.fromBigDecimal(BigDecimal.make(-15n, 20)), "-0.00000000000000000015")
    assert.strictEqual(Decimal.fromBigDecimal(BigDecimal.make(15n, -20)), "1500000000000000000000")
  })

  it("cut off toward zero for an integer, and lose digits for a double", () => {
    assert.strictEqual(Decimal.toBigInt(decimal("-1.9")), -1n)
    assert.strictEqual(Decimal.toNumber(decimal("0.12345678901234567890")), 0.12345678901234568)
    assert.strictEqual(Decimal.toNumber(decimal("1".repeat(310))), Infinity)
  })
})

describe("the order", () => {
  it.prop("is that of the exact values", [texts, texts], ([a, b]) => {
    assert.strictEqual(Decimal.Order(decimal(a), decimal(b)), BigDecimal.Order(exact(a), exact(b)))
    assert.strictEqual(Decimal.Order(decimal(a), decimal(b)) + Decimal.Order(decimal(b), decimal(a)), 0)
  })

  it("compares values of any notation and length", () => {
    assert.strictEqual(Decimal.Order(decimal("1"), decimal("01.00")), 0)
    assert.strictEqual(Decimal.Order(decimal("9".repeat(400)), decimal(`1${"0".repeat(400)}`)), -1)
  })
})

describe("isZero and abs", () => {
  it.prop("agree with the exact value", [texts], ([text]) => {
    assert.strictEqual(Decimal.isZero(decimal(text)), exact(text).value === 0n)
    assert.strictEqual(Decimal.abs(decimal(text)), text.replace("-", ""))
  })
})

describe("format", () => {
  it.prop("without options leaves the value", [texts], ([text]) => {
    const written = Decimal.format(decimal(text))
    assert.isTrue(BigDecimal.equals(exact(written), exact(text)))
    assert.strictEqual(written.split(".")[1], text.split(".")[1])
  })

  it.prop("rounds as BigDecimal does", [texts, places, roundings], ([text, fractionDigits, rounding]) => {
    const mode = rounding === "half-even" ? "half-even" : "to-zero"
    const expected = BigDecimal.round(exact(text), { scale: fractionDigits, mode })
    const written = Decimal.format(decimal(text), { fractionDigits, rounding })
    assert.isTrue(BigDecimal.equals(exact(written), expected), `${written} of ${text}`)
    assert.isAtMost(written.split(".")[1]?.length ?? 0, fractionDigits)
    assert.isFalse(written.startsWith("-") && exact(written).value === 0n)
  })

  it.prop(
    "keeps no more significant digits than asked for, and is no further away than half of the last",
    [texts, counts],
    ([text, significantDigits]) => {
      const written = Decimal.format(decimal(text), { significantDigits })
      const digits = (text: string) => text.replace(/[-.]/g, "").replace(/^0+/, "")
      if (written.includes(".")) assert.isAtMost(digits(written).length, Math.max(significantDigits, 1))
      assert.isAtMost(digits(written).replace(/0+$/, "").length, significantDigits)
      const difference = BigDecimal.abs(BigDecimal.subtract(exact(written), exact(text)))
      const unit = digits(text.replace(/^-?0?\.?0*/, "")).length - significantDigits
      const twice = BigDecimal.multiply(difference, BigDecimal.make(2n, 0))
      const scale = (text.split(".")[1]?.length ?? 0) - Math.max(0, unit)
      assert.isFalse(BigDecimal.isGreaterThan(twice, BigDecimal.make(1n, scale)), `${written} of ${text}`)
    }
  )

  it.prop("puts groups of three before the point, and nothing else", [texts], ([text]) => {
    const written = Decimal.format(decimal(text), { grouping: "'", point: "," })
    assert.strictEqual(written.replaceAll("'", "").replace(",", "."), Decimal.format(decimal(text)))
    assert.match(written, /^-?\d{1,3}('\d{3})*(,\d+)?$/)
  })

  it.each([
    ["0.125", { fractionDigits: 2 }, "0.12"],
    ["0.135", { fractionDigits: 2 }, "0.14"],
    ["-0.5", { fractionDigits: 0 }, "0"],
    ["-1.5", { fractionDigits: 0 }, "-2"],
    ["9.996", { significantDigits: 3 }, "10.0"],
    ["999.6", { significantDigits: 3 }, "1000"],
    ["0.00012345", { significantDigits: 2 }, "0.00012"],
    ["123456", { significantDigits: 2, grouping: "," }, "120,000"],
    ["1.50", { fractionDigits: 5 }, "1.50"],
    ["007", {}, "7"],
    ["12.345", { fractionDigits: 2, significantDigits: 3 }, "12.3"]
  ] as const)("of %s with %o", (text, options, expected) => {
    assert.strictEqual(Decimal.format(decimal(text), options), expected)
  })

  it("takes a hundred thousand digits", () => {
    const written = Decimal.format(decimal("1".repeat(100_000)), { grouping: "," })
    assert.strictEqual(written.length, 100_000 + 33_333)
  })
})
