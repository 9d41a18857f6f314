/**
 * Decimals of any length. On the wire and in memory they are text, which is free to decode and lossless; they are
 * converted to numbers on demand.
 *
 * @since 0.1.0
 */
import * as BigDecimal from "effect/BigDecimal"
import type * as Orders from "effect/Order"
import * as Schema from "effect/Schema"
import { add, countDigits, group, parse, roundTo, toPlainDigits, write } from "../internal/number/decimalText.ts"

/**
 * A decimal as text: an optional minus, digits, and optionally a point with digits. No exponent. `Decimal.Decimal.make`
 * throws for any other text.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 * import * as Schema from "effect/Schema"
 *
 * const price = Decimal.Decimal.make("67100.10")
 * console.log(price, Schema.is(Decimal.Decimal)("1e3")) // 67100.10 false
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export const Decimal = Schema.String.check(
  Schema.isPattern(/^-?\d+(\.\d+)?$/, { expected: "a decimal as text, without exponent" })
).pipe(Schema.brand("Decimal"))

/**
 * @since 0.1.0
 * @category models
 */
export type Decimal = typeof Decimal.Type

const isDecimal = /* @__PURE__ */ Schema.is(Decimal)

/**
 * The decimal of a text, a number or a bigint. An exponent is written out, and a number has its shortest digits. Throws
 * a `TypeError` for anything else, such as `1,000` or `NaN`.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.make("67100.10"), Decimal.make(1e-7), Decimal.make(21n)) // 67100.10 0.0000001 21
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (input: string | number | bigint): Decimal => {
  const digits = toPlainDigits(String(input))
  if (!isDecimal(digits)) {
    throw new TypeError(
      `"${String(input)}" is not a decimal: write digits, such as "67100.10", or give a finite number`
    )
  }
  return digits
}

/**
 * The exact value, for calculations.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 * import * as BigDecimal from "effect/BigDecimal"
 *
 * const price = Decimal.toBigDecimal(Decimal.Decimal.make("0.1"))
 * console.log(Decimal.fromBigDecimal(BigDecimal.sum(price, price))) // 0.2
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBigDecimal = (decimal: Decimal): BigDecimal.BigDecimal => {
  const { scale, value } = parse(decimal)
  return BigDecimal.make(value, scale)
}

/**
 * The decimal of a value, with every digit and without exponent. Trailing zeros of the fraction are preserved.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 * import * as BigDecimal from "effect/BigDecimal"
 *
 * console.log(Decimal.fromBigDecimal(BigDecimal.make(15n, 20))) // 0.00000000000000000015
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const fromBigDecimal = (value: BigDecimal.BigDecimal): Decimal => Decimal.make(write(value))

/**
 * The integer part, truncated toward zero: `-1n` of `-1.9`.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.toBigInt(Decimal.Decimal.make("1000000000000000000001.5"))) // 1000000000000000000001n
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBigInt = (decimal: Decimal): bigint => BigInt(decimal.split(".", 1)[0] ?? "0")

/**
 * The nearest double. It loses digits: those beyond the 15th significant one may differ from the decimal, and a value
 * with more than 309 digits before the point is `Infinity`. For charts and estimates, not for sums of money.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.toNumber(Decimal.Decimal.make("0.12345678901234567890"))) // 0.12345678901234568
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const toNumber = (decimal: Decimal): number => Number(decimal)

/**
 * Orders decimals by their exact value, whatever their length: `1` and `1.00` are equal.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 * import * as Array from "effect/Array"
 *
 * const prices = ["10", "9.5", "-3"].map((text) => Decimal.Decimal.make(text))
 * console.log(Array.sort(prices, Decimal.Order)) // [ "-3", "9.5", "10" ]
 * ```
 *
 * @since 0.1.0
 * @category ordering
 */
export const Order: Orders.Order<Decimal> = (self, that) => BigDecimal.Order(toBigDecimal(self), toBigDecimal(that))

/**
 * Whether the value is zero, in any spelling.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.isZero(Decimal.Decimal.make("-0.00"))) // true
 * ```
 *
 * @since 0.1.0
 * @category predicates
 */
export const isZero = (decimal: Decimal): boolean => !/[1-9]/.test(decimal)

/**
 * The absolute value.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.abs(Decimal.Decimal.make("-12.50"))) // 12.50
 * ```
 *
 * @since 0.1.0
 * @category arithmetic
 */
export const abs = (decimal: Decimal): Decimal => (decimal.startsWith("-") ? Decimal.make(decimal.slice(1)) : decimal)

/**
 * The value with the opposite sign. Zero has no sign.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * console.log(Decimal.negate(Decimal.Decimal.make("12.50"))) // -12.50
 * ```
 *
 * @since 0.1.0
 * @category arithmetic
 */
export const negate = (decimal: Decimal): Decimal =>
  decimal.startsWith("-") || isZero(decimal) ? abs(decimal) : Decimal.make(`-${decimal}`)

/**
 * The exact sum, with every digit; `0` of none.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * const costs = ["0.1", "0.2", "0.00000000000000000001"].map((text) => Decimal.Decimal.make(text))
 * console.log(Decimal.sum(costs)) // 0.30000000000000000001
 * ```
 *
 * @since 0.1.0
 * @category arithmetic
 */
export const sum = (decimals: Iterable<Decimal>): Decimal => {
  let total = { value: 0n, scale: 0 }
  for (const decimal of decimals) total = add(total, parse(decimal))
  return Decimal.make(write(total))
}

/**
 * Options of {@link format}. Every member is optional.
 *
 * @since 0.1.0
 * @category formatting
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * const european: Decimal.Format = { fractionDigits: 2, grouping: ".", point: "," }
 * console.log(Decimal.format(Decimal.Decimal.make("1234.567"), european)) // 1.234,57
 * ```
 */
export interface Format {
  /** Maximum number of decimal places. */
  readonly fractionDigits?: number
  /** Maximum number of significant digits. If both are given, the stricter one applies. */
  readonly significantDigits?: number
  /** `half-even`, the default, rounds to the nearest value and ties to the even digit; `toward-zero` truncates. */
  readonly rounding?: "half-even" | "toward-zero"
  /** The separator of groups of three digits before the point; none by default. */
  readonly grouping?: string
  /** The decimal point; `.` by default. */
  readonly point?: string
}

/**
 * Formats a decimal for people: rounded once, exactly, at any length, and independent of the locale. Without options
 * every digit stays. Zero has no minus sign, and no zeros are added.
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 *
 * const locked = Decimal.Decimal.make("1234567.8950")
 * console.log(Decimal.format(locked, { fractionDigits: 2, grouping: "," })) // 1,234,567.90
 * console.log(Decimal.format(locked, { significantDigits: 3, rounding: "toward-zero" })) // 1230000
 * ```
 *
 * @since 0.1.0
 * @category formatting
 */
export const format = (decimal: Decimal, options: Format = {}): string => {
  const { fractionDigits = Infinity, grouping = "", point = ".", rounding = "half-even" } = options
  const { significantDigits = Infinity } = options
  const exact = parse(decimal)
  const decimals = Math.min(exact.scale, fractionDigits, exact.scale - countDigits(exact) + significantDigits)
  const rounded = roundTo(exact, decimals, rounding)
  // From 9.99 to 10.0: one digit more than requested, and that one is zero.
  const isLonger = countDigits(rounded) > significantDigits
  const [integer = "", ...fraction] = write(isLonger ? roundTo(rounded, decimals - 1, rounding) : rounded).split(".")
  return [group(integer, grouping), ...fraction].join(point)
}
