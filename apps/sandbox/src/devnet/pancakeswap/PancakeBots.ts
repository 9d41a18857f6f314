import type { Cast, DevnetPool, PancakeDeployment } from "../contracts/Deployment.ts"
import { getValue, planArbitrage, type PoolView, toMint, toRange } from "../market/PoolActions.ts"
import { maxPrice, minSqrtPrice, toRaw } from "../market/Price.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { pancakePoolAbi, traderAbi } from "./PancakeAbi.ts"

interface PancakeView extends PoolView {
  readonly cast: Cast
  readonly pancakeswap: PancakeDeployment
}

/** Shares that a pool accepts, in 1/10,000. */
const feeProtocols = [0, 1000, 2345, 3200, 4000] as const

const everything = 2n ** 128n - 1n

/** Sender, contract and gas of a call that a bot sends to the trader. */
const toTrader = ({ cast, draws, pancakeswap }: PancakeView) =>
  [draws.pick(cast.traders), pancakeswap.trader, 600_000] as const

const swap = (view: PancakeView, pool: DevnetPool, isDown: boolean, usd: number, isInput: boolean): Transaction => {
  const amount = toRaw(isDown === isInput ? pool.token0 : pool.token1, view.prices, usd)
  const args = [pool.address, isDown, isInput ? amount : -amount, isDown ? minSqrtPrice : maxPrice] as const
  return call(...toTrader(view), { abi: traderAbi, functionName: "swap", args })
}

const planRandomSwap = (view: PancakeView): Transaction => {
  const { draws, pancakeswap } = view
  const pool = draws.pick(pancakeswap.pools)
  const usd = getValue(view, pool) * Math.exp(draws.normal() * 0.8)
  return swap(view, pool, draws.chance(0.5), usd, draws.chance(0.7))
}

/** Of the bounds of positions, in spacings of ticks. */
const step = 5

const planMint = (view: PancakeView): Transaction => {
  const args = toMint(view, view.pancakeswap.pools, step)
  return call(...toTrader(view), { abi: traderAbi, functionName: "mint", args })
}

const planBurn = (view: PancakeView): ReadonlyArray<Transaction> => {
  const { draws, pancakeswap } = view
  const pool = draws.pick(pancakeswap.pools)
  const { lower, upper } = toRange(view, pool, step)
  const args = [pool.address, lower, upper, BigInt(draws.pick([0, 30, 100]))] as const
  const burn = call(...toTrader(view), { abi: traderAbi, functionName: "burn", args })
  if (draws.chance(0.4)) return [burn]
  const collected = [pool.address, lower, upper] as const
  return [burn, call(...toTrader(view), { abi: traderAbi, functionName: "collect", args: collected })]
}

const planFlashLoan = (view: PancakeView): Transaction => {
  const { draws, pancakeswap, prices } = view
  const pool = draws.pick(pancakeswap.pools)
  const usd = pool.usd * draws.between(0.001, 0.02)
  const args = [
    pool.address,
    toRaw(pool.token0, prices, usd),
    draws.chance(0.3) ? toRaw(pool.token1, prices, usd) : 0n
  ] as const
  return call(...toTrader(view), { abi: traderAbi, functionName: "flash", args })
}

/** Withdraws protocol fees, or changes the protocol's share of them. */
const planProtocolFeeAction = (view: PancakeView): Transaction => {
  const { cast, draws, pancakeswap } = view
  const pool = draws.pick(pancakeswap.pools)
  if (draws.chance(0.5)) {
    const args = [cast.owner, everything, everything] as const
    return call(cast.owner, pool.address, 200_000, { abi: pancakePoolAbi, functionName: "collectProtocol", args })
  }
  const args = [draws.pick(feeProtocols), draws.pick(feeProtocols)] as const
  return call(cast.owner, pool.address, 200_000, { abi: pancakePoolAbi, functionName: "setFeeProtocol", args })
}

/** The transactions of the bots on PancakeSwap V3 for the next block. Without arbitrage if the block before is unknown. */
export const planPancake = (view: PancakeView, activity: number, isBlind: boolean): ReadonlyArray<Transaction> => {
  const { draws } = view
  const transactions = Array.from({ length: Math.floor(draws.between(0, 3)) * activity }, () => planRandomSwap(view))
  if (!isBlind) {
    const move = (pool: DevnetPool, isDown: boolean, usd: number) => swap(view, pool, isDown, usd, true)
    transactions.push(...planArbitrage(view, view.pancakeswap.pools, move))
  }
  for (let turn = 0; turn < activity; turn++) {
    if (draws.chance(0.15)) transactions.push(planMint(view))
    if (draws.chance(0.15)) transactions.push(...planBurn(view))
    if (draws.chance(0.05)) transactions.push(planFlashLoan(view))
    if (draws.chance(0.03)) transactions.push(planProtocolFeeAction(view))
  }
  return transactions
}
