/**
 * Decimals of any length. On the wire and in memory they are text, which costs nothing to decode and loses nothing;
 * they become numbers when they are asked for.
 *
 * @since 0.1.0
 */
import * as BigDecimal from "effect/BigDecimal"
import type * as Orders from "effect/Order"
import * as Schema from "effect/Schema"
import { digitsOf, parse, roundTo, write } from "../internal/decimalText.ts"

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

/**
 * The exact value, to calculate with.
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
 * The decimal of a value, with every digit and without exponent. Zeros at the end of the fraction stay as the value has
 * them.
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
 * The part before the point, toward zero: `-1n` of `-1.9`.
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
 * The nearest double. It loses digits: those beyond the 15th significant one may differ from the decimal, and what has
 * more than 309 digits before the point is `Infinity`. For charts and estimates, not for sums of money.
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
 * Whether the value is zero, however it is written.
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
 * The value without its sign.
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
 * How {@link format} writes a decimal. Every member may be left out.
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
  /** At most so many digits after the point. */
  readonly fractionDigits?: number
  /** At most so many digits from the first that is not zero. Where both are given, the one that keeps fewer counts. */
  readonly significantDigits?: number
  /** `half-even`, the standard, to the nearest and from the middle to the even digit; `toward-zero` cuts off. */
  readonly rounding?: "half-even" | "toward-zero"
  /** Between groups of three digits before the point; nothing if not given. */
  readonly grouping?: string
  /** The point; `.` if not given. */
  readonly point?: string
}

/**
 * Writes a decimal for people: rounded once, exactly, at any length, and the same in every locale. Without options
 * every digit stays. Zero never has a minus, and no zeros are added.
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
  const { fractionDigits = Infinity, grouping, point, rounding = "half-even", significantDigits = Infinity } = options
  const exact = parse(decimal)
  const kept = Math.min(exact.scale, fractionDigits, exact.scale - digitsOf(exact) + significantDigits)
  const rounded = roundTo(exact, kept, rounding)
  // From 9.99 to 10.0: one digit more than were asked for, and that one is zero.
  const isLonger = digitsOf(rounded) > significantDigits
  return write(isLonger ? roundTo(rounded, kept - 1, rounding) : rounded, point, grouping)
}
