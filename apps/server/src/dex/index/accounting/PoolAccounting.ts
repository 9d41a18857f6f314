import type { Burn, Collect, Mint, Swap } from "../decode/ChainEvents.ts"
import type { PoolHoldings } from "../decode/ChainFacts.ts"
import { countTransaction, tradeColumns } from "./BlockDraft.ts"
import type { EventScope } from "./BlockDraft.ts"
import { Decimal34 } from "./Decimal34.ts"
import { toTokenAmount, setPoolPrices, computeTrackedUSD, updatePrices } from "./Prices.ts"

const two = Decimal34.make(2n)
const million = Decimal34.make(1_000_000n)

interface Amounts {
  readonly amount0: Decimal34
  readonly amount1: Decimal34
}

/** The amounts of an event in whole tokens. */
export const toAmounts = (
  { token0, token1 }: EventScope,
  { amount0, amount1 }: { readonly amount0: bigint; readonly amount1: bigint }
): Amounts => ({
  amount0: toTokenAmount(amount0, token0.decimals),
  amount1: toTokenAmount(amount1, token1.decimals)
})

/** The value of a mint or burn at the prices before it. */
export const toLiquidityValue = ({ token0, token1, totals }: EventScope, { amount0, amount1 }: Amounts): Decimal34 =>
  amount0
    .times(token0.derivedETH.times(totals.nativeUSD))
    .plus(amount1.times(token1.derivedETH.times(totals.nativeUSD)))

const isInRange = ({ pool }: EventScope, { tickLower, tickUpper }: Mint | Burn): boolean =>
  pool.tick !== undefined && tickLower <= pool.tick && pool.tick < tickUpper

/** Adds a mint to the locked amounts or subtracts a collect from them, and revalues them. */
const changeLocked = (scope: EventScope, { amount0, amount1 }: Amounts, direction: "plus" | "minus"): void => {
  const { pool, token0, token1 } = scope
  token0.totalValueLocked = token0.totalValueLocked[direction](amount0)
  token1.totalValueLocked = token1.totalValueLocked[direction](amount1)
  pool.totalValueLockedToken0 = pool.totalValueLockedToken0[direction](amount0)
  pool.totalValueLockedToken1 = pool.totalValueLockedToken1[direction](amount1)
  revalue(scope)
}

/** Sets the value locked in the pool and its part of the totals, and the value of its tokens in all pools. */
export const revalue = ({ pool, token0, token1, totals }: EventScope, isRepriced = false): void => {
  const { nativeUSD } = totals
  totals.totalValueLockedETH = totals.totalValueLockedETH.minus(pool.totalValueLockedETH)
  pool.totalValueLockedETH = pool.totalValueLockedToken0
    .times(token0.derivedETH)
    .plus(pool.totalValueLockedToken1.times(token1.derivedETH))
  pool.totalValueLockedUSD = pool.totalValueLockedETH.times(nativeUSD)
  totals.totalValueLockedETH = totals.totalValueLockedETH.plus(pool.totalValueLockedETH)
  totals.totalValueLockedUSD = totals.totalValueLockedETH.times(nativeUSD)
  for (const token of [token0, token1]) {
    // As the subgraph does, multiplied in another order after an event that moves the price: the rounding differs.
    token.totalValueLockedUSD = isRepriced
      ? token.totalValueLocked.times(token.derivedETH).times(nativeUSD)
      : token.totalValueLocked.times(token.derivedETH.times(nativeUSD))
  }
}

/** Replaces the amounts that are locked in a pool, as far as they are stated. */
export const setLocked = (
  { pool, token0, token1 }: EventScope,
  reserve0: bigint | undefined,
  reserve1: bigint | undefined
): void => {
  const locked0 = reserve0 === undefined ? pool.totalValueLockedToken0 : toTokenAmount(reserve0, token0.decimals)
  const locked1 = reserve1 === undefined ? pool.totalValueLockedToken1 : toTokenAmount(reserve1, token1.decimals)
  token0.totalValueLocked = token0.totalValueLocked.minus(pool.totalValueLockedToken0).plus(locked0)
  token1.totalValueLocked = token1.totalValueLocked.minus(pool.totalValueLockedToken1).plus(locked1)
  pool.totalValueLockedToken0 = locked0
  pool.totalValueLockedToken1 = locked1
}

/**
 * Replaces the locked amounts by the reserves that the contract states, and revalues them: tokens leave for the vault
 * and the plugin of a pool, and arrive with donations, without an event of the pool.
 */
export const takeReserves = (scope: EventScope, { reserve0, reserve1 }: PoolHoldings): void => {
  const { pool } = scope
  const toText = () => `${pool.totalValueLockedToken0.toText()} ${pool.totalValueLockedToken1.toText()}`
  const before = toText()
  setLocked(scope, reserve0, reserve1)
  if (toText() !== before) revalue(scope)
}

export const mint = (scope: EventScope, event: Mint): void => {
  const amounts = toAmounts(scope, event)
  const amountUSD = toLiquidityValue(scope, amounts)
  countTransaction(scope)
  if (isInRange(scope, event)) scope.pool.liquidity += event.amount
  changeLocked(scope, amounts, "plus")
  scope.draft.trades.push({
    kind: "mint",
    tickLower: event.tickLower,
    tickUpper: event.tickUpper,
    row: {
      ...tradeColumns(scope, event, { ...amounts, amountUSD }),
      amount: event.amount.toString(),
      owner: event.owner,
      sender: event.sender
    }
  })
}

