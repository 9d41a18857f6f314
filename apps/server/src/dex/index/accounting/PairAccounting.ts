import type { PairBurn, PairMint, PairSwap } from "../decode/ChainEvents.ts"
import type { PairFacts } from "../decode/ChainFacts.ts"
import type { PairCall } from "../decode/PairCalls.ts"
import { countTransaction, tradeColumns } from "./BlockDraft.ts"
import type { EventScope } from "./BlockDraft.ts"
import type { Decimal34 } from "./Decimal34.ts"
import type { Pool } from "./Entities.ts"
import { addVolume, revalue, setLocked, toAmounts, toLiquidityValue, toSwapValue } from "./PoolAccounting.ts"
import { toTokenAmount, updatePrices } from "./Prices.ts"

/** A pair has no position with bounds. */
const noRange = { tickLower: null, tickUpper: null } as const

/** Sets what a pair holds, and the prices that follow from it. */
export const setReserves = (
  scope: EventScope,
  { reserve0, reserve1 }: Pick<PairFacts, "reserve0" | "reserve1">
): void => {
  const { pool } = scope
  setLocked(scope, reserve0, reserve1)
  pool.token0Price = pool.totalValueLockedToken0.over(pool.totalValueLockedToken1)
  pool.token1Price = pool.totalValueLockedToken1.over(pool.totalValueLockedToken0)
}

/** Records a mint or burn at the prices before it. */
const recordLiquidity = (scope: EventScope, { supplyChanges }: PairCall, cause: PairMint | PairBurn): void => {
  const amounts = toAmounts(scope, cause)
  const last = supplyChanges.at(-1)
  countTransaction(scope)
  const columns = {
    ...tradeColumns(scope, cause, { ...amounts, amountUSD: toLiquidityValue(scope, amounts) }),
    amount: (last === undefined || last.change >= 0n ? (last?.change ?? 0n) : -last.change).toString()
  }
  scope.draft.trades.push(
    cause.event === "PairMint"
      ? { kind: "mint", ...noRange, row: { ...columns, owner: last?.to ?? "", sender: cause.sender } }
      : { kind: "burn", ...noRange, row: { ...columns, owner: cause.sender } }
  )
}

/** Adds a swap to the volumes, at the prices before it. Returns its record without the price after it. */
const countSwap = (scope: EventScope, cause: PairSwap) => {
  const amounts = { amount0: cause.in0 - cause.out0, amount1: cause.in1 - cause.out1 }
  const value = toSwapValue(scope, amounts, scope.pool.feeTier)
  countTransaction(scope)
  addVolume(scope, value)
  return {
    ...tradeColumns(scope, cause, { amount0: value.amount0, amount1: value.amount1, amountUSD: value.volumeUSD }),
    sender: cause.sender,
    recipient: cause.to,
    sqrtPriceX96: ""
  }
}

/** The price before the first swap: after the first mint, or before the swap itself where no mint was before it. */
const recordInitialPrice = ({ draft, pool }: EventScope, isFirst: boolean, before: Decimal34, call: PairCall): void => {
  if (!isFirst || call.cause === undefined) return
  const price = call.cause.event === "PairSwap" ? before : pool.token1Price
  draft.initialPrices.push({ pool: pool.id, sqrtPrice: "", price: price.toText() })
}

/** Applies a call of a pair: records what it did at the prices before it, and then finds the prices after it. */
export const applyPairCall = (scope: EventScope, call: PairCall): void => {
  const { draft, facts, pool, rules } = scope
  const { reserves, supplyChanges } = call
  const cause = call.cause?.event === "PairSwap" && rules.skipsSwap(pool.id, facts.number) ? undefined : call.cause
  // A pair from before the index has its price from the start.
  const isFirst = pool.txCount === 0n && pool.createdAtLogIndex >= 0
  const before = pool.token1Price
  const swap = cause?.event === "PairSwap" ? countSwap(scope, cause) : undefined
  if (cause !== undefined && cause.event !== "PairSwap") recordLiquidity(scope, call, cause)
  for (const { change } of supplyChanges) pool.liquidity += change
  setReserves(scope, reserves)
  updatePrices(scope)
  revalue(scope, true)
  recordInitialPrice(scope, isFirst, before, { ...call, cause })
  if (swap !== undefined) draft.trades.push({ kind: "swap", row: swap, price: pool.token1Price.toText() })
}

/** Whether a pair is as its contract states it. */
export const isAsStated = (
  { liquidity, totalValueLockedToken0, totalValueLockedToken1 }: Pool,
  [decimals0, decimals1]: readonly [number, number],
  { reserve0, reserve1, supply }: PairFacts
): boolean =>
  liquidity === supply &&
  totalValueLockedToken0.toText() === toTokenAmount(reserve0, decimals0).toText() &&
  totalValueLockedToken1.toText() === toTokenAmount(reserve1, decimals1).toText()
