import type { Hex } from "viem"
import { encodeFunctionData } from "viem/utils"
import type { Cast, DevnetPool, PancakeDeployment } from "../contracts/Deployment.ts"
import type { Dice } from "../market/Dice.ts"
import type { MarketState } from "../market/MarketState.ts"
import {
  fairTick,
  highestPrice,
  lowestPrice,
  type Prices,
  tickValue,
  toBound,
  toLiquidity,
  toRaw
} from "../market/Price.ts"
import type { Transaction } from "../node/Transaction.ts"
import { pancakePoolAbi, traderAbi } from "./PancakeAbi.ts"

/** On what the bots decide. They need nothing of earlier positions: the trader burns what it has. */
export interface PancakeView {
  readonly cast: Cast
  readonly pancakeswap: PancakeDeployment
  readonly state: MarketState
  readonly prices: Prices
  /** The prices at the start: positions have bounds around them. */
  readonly firstPrices: Prices
  readonly dice: Dice
}

/** Shares that a pool accepts, in 1/10,000. */
const feeProtocols = [0, 1000, 2345, 3200, 4000] as const

const everything = 2n ** 128n - 1n

const viaTrader = ({ cast, dice, pancakeswap }: PancakeView, data: Hex): Transaction => ({
  from: dice.pick(cast.traders),
  to: pancakeswap.trader,
  data,
  gas: 600_000
})

const byOwner = ({ cast }: PancakeView, pool: DevnetPool, data: Hex): Transaction => ({
  from: cast.owner,
  to: pool.address,
  data,
  gas: 200_000
})

const swap = (view: PancakeView, pool: DevnetPool, isDown: boolean, usd: number, isInput: boolean): Transaction => {
  const amount = toRaw(isDown === isInput ? pool.token0 : pool.token1, view.prices, usd)
  const args = [pool.address, isDown, isInput ? amount : -amount, isDown ? lowestPrice : highestPrice] as const
  return viaTrader(view, encodeFunctionData({ abi: traderAbi, functionName: "swap", args }))
}

const getValue = ({ prices, state }: PancakeView, pool: DevnetPool): number =>
  tickValue(pool, prices, state.pools.get(pool.address) ?? { liquidity: 0n, sqrtPrice: 0n })

const noise = (view: PancakeView): Transaction => {
  const { dice, pancakeswap } = view
  const pool = dice.pick(pancakeswap.pools)
  const usd = getValue(view, pool) * Math.exp(dice.normal() * 0.8)
  return swap(view, pool, dice.chance(0.5), usd, dice.chance(0.7))
}

/** Moves the pools towards the fair price, at most 60 ticks at once. */
const arbitrage = (view: PancakeView): ReadonlyArray<Transaction> =>
  view.pancakeswap.pools.flatMap((pool) => {
    const { dice, prices, state } = view
    const distance = fairTick(pool, prices) - (state.pools.get(pool.address)?.tick ?? 0)
    const ticks = Math.min(60, Math.abs(distance) - pool.fee / 100) * dice.between(0.6, 1)
    return ticks < 1 || dice.chance(0.5) ? [] : [swap(view, pool, distance < 0, ticks * getValue(view, pool), true)]
  })

/** One of a few ranges of a pool, so that a burn often finds the position of a mint. */
const toRange = ({ dice, firstPrices }: PancakeView, pool: DevnetPool) => {
  const step = pool.tickSpacing * 5
  const reach = dice.pick([1, 4, 12]) * step
  const middle = toBound(pool, fairTick(pool, firstPrices)) + Math.floor(dice.between(-2, 3)) * step
  return { lower: middle - reach, upper: middle + reach, width: reach }
}

const provide = (view: PancakeView): Transaction => {
  const { dice, pancakeswap, prices } = view
  const pool = dice.pick(pancakeswap.pools)
  const { lower, upper, width } = toRange(view, pool)
  const liquidity = toLiquidity(pool, prices, pool.usd * dice.between(0.0005, 0.01), width)
  const args = [pool.address, lower, upper, liquidity] as const
  return viaTrader(view, encodeFunctionData({ abi: traderAbi, functionName: "mint", args }))
}

const withdraw = (view: PancakeView): ReadonlyArray<Transaction> => {
  const { dice, pancakeswap } = view
  const pool = dice.pick(pancakeswap.pools)
  const { lower, upper } = toRange(view, pool)
  const args = [pool.address, lower, upper, BigInt(dice.pick([0, 30, 100]))] as const
  const burn = viaTrader(view, encodeFunctionData({ abi: traderAbi, functionName: "burn", args }))
  if (dice.chance(0.4)) return [burn]
  const data = encodeFunctionData({ abi: traderAbi, functionName: "collect", args: [pool.address, lower, upper] })
  return [burn, viaTrader(view, data)]
}

const borrow = (view: PancakeView): Transaction => {
  const { dice, pancakeswap, prices } = view
  const pool = dice.pick(pancakeswap.pools)
  const usd = pool.usd * dice.between(0.001, 0.02)
  const args = [
    pool.address,
    toRaw(pool.token0, prices, usd),
    dice.chance(0.3) ? toRaw(pool.token1, prices, usd) : 0n
  ] as const
  return viaTrader(view, encodeFunctionData({ abi: traderAbi, functionName: "flash", args }))
}

/** Withdraws protocol fees, or changes the protocol's share of them. */
const govern = (view: PancakeView): Transaction => {
  const { cast, dice, pancakeswap } = view
  const pool = dice.pick(pancakeswap.pools)
  if (dice.chance(0.5)) {
    const args = [cast.owner, everything, everything] as const
    return byOwner(view, pool, encodeFunctionData({ abi: pancakePoolAbi, functionName: "collectProtocol", args }))
  }
  const args = [dice.pick(feeProtocols), dice.pick(feeProtocols)] as const
  return byOwner(view, pool, encodeFunctionData({ abi: pancakePoolAbi, functionName: "setFeeProtocol", args }))
}

/** The transactions of the bots on PancakeSwap V3 for the next block. Without arbitrage if the block before is unknown. */
export const planPancake = (view: PancakeView, activity: number, isBlind: boolean): ReadonlyArray<Transaction> => {
  const { dice } = view
  const transactions = Array.from({ length: Math.floor(dice.between(0, 3)) * activity }, () => noise(view))
  if (!isBlind) transactions.push(...arbitrage(view))
  for (let turn = 0; turn < activity; turn++) {
    if (dice.chance(0.15)) transactions.push(provide(view))
    if (dice.chance(0.15)) transactions.push(...withdraw(view))
    if (dice.chance(0.05)) transactions.push(borrow(view))
    if (dice.chance(0.03)) transactions.push(govern(view))
  }
  return transactions
}
