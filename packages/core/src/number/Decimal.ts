/**
 * Decimals of any length. On the wire and in memory they are text, which costs nothing to decode and loses nothing;
 * they become numbers when they are asked for.
 *
 * @since 0.1.0
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"

/**
 * A decimal as text: an optional minus, digits, and optionally a point with digits. No exponent.
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
 * The exact value.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBigDecimal = (decimal: Decimal): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(decimal)

/**
 * The part before the point.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toBigInt = (decimal: Decimal): bigint => BigInt(decimal.split(".", 1)[0] ?? "0")

/**
 * The nearest double. Digits beyond the 17th are lost.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toNumber = (decimal: Decimal): number => Number(decimal)
