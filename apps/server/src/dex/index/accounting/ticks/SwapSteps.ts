import type { ProtocolShare } from "../../protocol/Protocol.ts"
import { highestTick, lowestTick, sqrtRatioAt } from "./PoolTicks.ts"
import type { PoolTicks } from "./PoolTicks.ts"

/** 2^96 and 2^128: the fixed-point scales of prices and of fee growth. */
const x96 = 96n
const x128 = 128n
const million = 1_000_000n
const toUint256 = (value: bigint): bigint => BigInt.asUintN(256, value)

const divideUp = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor
  return quotient * divisor === dividend ? quotient : quotient + 1n
}

/** The input that moves the price from one square root to another at the liquidity, rounded up as the contracts do. */
const amountIn = (from: bigint, to: bigint, liquidity: bigint): bigint => {
  if (from === to || liquidity === 0n) return 0n
  return to < from
    ? divideUp(divideUp((liquidity << x96) * (from - to), from), to)
    : divideUp(liquidity * (to - from), 1n << x96)
}

/** A pool before a swap. */
export interface PoolBeforeSwap {
  readonly sqrtPrice: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** In millionths. */
  readonly fee: bigint
  /** The protocol's share of the fees of each token. */
  readonly share0: ProtocolShare
  readonly share1: ProtocolShare
  readonly tickSpacing: number
  readonly ticks: PoolTicks
}

/** The fields of a swap's log. */
export interface StatedSwap {
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  /** The protocol's parts of the fees; absent where the log does not state them. */
  readonly protocolFee0?: bigint
  readonly protocolFee1?: bigint
}

const isAtTick = (tick: number, sqrtPrice: bigint): boolean =>
  tick >= lowestTick && tick < highestTick && sqrtRatioAt(tick) <= sqrtPrice && sqrtPrice < sqrtRatioAt(tick + 1)

export const toProtocolPart = (fee: bigint, { of, part }: ProtocolShare): bigint =>
  part === 0n ? 0n : (fee * part) / of

/** The fee growth when this much is paid to the liquidity in range, times 2^128. */
export const feeGrowth = (paid: bigint, liquidity: bigint): bigint =>
  liquidity === 0n ? 0n : (paid << x128) / liquidity

/**
 * The fee growth of the input token during a swap, times 2^128 and modulo 2^256. Undefined if the swap in the log
 * cannot come from this pool by the rules of Uniswap V3, or if the log states another part of the protocol. The price
 * moves from step to step, each with its own rounding, up to the price in the log. In a step that ends at its bound the
 * fee follows from the amount. In the last step it is the remaining input, whether the input or the output was the
 * specified amount.
 */
export const feeGrowthOfSwap = (pool: PoolBeforeSwap, stated: StatedSwap): bigint | undefined => {
  const { fee, tickSpacing, ticks } = pool
  const final = stated.sqrtPriceX96
  const isDown = stated.amount0 > 0n || (stated.amount1 <= 0n && final < pool.sqrtPrice)
  if (isDown ? final > pool.sqrtPrice : final < pool.sqrtPrice) return undefined
  if (final < sqrtRatioAt(lowestTick) || final > sqrtRatioAt(highestTick)) return undefined
  const share = isDown ? pool.share0 : pool.share1
  const protocolFee = isDown ? stated.protocolFee0 : stated.protocolFee1
  let { liquidity, sqrtPrice, tick } = pool
  let left = isDown ? stated.amount0 : stated.amount1
  let growth = 0n
  let ofProtocol = 0n
  for (;;) {
    const end = isDown ? ticks.nextBelow(tick, tickSpacing) : ticks.nextAbove(tick, tickSpacing)
    const bound = sqrtRatioAt(end.tick)
    if (isDown ? final > bound : final < bound) {
      const paid = left - amountIn(sqrtPrice, final, liquidity)
      if (paid < 0n || liquidity !== stated.liquidity || (liquidity === 0n && paid > 0n)) return undefined
      if (sqrtPrice === final ? tick !== stated.tick : !isAtTick(stated.tick, final)) return undefined
      const part = toProtocolPart(paid, share)
      if (protocolFee !== undefined && protocolFee !== ofProtocol + part) return undefined
      return toUint256(growth + feeGrowth(paid - part, liquidity))
    }
    const amount = amountIn(sqrtPrice, bound, liquidity)
    const paid = divideUp(amount * fee, million - fee)
    left -= amount + paid
    if (left < 0n) return undefined
    const part = toProtocolPart(paid, share)
    ofProtocol += part
    growth += feeGrowth(paid - part, liquidity)
    liquidity += isDown ? -end.net : end.net
    if (liquidity < 0n) return undefined
    tick = isDown ? end.tick - 1 : end.tick
    sqrtPrice = bound
    if (final === bound && left === 0n) {
      if (protocolFee !== undefined && protocolFee !== ofProtocol) return undefined
      return tick === stated.tick && liquidity === stated.liquidity ? toUint256(growth) : undefined
    }
    if (tick < lowestTick || tick >= highestTick) return undefined
  }
}