/** A burn without an amount, which only updates the owed fees, counts as well. The tokens leave with the collect. */
export const burn = (scope: EventScope, event: Burn): void => {
  const amounts = toAmounts(scope, event)
  countTransaction(scope)
  if (isInRange(scope, event)) scope.pool.liquidity -= event.amount
  scope.draft.trades.push({
    kind: "burn",
    tickLower: event.tickLower,
    tickUpper: event.tickUpper,
    row: {
      ...tradeColumns(scope, event, { ...amounts, amountUSD: toLiquidityValue(scope, amounts) }),
      amount: event.amount.toString(),
      owner: event.owner
    }
  })
}

export const collect = (scope: EventScope, event: Collect): void => {
  countTransaction(scope)
  changeLocked(scope, toAmounts(scope, event), "minus")
}

interface SwapValue extends Amounts {
  readonly volume0: Decimal34
  readonly volume1: Decimal34
  readonly volumeUSD: Decimal34
  readonly volumeETH: Decimal34
  readonly untrackedUSD: Decimal34
  readonly feesUSD: Decimal34
  readonly feesETH: Decimal34
}

/** The fee that a swap paid, in millionths. */
const takeFee = ({ draft, pool }: EventScope, event: Swap): Decimal34 => {
  const fees = event.fees ?? draft.swapFees.get(pool.id)
  if (fees === undefined) return pool.feeTier
  draft.swapFees.delete(pool.id)
  return Decimal34.make((fees.override === 0n ? pool.fee : fees.override) + fees.plugin)
}

/** The value of a swap at the prices before it. */
export const toSwapValue = (scope: EventScope, event: Pick<Swap, "amount0" | "amount1">, fee: Decimal34): SwapValue => {
  const { token0, token1, totals } = scope
  const { nativeUSD } = totals
  const { amount0, amount1 } = toAmounts(scope, event)
  const volume0 = amount0.absolute()
  const volume1 = amount1.absolute()
  const volumeUSD = computeTrackedUSD(scope, volume0, volume1).over(two)
  const volumeETH = volumeUSD.over(nativeUSD)
  const untrackedUSD = volume0
    .times(token0.derivedETH)
    .times(nativeUSD)
    .plus(volume1.times(token1.derivedETH).times(nativeUSD))
    .over(two)
  return {
    amount0,
    amount1,
    volume0,
    volume1,
    volumeUSD,
    volumeETH,
    untrackedUSD,
    feesUSD: volumeUSD.times(fee).over(million),
    feesETH: volumeETH.times(fee).over(million)
  }
}

/** Adds a swap to the volumes and fees. Each token is credited with the whole value. */
export const addVolume = ({ pool, token0, token1, totals }: EventScope, value: SwapValue): void => {
  totals.totalVolumeETH = totals.totalVolumeETH.plus(value.volumeETH)
  totals.totalVolumeUSD = totals.totalVolumeUSD.plus(value.volumeUSD)
  totals.untrackedVolumeUSD = totals.untrackedVolumeUSD.plus(value.untrackedUSD)
  totals.totalFeesETH = totals.totalFeesETH.plus(value.feesETH)
  totals.totalFeesUSD = totals.totalFeesUSD.plus(value.feesUSD)
  pool.volumeToken0 = pool.volumeToken0.plus(value.volume0)
  pool.volumeToken1 = pool.volumeToken1.plus(value.volume1)
  pool.volumeUSD = pool.volumeUSD.plus(value.volumeUSD)
  pool.untrackedVolumeUSD = pool.untrackedVolumeUSD.plus(value.untrackedUSD)
  pool.feesUSD = pool.feesUSD.plus(value.feesUSD)
  token0.volume = token0.volume.plus(value.volume0)
  token1.volume = token1.volume.plus(value.volume1)
  for (const token of [token0, token1]) {
    token.volumeUSD = token.volumeUSD.plus(value.volumeUSD)
    token.untrackedVolumeUSD = token.untrackedVolumeUSD.plus(value.untrackedUSD)
    token.feesUSD = token.feesUSD.plus(value.feesUSD)
  }
}

/** Adds the amounts to what is locked, and takes over the state of the pool. */
const addAmounts = ({ pool, token0, token1 }: EventScope, event: Swap, { amount0, amount1 }: Amounts): void => {
  pool.liquidity = event.liquidity
  pool.tick = event.tick
  pool.sqrtPrice = event.sqrtPriceX96
  pool.totalValueLockedToken0 = pool.totalValueLockedToken0.plus(amount0)
  pool.totalValueLockedToken1 = pool.totalValueLockedToken1.plus(amount1)
  token0.totalValueLocked = token0.totalValueLocked.plus(amount0)
  token1.totalValueLocked = token1.totalValueLocked.plus(amount1)
}

export const swap = (scope: EventScope, event: Swap): void => {
  const { draft, facts, pool, rules } = scope
  const fee = takeFee(scope, event)
  if (rules.skipsSwap(pool.id, facts.number)) return
  const value = toSwapValue(scope, event, fee)
  countTransaction(scope)
  addVolume(scope, value)
  addAmounts(scope, event, value)
  setPoolPrices(scope)
  updatePrices(scope)
  revalue(scope, true)
  draft.trades.push({
    kind: "swap",
    row: {
      ...tradeColumns(scope, event, { amount0: value.amount0, amount1: value.amount1, amountUSD: value.volumeUSD }),
      sender: event.sender,
      recipient: event.recipient,
      sqrtPriceX96: event.sqrtPriceX96.toString()
    }
  })
}
