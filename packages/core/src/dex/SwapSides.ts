/**
 * The tokens that a swap sold and bought.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { PoolMath, type Swap } from "@chaintape/core"
 * import * as Option from "effect/Option"
 *
 * const describe = (swap: Swap): string =>
 *   Option.match(PoolMath.swapSides(swap), {
 *     onNone: () => "nothing",
 *     onSome: ({ bought, sold }) =>
 *       `${sold.amount} ${sold.token.symbol} for ${bought.amount} ${bought.token.symbol}`
 *   })
 * ```
 */
import * as Option from "effect/Option"
import * as Decimal from "../number/Decimal.ts"
import type { Swap } from "./PoolTrade.ts"

/**
 * A token and its amount, in whole tokens and never negative.
 *
 * @since 0.1.0
 * @category models
 */
export interface SwappedAmount {
  /** The token, as in the pool of the swap. */
  readonly token: Swap["pool"]["token0"]
  /** In whole tokens; never negative. */
  readonly amount: Decimal.Decimal
}

/**
 * A swap from its trader's point of view.
 *
 * @example
 * ```ts
 * import type { PoolMath } from "@chaintape/core"
 *
 * const pair = ({ bought, sold }: PoolMath.SwapSides) => `${sold.token.symbol}/${bought.token.symbol}`
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface SwapSides {
  /** The token paid into the pool. */
  readonly sold: SwappedAmount
  /** The token paid out of the pool. */
  readonly bought: SwappedAmount
}

const isPositive = (amount: Decimal.Decimal) => !amount.startsWith("-") && !Decimal.isZero(amount)

/**
 * The sides of a swap from its trader's point of view. The trader sold the token with the positive amount, which went
 * into the pool, and bought the other. None for a swap that moved nothing into the pool.
 *
 * @example
 * ```ts
 * import { PoolMath, type Swap } from "@chaintape/core"
 * import * as Option from "effect/Option"
 *
 * const describe = (swap: Swap): string =>
 *   Option.match(PoolMath.swapSides(swap), {
 *     onNone: () => "nothing was swapped",
 *     onSome: ({ bought, sold }) =>
 *       `${sold.amount} ${sold.token.symbol} for ${bought.amount} ${bought.token.symbol}`
 *   })
 * ```
 *
 * @since 0.1.0
 * @category conversions
 */
export const swapSides = ({
  amount0,
  amount1,
  pool
}: Pick<Swap, "amount0" | "amount1" | "pool">): Option.Option<SwapSides> => {
  const side0 = { token: pool.token0, amount: Decimal.abs(amount0) }
  const side1 = { token: pool.token1, amount: Decimal.abs(amount1) }
  if (isPositive(amount0)) return Option.some({ sold: side0, bought: side1 })
  return isPositive(amount1) ? Option.some({ sold: side1, bought: side0 }) : Option.none()
}
