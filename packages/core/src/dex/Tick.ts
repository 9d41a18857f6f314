/**
 * Ticks of a pool: the steps of its price, each a factor of 1.0001 above the one below.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"

/**
 * The range of a pool's tick.
 *
 * @since 0.1.0
 * @category constants
 *
 * @example
 * ```ts
 * import { PoolMath } from "@chaintape/core"
 *
 * const isTick = (tick: number): boolean => tick >= PoolMath.tickRange.lowest && tick <= PoolMath.tickRange.highest
 * ```
 */
export const tickRange: { readonly lowest: number; readonly highest: number } = { lowest: -887_272, highest: 887_272 }

/** 2^128 / 1.0001^(2^bit / 2) for each bit of a tick's magnitude, as the contracts round it. */
const factors = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n
]

const largest = (1n << 256n) - 1n
const rest = (1n << 32n) - 1n

/** For a tick within the range of a pool. */
const sqrtPriceOf = (tick: number): bigint => {
  const magnitude = Math.abs(tick)
  let ratio = 1n << 128n
  for (const [bit, factor] of factors.entries()) if ((magnitude & (1 << bit)) !== 0) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = largest / ratio
  return (ratio >> 32n) + ((ratio & rest) === 0n ? 0n : 1n)
}

/**
 * The square root of the price at a tick, times 2^96, exactly as the contracts compute it
 * (`TickMath.getSqrtRatioAtTick` of Uniswap V3). None if the tick is out of range or not an integer.
 *
 * @example
 * ```ts
 * import { PoolMath } from "@chaintape/core"
 *
 * console.log(PoolMath.sqrtPriceAtTick(0)) // Some(79228162514264337593543950336n), which is 2^96
 * ```
 *
 * @since 0.1.0
 * @category prices
 */
export const sqrtPriceAtTick = (tick: number): Option.Option<bigint> =>
  Number.isInteger(tick) && tick >= tickRange.lowest && tick <= tickRange.highest
    ? Option.some(sqrtPriceOf(tick))
    : Option.none()

/**
 * The highest tick whose price is not above the given one, a square root times 2^96, as the contracts compute it
 * (`TickMath.getTickAtSqrtRatio`). None if the price is out of range: below that of the lowest tick, or not below that
 * of the highest.
 *
 * @example
 * ```ts
 * import { Decimal, PoolMath } from "@chaintape/core"
 *
 * const sqrtPrice = Decimal.Decimal.make("1350174849792634181862360983626536")
 * console.log(PoolMath.tickAtSqrtPrice(Decimal.toBigInt(sqrtPrice))) // Some(194868)
 * ```
 *
 * @since 0.1.0
 * @category prices
 */
export const tickAtSqrtPrice = (sqrtPriceX96: bigint): Option.Option<number> => {
  let { highest: above, lowest: found } = tickRange
  if (sqrtPriceX96 < sqrtPriceOf(found) || sqrtPriceX96 >= sqrtPriceOf(above)) return Option.none()
  while (above - found > 1) {
    const middle = Math.floor((found + above) / 2)
    if (sqrtPriceOf(middle) <= sqrtPriceX96) found = middle
    else above = middle
  }
  return Option.some(found)
}
