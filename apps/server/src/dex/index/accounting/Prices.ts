import type { AccountingRules } from "./AccountingRules.ts"
import type { AccountingState } from "./AccountingState.ts"
import type { EventScope } from "./BlockDraft.ts"
import { Decimal34 } from "./Decimal34.ts"
import type { Token } from "./Entities.ts"

// The parentheses affect the result: every operation rounds.

const q192 = Decimal34.make(1n << 192n)
const two = Decimal34.make(2n)

/** Amounts with fewer digits are not rounded: only the decimal point moves. */
const exactBound = 10n ** 34n

/** Converts an amount from the token's smallest unit to whole tokens. */
export const toTokenAmount = (raw: bigint, decimals: number): Decimal34 =>
  raw < exactBound && raw > -exactBound
    ? Decimal34.make(raw, -decimals)
    : Decimal34.make(raw).over(Decimal34.make(1n, decimals))

/** The price of one token 0 in token 1. */
export const getToken0Price = (sqrtPrice: bigint, decimals0: number, decimals1: number): Decimal34 => {
  const ratio = Decimal34.make(sqrtPrice * sqrtPrice).over(q192)
  return ratio.times(Decimal34.make(1n, decimals0)).over(Decimal34.make(1n, decimals1))
}

/** Sets both prices of a pool from its square root price. */
export const setPoolPrices = ({ pool, token0, token1 }: EventScope): void => {
  pool.token1Price = getToken0Price(pool.sqrtPrice, token0.decimals, token1.decimals)
  pool.token0Price = Decimal34.one.over(pool.token1Price)
}

/** The native coin in USD, from the configured pool. */
const nativePrice = (rules: AccountingRules, state: AccountingState): Decimal34 => {
  if (rules.stablePool === rules.referenceToken) return Decimal34.one
  const pool = state.pools.get(rules.stablePool)
  if (pool === undefined) return Decimal34.zero
  return pool.token0 === rules.referenceToken ? pool.token1Price : pool.token0Price
}

/**
 * A token's price in the native coin, from the pool with a whitelisted token that has the most of that token locked.
 */
const derivePrice = (rules: AccountingRules, state: AccountingState, token: Token, nativeUSD: Decimal34): Decimal34 => {
  if (token.id === rules.referenceToken) return Decimal34.one
  if (rules.stablecoins.has(token.id)) return Decimal34.one.over(nativeUSD)
  let best = Decimal34.zero
  let price = Decimal34.zero
  for (const id of token.whitelistPools) {
    const pool = state.pools.get(id)
    if (pool === undefined || pool.liquidity <= 0n) continue
    const isToken0 = pool.token0 === token.id
    const other = state.tokens.get(isToken0 ? pool.token1 : pool.token0)
    if (other === undefined) continue
    const amount = isToken0 ? pool.totalValueLockedToken1 : pool.totalValueLockedToken0
    const locked = amount.times(other.derivedETH)
    if (locked.isGreaterThan(best) && locked.isGreaterThan(rules.minimumNativeLocked)) {
      best = locked
      price = (isToken0 ? pool.token1Price : pool.token0Price).times(other.derivedETH)
    }
  }
  return price
}

/**
 * Updates prices after an event that moves the price of a pool. Each token is priced with the other's price from before
 * the event.
 */
export const updatePrices = ({ draft, rules, token0, token1, totals }: EventScope): void => {
  totals.nativeUSD = nativePrice(rules, draft.state)
  const derived0 = derivePrice(rules, draft.state, token0, totals.nativeUSD)
  const derived1 = derivePrice(rules, draft.state, token1, totals.nativeUSD)
  token0.derivedETH = derived0
  token1.derivedETH = derived1
}

/** The value of two amounts in USD, counting only whitelisted tokens. */
export const computeTrackedUSD = (
  { rules, token0, token1, totals: { nativeUSD } }: EventScope,
  amount0: Decimal34,
  amount1: Decimal34
): Decimal34 => {
  const tracks0 = rules.whitelist.has(token0.id)
  const tracks1 = rules.whitelist.has(token1.id)
  const value0 = () => amount0.times(token0.derivedETH.times(nativeUSD))
  const value1 = () => amount1.times(token1.derivedETH.times(nativeUSD))
  if (tracks0 && tracks1) return value0().plus(value1())
  if (tracks0) return value0().times(two)
  return tracks1 ? value1().times(two) : Decimal34.zero
}
