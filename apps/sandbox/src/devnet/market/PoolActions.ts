import type { DevnetPool } from "../contracts/Deployment.ts"
import type { MarketState } from "./MarketState.ts"
import { fairTick, type Prices, tickValue, toBound, toLiquidity } from "./Price.ts"
import type { RandomDraws } from "./RandomDraws.ts"

/** On what the bots of pools with ticks decide. They need nothing of earlier positions: the trader burns what it has. */
export interface PoolView {
  readonly state: MarketState
  readonly prices: Prices
  /** The prices at the start: positions have bounds around them. */
  readonly firstPrices: Prices
  readonly draws: RandomDraws
}

/** The cost of moving the price of a pool by one tick, in USD. */
export const getValue = ({ prices, state }: PoolView, pool: DevnetPool): number =>
  tickValue(pool, prices, state.pools.get(pool.address) ?? { liquidity: 0n, sqrtPrice: 0n })

/** Moves the pools towards the fair price, at most 60 ticks at once. */
export const planArbitrage = <A>(
  view: PoolView,
  pools: ReadonlyArray<DevnetPool>,
  swap: (pool: DevnetPool, isDown: boolean, usd: number) => A
): ReadonlyArray<A> =>
  pools.flatMap((pool) => {
    const { draws, prices, state } = view
    const distance = fairTick(pool, prices) - (state.pools.get(pool.address)?.tick ?? 0)
    const ticks = Math.min(60, Math.abs(distance) - pool.fee / 100) * draws.between(0.6, 1)
    return ticks < 1 || draws.chance(0.5) ? [] : [swap(pool, distance < 0, ticks * getValue(view, pool))]
  })

/** One of a few ranges of a pool, so that a burn often finds the position of a mint. A step has so many spacings. */
export const toRange = ({ draws, firstPrices }: PoolView, pool: DevnetPool, spacings: number) => {
  const step = pool.tickSpacing * spacings
  const reach = draws.pick([1, 4, 12]) * step
  const middle = toBound(pool, fairTick(pool, firstPrices)) + Math.floor(draws.between(-2, 3)) * step
  return { lower: middle - reach, upper: middle + reach, width: reach }
}

/** Pool, bounds and liquidity of a mint. */
export const toMint = (view: PoolView, pools: readonly [DevnetPool, ...Array<DevnetPool>], spacings: number) => {
  const { draws, prices } = view
  const pool = draws.pick(pools)
  const { lower, upper, width } = toRange(view, pool, spacings)
  const liquidity = toLiquidity(pool, prices, pool.usd * draws.between(0.0005, 0.01), width)
  return [pool.address, lower, upper, liquidity] as const
}

/** The first ranges of a pool: one that no price can leave, one for months, one for days. */
export const toFirstRanges = (pool: DevnetPool, prices: Prices) => {
  const tick = fairTick(pool, prices)
  const isStable = pool.tickSpacing === 1
  const ranges = [
    { width: 2e6, part: 0.3 },
    { width: isStable ? 100 : 6000, part: 0.4 },
    { width: isStable ? 20 : 1800, part: 0.3 }
  ]
  return ranges.map(({ part, width }) => ({
    lower: toBound(pool, tick - width),
    upper: toBound(pool, tick + width),
    width,
    usd: pool.usd * part
  }))
}

/** Pool, bounds and liquidity of the first mints. */
export const toFirstMints = (pool: DevnetPool, prices: Prices) =>
  toFirstRanges(pool, prices).map(
    ({ lower, upper, usd, width }) => [pool.address, lower, upper, toLiquidity(pool, prices, usd, width)] as const
  )
