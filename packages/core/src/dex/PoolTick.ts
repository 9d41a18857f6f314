/**
 * The initialized ticks of a pool: where the liquidity in range changes. An addition beside the specified interface.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Decimal } from "../number/Decimal.ts"

/**
 * A tick at which positions start or end. All values are integers: liquidity is in the unit of the contract.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import { Decimal, type PoolTick } from "@chaintape/core"
 *
 * // The liquidity in range at a tick: the sum of the net liquidity at it and below it.
 * const liquidityAt = (ticks: ReadonlyArray<PoolTick>, at: number): bigint =>
 *   ticks
 *     .filter(({ tick }) => Decimal.toNumber(tick) <= at)
 *     .reduce((sum, { liquidityNet }) => sum + Decimal.toBigInt(liquidityNet), 0n)
 * ```
 */
export const PoolTick = Schema.Struct({
  /** The tick: 1.0001 to its power is the price of token 0 in token 1, both in their smallest units. */
  tick: Decimal,
  /** The liquidity of all positions that start or end here. */
  liquidityGross: Decimal,
  /** The change of the liquidity in range when the price rises through the tick. */
  liquidityNet: Decimal
}).annotate({ identifier: "PoolTick" })

/**
 * @since 0.1.0
 * @category models
 */
export type PoolTick = typeof PoolTick.Type
