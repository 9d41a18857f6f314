import { Decimal, type Pool } from "@chaintape/core"
import type { Moment } from "../../moment/Deployment.ts"

/** The direction of a pool's price: in `quote` for one `base`. */
export interface Direction {
  /** Token 0 for one token 1; token 1 for one token 0 otherwise. */
  readonly isInverted: boolean
  readonly base: Pool["token0"]
  readonly quote: Pool["token0"]
}

const stable = /USD|DAI|EUR/i
const native = /^W?(ETH|BNB|POL|MATIC|AVAX)$/i

/** The lower, the more usual it is to state prices in this token. Symbols prove nothing: only the direction depends on it. */
const toRank = ({ symbol }: Pool["token0"]): number => (stable.test(symbol) ? 0 : native.test(symbol) ? 1 : 2)

const isFirstQuote = (pool: Pool): boolean => {
  const [one, other] = [toRank(pool.token0), toRank(pool.token1)]
  if (one !== other) return one < other
  return Decimal.isZero(pool.token1Price)
    ? pool.tick !== "" && toPrice(pool, { isInverted: false }, Decimal.toNumber(pool.tick)) < 1
    : Decimal.toNumber(pool.token1Price) < 1
}

/** In a stablecoin if the pool has one, otherwise in the native coin, otherwise so that the price is at least 1. */
export const toDirection = (pool: Pool): Direction =>
  isFirstQuote(pool)
    ? { isInverted: true, base: pool.token1, quote: pool.token0 }
    : { isInverted: false, base: pool.token0, quote: pool.token1 }

export const flip = ({ base, isInverted, quote }: Direction): Direction => ({
  isInverted: !isInverted,
  base: quote,
  quote: base
})

/** The pool that a chart draws: as of a block, in a direction that stays while the price moves. */
export interface Drawn {
  readonly moment: Moment
  readonly pool: Pool
  readonly direction: Direction
}

/** The price at a tick: 1.0001 to its power, in whole tokens. */
export const toPrice = (
  { token0, token1 }: Pool,
  { isInverted }: Pick<Direction, "isInverted">,
  tick: number
): number => {
  const price = 1.0001 ** tick * 10 ** (Decimal.toNumber(token0.decimals) - Decimal.toNumber(token1.decimals))
  return isInverted ? 1 / price : price
}
