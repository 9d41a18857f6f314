/**
 * Prices of a pool, exactly as its contract holds them.
 *
 * @since 0.1.0
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Decimal from "../number/Decimal.ts"
import type { Pool } from "./Pool.ts"

/**
 * The price given by a square root price (`sqrtPriceX96` of a swap): token 1 for one token 0, in whole tokens, with
 * every digit. `(sqrtPriceX96 / 2^96)^2 x 10^(decimals0 - decimals1)`, as the white paper of Uniswap V3 defines it
 * (6.1). The price of token 1 in token 0 is its reciprocal, which is rarely a finite decimal.
 *
 * @example
 * ```ts
 * import { Decimal, PoolMath } from "@chaintape/core"
 *
 * const sqrtPrice = Decimal.Decimal.make("1350174849792634181862360983626536")
 * const [usdc, weth] = [Decimal.Decimal.make("6"), Decimal.Decimal.make("18")]
 * const wethForOneUsdc = PoolMath.priceOfSqrtPrice(sqrtPrice, { decimals0: usdc, decimals1: weth })
 * console.log(Decimal.format(wethForOneUsdc, { significantDigits: 6 })) // 0.000290416
 * ```
 *
 * @since 0.1.0
 * @category prices
 */
export const priceOfSqrtPrice = (
  sqrtPriceX96: Decimal.Decimal,
  of: { readonly decimals0: Decimal.Decimal; readonly decimals1: Decimal.Decimal }
): Decimal.Decimal => {
  const root = Decimal.toBigInt(sqrtPriceX96)
  const shift = Decimal.toNumber(of.decimals0) - Decimal.toNumber(of.decimals1)
  // 1 / 2^192 is 5^192 / 10^192, so every price is a finite decimal.
  const price = BigDecimal.normalize(BigDecimal.make(root * root * 5n ** 192n, 192 - shift))
  return Decimal.fromBigDecimal(price)
}

/**
 * The price of a pool: token 1 for one token 0, with every digit, of which the field `token1Price` has 34. None before
 * the pool is initialized, and for a pool without concentrated liquidity, which has no square root price: its
 * `token1Price` is the ratio of its reserves.
 *
 * @example
 * ```ts
 * import { Decimal, type Pool, PoolMath } from "@chaintape/core"
 * import * as Option from "effect/Option"
 *
 * const describe = (pool: Pool): string =>
 *   Option.match(PoolMath.poolPrice(pool), {
 *     onNone: () => "no price yet",
 *     onSome: (price) => `1 ${pool.token0.symbol} is ${Decimal.format(price, { significantDigits: 6 })} ${pool.token1.symbol}`
 *   })
 * ```
 *
 * @since 0.1.0
 * @category prices
 */
export const poolPrice = (pool: {
  readonly sqrtPrice: Decimal.Decimal | ""
  readonly token0: Pick<Pool["token0"], "decimals">
  readonly token1: Pick<Pool["token1"], "decimals">
}): Option.Option<Decimal.Decimal> =>
  pool.sqrtPrice === "" || Decimal.isZero(pool.sqrtPrice)
    ? Option.none()
    : Option.some(
        priceOfSqrtPrice(pool.sqrtPrice, { decimals0: pool.token0.decimals, decimals1: pool.token1.decimals })
      )
