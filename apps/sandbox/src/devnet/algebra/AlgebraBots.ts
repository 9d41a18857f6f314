import type { AlgebraDeployment, Cast, DevnetPool } from "../contracts/Deployment.ts"
import { getValue, planArbitrage, type PoolView, toMint, toRange } from "../market/PoolActions.ts"
import { fairTick, maxPrice, minSqrtPrice, toBound, toRaw } from "../market/Price.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { algebraTraderAbi, firstGovernAbi, governAbi, integralGovernAbi } from "./AlgebraAbi.ts"

interface AlgebraView extends PoolView {
  readonly cast: Cast
  readonly algebra: AlgebraDeployment
}

/** Sender, contract and gas of a call that a bot sends to the trader. */
const toTrader = ({ algebra, cast, draws }: AlgebraView) => [draws.pick(cast.traders), algebra.trader, 900_000] as const

const swap = (view: AlgebraView, pool: DevnetPool, isDown: boolean, usd: number, isInput: boolean): Transaction => {
  const amount = toRaw(isDown === isInput ? pool.token0 : pool.token1, view.prices, usd)
  const args = [pool.address, isDown, isInput ? amount : -amount, isDown ? minSqrtPrice : maxPrice] as const
  const functionName = isInput && view.draws.chance(0.2) ? "swapPaid" : "swap"
  return call(...toTrader(view), { abi: algebraTraderAbi, functionName, args })
}

const planRandomSwap = (view: AlgebraView): Transaction => {
  const { algebra, draws } = view
  const pool = draws.pick(algebra.pools)
  const usd = getValue(view, pool) * Math.exp(draws.normal() * 0.8) * 10
  return swap(view, pool, draws.chance(0.5), usd, draws.chance(0.7))
}

/** Of the bounds of positions, in spacings of ticks. */
const step = 2

const planMint = (view: AlgebraView): Transaction => {
  const args = toMint(view, view.algebra.pools, step)
  return call(...toTrader(view), { abi: algebraTraderAbi, functionName: "mint", args })
}

const collect = (view: AlgebraView, pool: DevnetPool, lower: number, upper: number): Transaction => {
  const args = [pool.address, lower, upper] as const
  return call(...toTrader(view), { abi: algebraTraderAbi, functionName: "collect", args })
}

const planBurn = (view: AlgebraView): ReadonlyArray<Transaction> => {
  const { algebra, draws } = view
  const pool = draws.pick(algebra.pools)
  const { lower, upper } = toRange(view, pool, step)
  const args = [pool.address, lower, upper, BigInt(draws.pick([1, 30, 100]))] as const
  const burn = call(...toTrader(view), { abi: algebraTraderAbi, functionName: "burn", args })
  return draws.chance(0.4) ? [burn] : [burn, collect(view, pool, lower, upper)]
}

/** An order of Algebra 2.0, which sells a token at one tick near the price, or the withdrawal of one. */
const planLimitOrder = (view: AlgebraView): ReadonlyArray<Transaction> => {
  const { algebra, draws, firstPrices, prices, state } = view
  // The last pool has none: its swaps pay the whole fee.
  const pool = draws.pick([algebra.pools[0], ...algebra.pools.slice(1, -1)])
  const tick = toBound(pool, fairTick(pool, firstPrices)) + Math.floor(draws.between(-3, 4)) * pool.tickSpacing
  if (draws.chance(0.4)) {
    const args = [pool.address, tick, BigInt(draws.pick([40, 100]))] as const
    const cancel = call(...toTrader(view), { abi: algebraTraderAbi, functionName: "cancel", args })
    return draws.chance(0.5) ? [cancel] : [cancel, collect(view, pool, tick, tick)]
  }
  const isAbove = tick > (state.pools.get(pool.address)?.tick ?? 0)
  const amount = toRaw(isAbove ? pool.token0 : pool.token1, prices, pool.usd * draws.between(0.0002, 0.002))
  const args = [pool.address, tick, amount] as const
  return [call(...toTrader(view), { abi: algebraTraderAbi, functionName: "order", args })]
}

/** Tokens for a pool, as a loan that is paid back with a fee, or as a gift. */
const planPayment = (view: AlgebraView, functionName: "flash" | "donate"): Transaction => {
  const { algebra, draws, prices } = view
  const pool = draws.pick(algebra.pools)
  const usd = pool.usd * draws.between(0.001, 0.02) * (functionName === "flash" ? 1 : 0.001)
  const args = [
    pool.address,
    toRaw(pool.token0, prices, usd),
    draws.chance(0.3) ? toRaw(pool.token1, prices, usd) : 0n
  ] as const
  return call(...toTrader(view), { abi: algebraTraderAbi, functionName, args })
}

/** A change by the owner that the pool accepts only if it is one: a value is rarely drawn twice in a row. */
const planFeeChange = ({ algebra: { integral, pools, release }, cast, draws }: AlgebraView): Transaction => {
  const pool = draws.pick(pools)
  const toPool = [cast.owner, pool.address, 200_000] as const
  if (release === "1.0") {
    const args = [Math.floor(draws.between(0, 251)), Math.floor(draws.between(0, 251))] as const
    return call(...toPool, { abi: firstGovernAbi, args })
  }
  if (integral === undefined) {
    const args = [Math.floor(draws.between(0, 251))] as const
    return call(...toPool, { abi: governAbi, functionName: "setCommunityFee", args })
  }
  // Pools with the plugin refuse it.
  if (pool.address !== pools[0].address && pool.address !== integral.customPool.address && draws.chance(0.6)) {
    const args = [Math.floor(draws.between(50, 9000))] as const
    return call(...toPool, { abi: integralGovernAbi, functionName: "setFee", args })
  }
  const args = [Math.floor(draws.between(0, 1001))] as const
  return call(...toPool, { abi: integralGovernAbi, functionName: "setCommunityFee", args })
}

/** The transactions of the bots on Algebra for the next block. Without arbitrage if the block before is unknown. */
export const planAlgebra = (view: AlgebraView, activity: number, isBlind: boolean): ReadonlyArray<Transaction> => {
  const { algebra, draws } = view
  const transactions = Array.from({ length: Math.floor(draws.between(0, 3)) * activity }, () => planRandomSwap(view))
  if (!isBlind) {
    const move = (pool: DevnetPool, isDown: boolean, usd: number) => swap(view, pool, isDown, usd, true)
    transactions.push(...planArbitrage(view, view.algebra.pools, move))
  }
  for (let turn = 0; turn < activity; turn++) {
    if (draws.chance(0.15)) transactions.push(planMint(view))
    if (draws.chance(0.15)) transactions.push(...planBurn(view))
    if (algebra.release === "2.0" && draws.chance(0.2)) transactions.push(...planLimitOrder(view))
    if (draws.chance(0.05)) transactions.push(planPayment(view, "flash"))
    if (draws.chance(0.05)) transactions.push(planPayment(view, "donate"))
    if (draws.chance(0.08)) transactions.push(planFeeChange(view))
  }
  return transactions
}
