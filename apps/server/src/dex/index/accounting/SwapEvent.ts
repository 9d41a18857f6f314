import type { Swap } from "../decode/LogDecoder.ts"
import { countTransaction, tradeColumns } from "./BlockDraft.ts"
import type { EventScope } from "./BlockDraft.ts"
import { Decimal34 } from "./Decimal34.ts"
import { setValueLocked } from "./LiquidityEvents.ts"
import { setPoolPrices, tokenAmount, trackedUSD, updatePrices } from "./Prices.ts"

const two = Decimal34.make(2n)
const million = Decimal34.make(1_000_000n)

interface SwapValue {
  readonly amount0: Decimal34
  readonly amount1: Decimal34
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
export const toSwapValue = (
  { pool, rules, token0, token1, totals: { nativeUSD } }: EventScope,
  event: Pick<Swap, "amount0" | "amount1">,
  fee: Decimal34 = pool.feeTier
): SwapValue => {
  const amount0 = tokenAmount(event.amount0, token0.decimals)
  const amount1 = tokenAmount(event.amount1, token1.decimals)
  const volume0 = amount0.absolute()
  const volume1 = amount1.absolute()
  const volumeUSD = trackedUSD(rules, nativeUSD, token0, volume0, token1, volume1).over(two)
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
const addAmounts = ({ pool, token0, token1, totals }: EventScope, event: Swap, value: SwapValue): void => {
  totals.totalValueLockedETH = totals.totalValueLockedETH.minus(pool.totalValueLockedETH)
  pool.liquidity = event.liquidity
  pool.tick = event.tick
  pool.sqrtPrice = event.sqrtPriceX96
  pool.totalValueLockedToken0 = pool.totalValueLockedToken0.plus(value.amount0)
  pool.totalValueLockedToken1 = pool.totalValueLockedToken1.plus(value.amount1)
  token0.totalValueLocked = token0.totalValueLocked.plus(value.amount0)
  token1.totalValueLocked = token1.totalValueLocked.plus(value.amount1)
}

export const swap = (scope: EventScope, event: Swap): void => {
  const { draft, facts, pool, rules, token0, token1, totals } = scope
  const fee = takeFee(scope, event)
  if (rules.skipsSwap(pool.id, facts.number)) return
  const value = toSwapValue(scope, event, fee)
  countTransaction(scope)
  addVolume(scope, value)
  addAmounts(scope, event, value)
  setPoolPrices(pool, token0.decimals, token1.decimals)
  updatePrices(rules, draft, totals, token0, token1)
  setValueLocked(scope)
  // As the subgraph does, multiplied in another order than for a mint: the rounding differs.
  for (const token of [token0, token1]) {
    token.totalValueLockedUSD = token.totalValueLocked.times(token.derivedETH).times(totals.nativeUSD)
  }
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
