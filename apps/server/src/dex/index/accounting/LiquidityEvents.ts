import type { PoolHoldings } from "../decode/ChainFacts.ts"
import type { Burn, Collect, Mint } from "../decode/LogDecoder.ts"
import { countTransaction, tradeColumns } from "./BlockDraft.ts"
import type { EventScope } from "./BlockDraft.ts"
import type { Decimal34 } from "./Decimal34.ts"
import { tokenAmount } from "./Prices.ts"

interface Amounts {
  readonly amount0: Decimal34
  readonly amount1: Decimal34
}

const toAmounts = ({ token0, token1 }: EventScope, event: Mint | Burn | Collect): Amounts => ({
  amount0: tokenAmount(event.amount0, token0.decimals),
  amount1: tokenAmount(event.amount1, token1.decimals)
})

/** The value of a mint or burn at the prices before it. */
export const toLiquidityValue = ({ token0, token1, totals }: EventScope, { amount0, amount1 }: Amounts): Decimal34 =>
  amount0
    .times(token0.derivedETH.times(totals.nativeUSD))
    .plus(amount1.times(token1.derivedETH.times(totals.nativeUSD)))

const isInRange = ({ pool }: EventScope, { tickLower, tickUpper }: Mint | Burn): boolean =>
  pool.tick !== undefined && tickLower <= pool.tick && pool.tick < tickUpper

/** Adds a mint to the locked amounts or subtracts a collect from them, and revalues them. */
const lock = (scope: EventScope, { amount0, amount1 }: Amounts, direction: "plus" | "minus"): void => {
  const { pool, token0, token1, totals } = scope
  totals.totalValueLockedETH = totals.totalValueLockedETH.minus(pool.totalValueLockedETH)
  token0.totalValueLocked = token0.totalValueLocked[direction](amount0)
  token1.totalValueLocked = token1.totalValueLocked[direction](amount1)
  for (const token of [token0, token1]) {
    token.totalValueLockedUSD = token.totalValueLocked.times(token.derivedETH.times(totals.nativeUSD))
  }
  pool.totalValueLockedToken0 = pool.totalValueLockedToken0[direction](amount0)
  pool.totalValueLockedToken1 = pool.totalValueLockedToken1[direction](amount1)
  setValueLocked(scope)
}

/** Sets the value locked in the pool; the totals must exclude the pool's previous value. */
export const setValueLocked = ({ pool, token0, token1, totals }: EventScope): void => {
  pool.totalValueLockedETH = pool.totalValueLockedToken0
    .times(token0.derivedETH)
    .plus(pool.totalValueLockedToken1.times(token1.derivedETH))
  pool.totalValueLockedUSD = pool.totalValueLockedETH.times(totals.nativeUSD)
  totals.totalValueLockedETH = totals.totalValueLockedETH.plus(pool.totalValueLockedETH)
  totals.totalValueLockedUSD = totals.totalValueLockedETH.times(totals.nativeUSD)
}

/** Replaces the amounts that are locked in a pool, as far as they are stated. */
export const setLocked = (
  { pool, token0, token1 }: Pick<EventScope, "pool" | "token0" | "token1">,
  reserve0: bigint | undefined,
  reserve1: bigint | undefined
): void => {
  const locked0 = reserve0 === undefined ? pool.totalValueLockedToken0 : tokenAmount(reserve0, token0.decimals)
  const locked1 = reserve1 === undefined ? pool.totalValueLockedToken1 : tokenAmount(reserve1, token1.decimals)
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
  const { pool, token0, token1, totals } = scope
  const toText = () => `${pool.totalValueLockedToken0.toText()} ${pool.totalValueLockedToken1.toText()}`
  const before = toText()
  setLocked(scope, reserve0, reserve1)
  if (toText() === before) return
  totals.totalValueLockedETH = totals.totalValueLockedETH.minus(pool.totalValueLockedETH)
  for (const token of [token0, token1]) {
    token.totalValueLockedUSD = token.totalValueLocked.times(token.derivedETH.times(totals.nativeUSD))
  }
  setValueLocked(scope)
}

export const mint = (scope: EventScope, event: Mint): void => {
  const amounts = toAmounts(scope, event)
  const amountUSD = toLiquidityValue(scope, amounts)
  countTransaction(scope)
  if (isInRange(scope, event)) scope.pool.liquidity += event.amount
  lock(scope, amounts, "plus")
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
  lock(scope, toAmounts(scope, event), "minus")
}
