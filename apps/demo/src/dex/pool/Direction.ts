import { Decimal, type Pool } from "@chaintape/core"
import type { Moment } from "../moment/Deployment.ts"

/** The direction of a pool's price, chosen so that it is at least 1. Prices are in `quote` for one `base`. */
export interface Direction {
  /** Token 0 for one token 1; token 1 for one token 0 otherwise. */
  readonly isInverted: boolean
  readonly base: Pool["token0"]
  readonly quote: Pool["token0"]
}

export const toDirection = ({ token0, token1, token1Price }: Pool): Direction =>
  Decimal.toNumber(token1Price) < 1
    ? { isInverted: true, base: token1, quote: token0 }
    : { isInverted: false, base: token0, quote: token1 }

/** What is drawn of a pool: the pool as of a block, in a direction that stays while the price moves. */
export interface Drawn {
  readonly moment: Moment
  readonly pool: Pool
  readonly direction: Direction
}

/** The price at a tick: 1.0001 to its power, in whole tokens. */
export const toPrice = ({ token0, token1 }: Pool, { isInverted }: Direction, tick: number): number => {
  const price = 1.0001 ** tick * 10 ** (Decimal.toNumber(token0.decimals) - Decimal.toNumber(token1.decimals))
  return isInverted ? 1 / price : price
}
