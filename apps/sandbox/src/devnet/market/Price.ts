import type { DevnetPool, DevnetToken } from "../contracts/Deployment.ts"
import type { TokenSymbol } from "../contracts/Tokens.ts"

/** USD for one token. Bots calculate in binary floats: they only decide what to try, the chain does the accounting. */
export type Prices = Readonly<Record<TokenSymbol, number>>

/** The price limits of a swap that has none: one beside the lowest and the highest price. */
export const minSqrtPrice = 4_295_128_740n
export const maxPrice = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n

const logBase = Math.log(1.0001)
const maxTick = 887_272

/** An amount of a token in its smallest unit. */
export const toRaw = (token: DevnetToken, prices: Prices, usd: number): bigint =>
  BigInt(Math.floor((usd / prices[token.symbol]) * 10 ** token.decimals))

/** token1 for one token0, both in their smallest units. */
const rawPrice = (pool: DevnetPool, prices: Prices) =>
  (prices[pool.token0.symbol] / prices[pool.token1.symbol]) * 10 ** (pool.token1.decimals - pool.token0.decimals)

/** The tick at which a pool agrees with the prices. */
export const fairTick = (pool: DevnetPool, prices: Prices): number => Math.log(rawPrice(pool, prices)) / logBase

/** The square root of the price at which a pool agrees with the prices, in the pool's format. */
export const fairSqrtPrice = (pool: DevnetPool, prices: Prices): bigint =>
  BigInt(Math.round(Math.sqrt(rawPrice(pool, prices)) * 2 ** 48)) << 48n

/** The cost of moving a pool's price by one tick, in USD. */
export const tickValue = (
  pool: DevnetPool,
  prices: Prices,
  { liquidity, sqrtPrice }: { readonly liquidity: bigint; readonly sqrtPrice: bigint }
): number => {
  const raw = Number(liquidity) * (Number(sqrtPrice) / 2 ** 96) * (logBase / 2)
  return (raw / 10 ** pool.token1.decimals) * prices[pool.token1.symbol]
}

/** Beyond this many ticks, a wider range holds the same value: an amount ends at the highest price of its token. */
const widest = 2 / logBase

/** The liquidity of a position of this value whose bounds are `width` ticks below and above the fair price. */
export const toLiquidity = (pool: DevnetPool, prices: Prices, usd: number, width: number): bigint => {
  const unit = 10n ** 12n
  const value = tickValue(pool, prices, { liquidity: unit, sqrtPrice: fairSqrtPrice(pool, prices) })
  return (unit * BigInt(Math.floor((usd / (2 * Math.min(width, widest) * value)) * 1e6))) / 1_000_000n
}

/** Rounds a tick to a valid bound of a position. */
export const toBound = (pool: DevnetPool, tick: number): number => {
  const largest = Math.floor(maxTick / pool.tickSpacing)
  return Math.max(-largest, Math.min(largest, Math.round(tick / pool.tickSpacing))) * pool.tickSpacing
}
