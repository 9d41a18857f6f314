import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Decimal34 } from "../../../../src/dex/index/accounting/Decimal34.ts"

/** An integer and an exponent of ten, calculated by hand. */
interface Paper {
  readonly integer: bigint
  readonly exponent: number
}

const magnitude = (integer: bigint) => (integer < 0n ? -integer : integer)

/** Rounds by the wording of the rule: positive values by digits, negative ones by the estimate from the bits. */
const reduce = ({ exponent, integer }: Paper): Paper => {
  let digits = magnitude(integer).toString()
  let kept = exponent
  if (integer > 0n && digits.length > 34) {
    kept += digits.length - 34
    digits = (BigInt(digits.slice(0, 34)) + (Number(digits[34]) >= 5 ? 1n : 0n)).toString()
  }
  if (integer < 0n) {
    const dropped = Math.floor(magnitude(integer).toString(2).length / 3.3219280949) - 34
    if (dropped > 0) {
      digits = digits.slice(0, digits.length - dropped)
      kept += dropped
    }
  }
  const stripped = digits.replace(/0+$/, "")
  if (stripped === "") return { integer: 0n, exponent: 0 }
  const value = BigInt(stripped)
  return { integer: integer < 0n ? -value : value, exponent: kept + digits.length - stripped.length }
}

const zeros = (count: number) => BigInt(`1${"0".repeat(count)}`)
const aligned = (a: Paper, b: Paper, operate: (a: bigint, b: bigint) => bigint): Paper => {
  const exponent = Math.min(a.exponent, b.exponent)
  return reduce({
    integer: operate(a.integer * zeros(a.exponent - exponent), b.integer * zeros(b.exponent - exponent)),
    exponent
  })
}

const divide = (a: Paper, b: Paper): Paper => {
  if (a.integer === 0n || b.integer === 0n) return { integer: 0n, exponent: 0 }
  const divisor = magnitude(b.integer)
  let rest = 0n
  let digits = ""
  let exponent = a.exponent - b.exponent
  for (const digit of magnitude(a.integer).toString()) {
    rest = rest * 10n + BigInt(digit)
    digits = (digits + (rest / divisor).toString()).replace(/^0+/, "")
    rest %= divisor
  }
  for (; rest !== 0n && digits.length < 100; exponent--) {
    rest *= 10n
    digits = (digits + (rest / divisor).toString()).replace(/^0+/, "")
    rest %= divisor
  }
  const rounded = BigInt(digits) + ((rest * 10n) / divisor >= 5n ? 1n : 0n)
  return reduce({ integer: a.integer < 0n !== b.integer < 0n ? -rounded : rounded, exponent })
}

const text = ({ exponent, integer }: Paper): string => {
  const digits = magnitude(integer)
    .toString()
    .padStart(1 - exponent, "0")
  const shifted =
    exponent >= 0 ? digits + "0".repeat(exponent) : `${digits.slice(0, exponent)}.${digits.slice(exponent)}`
  return integer < 0n ? `-${shifted}` : shifted
}

const Operand = Schema.Struct({
  negative: Schema.Boolean,
  first: Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,39}$/)),
  filler: Schema.Literals(["0", "4", "5", "9", "49", "50"]),
  fill: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 35 })),
  last: Schema.String.check(Schema.isPattern(/^[0-9]{0,3}$/)),
  exponent: Schema.Int.check(Schema.isBetween({ minimum: -45, maximum: 45 })),
  isZero: Schema.Literals([false, false, false, false, true])
})

const paperOf = ({ exponent, fill, filler, first, isZero, last, negative }: typeof Operand.Type): Paper => {
  const integer = isZero ? 0n : BigInt(first + filler.repeat(fill) + last)
  return { integer: negative ? -integer : integer, exponent: isZero ? 0 : exponent }
}

const runs = { arbitrary: { runs: Number(process.env["CHAINTAPE_PROPERTY_RUNS"] ?? 5000) } }

describe("Decimal34", () => {
  it.prop(
    "reads and writes as on paper",
    [Operand],
    ([operand]) => {
      const paper = paperOf(operand)
      assert.strictEqual(Decimal34.make(paper.integer, paper.exponent).toText(), text(reduce(paper)))
      // A text has its zeros written out.
      const written = {
        integer: paper.integer * zeros(Math.max(0, paper.exponent)),
        exponent: Math.min(0, paper.exponent)
      }
      assert.strictEqual(Decimal34.parse(text(paper)).toText(), text(reduce(written)))
    },
    runs
  )

  it.prop(
    "adds, subtracts, multiplies, divides and compares as on paper",
    [Operand, Operand],
    (operands) => {
      const [p, q] = [paperOf(operands[0]), paperOf(operands[1])]
      const [a, b] = [reduce(p), reduce(q)]
      const [x, y] = [Decimal34.make(p.integer, p.exponent), Decimal34.make(q.integer, q.exponent)]
      assert.strictEqual(x.plus(y).toText(), text(aligned(a, b, (m, n) => m + n)))
      assert.strictEqual(x.minus(y).toText(), text(aligned(a, b, (m, n) => m - n)))
      assert.strictEqual(
        x.times(y).toText(),
        text(reduce({ integer: a.integer * b.integer, exponent: a.exponent + b.exponent }))
      )
      assert.strictEqual(x.over(y).toText(), text(divide(a, b)))
      assert.strictEqual(x.isGreaterThan(y), aligned(a, b, (m, n) => (m > n ? 1n : 0n)).integer === 1n)
    },
    runs
  )

  it.prop(
    "is the same value after it was written and read back",
    [Operand, Operand],
    (operands) => {
      const [p, q] = [paperOf(operands[0]), paperOf(operands[1])]
      const value = Decimal34.make(p.integer, p.exponent)
      const other = Decimal34.make(q.integer, q.exponent)
      const restored = Decimal34.restore(value.toText())
      assert.strictEqual(restored.toText(), value.toText())
      assert.strictEqual(restored.plus(other).toText(), value.plus(other).toText())
      assert.strictEqual(restored.times(other).toText(), value.times(other).toText())
    },
    runs
  )

  it("cuts negative values off where positive ones are rounded", () => {
    const digits = "9876543210987654321098765432109876"
    assert.strictEqual(Decimal34.parse(`0.${digits}9`).toText(), `0.${digits.slice(0, -1)}7`)
    assert.strictEqual(Decimal34.parse(`-0.${digits}9`).toText(), `-0.${digits}`)
  })

  it("lets a negative value keep a 35th digit where its bits hide it", () => {
    assert.strictEqual(
      Decimal34.parse("-1.2345678901234567890123456789012345").toText(),
      "-1.2345678901234567890123456789012345"
    )
    assert.strictEqual(
      Decimal34.parse("1.2345678901234567890123456789012345").toText(),
      "1.234567890123456789012345678901235"
    )
  })

  it("divides by zero to zero, and rounds only positive quotients", () => {
    assert.strictEqual(Decimal34.one.over(Decimal34.zero).toText(), "0")
    assert.strictEqual(Decimal34.one.over(Decimal34.make(3n)).toText(), `0.${"3".repeat(34)}`)
    assert.strictEqual(Decimal34.make(2n).over(Decimal34.make(3n)).toText(), `0.${"6".repeat(33)}7`)
    assert.strictEqual(Decimal34.make(-2n).over(Decimal34.make(3n)).toText(), `-0.${"6".repeat(35)}`)
  })
})
