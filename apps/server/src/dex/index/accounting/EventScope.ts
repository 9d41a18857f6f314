import type { BlockFacts } from "../decode/BlockFacts.ts"
import type { EventPosition } from "../decode/LogDecoder.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { BlockDraft } from "./BlockDraft.ts"
import type { Decimal34 } from "./Decimal34.ts"
import type { Pool, Token, Totals } from "./Entities.ts"

/** The entities that an event of a pool can change. */
export interface EventScope {
  readonly rules: AccountingRules
  readonly draft: BlockDraft
  readonly facts: BlockFacts
  readonly totals: Totals
  readonly pool: Pool
  readonly token0: Token
  readonly token1: Token
}

/** Undefined for a pool that is left out of the index. */
export const findScope = (
  rules: AccountingRules,
  draft: BlockDraft,
  facts: BlockFacts,
  address: string
): EventScope | undefined => {
  if (!draft.state.pools.has(address)) return undefined
  const totals = draft.totals()
  const pool = draft.pool(address)
  const token0 = pool && draft.token(pool.token0)
  const token1 = pool && draft.token(pool.token1)
  return totals && pool && token0 && token1 ? { rules, draft, facts, totals, pool, token0, token1 } : undefined
}

export const countTransaction = ({ pool, token0, token1, totals }: EventScope): void => {
  totals.txCount += 1n
  token0.txCount += 1n
  token1.txCount += 1n
  pool.txCount += 1n
}

/** The columns that mints, burns and swaps share. */
export const tradeColumns = (
  { facts, pool }: EventScope,
  { logIndex, transactionHash }: EventPosition,
  amounts: { readonly amount0: Decimal34; readonly amount1: Decimal34; readonly amountUSD: Decimal34 }
) => ({
  id: `${transactionHash}#${logIndex}`,
  amount0: amounts.amount0.toText(),
  amount1: amounts.amount1.toText(),
  amountUSD: amounts.amountUSD.toText(),
  logIndex: logIndex.toString(),
  origin: facts.origins.get(transactionHash) ?? "",
  timestamp: facts.timestamp.toString(),
  pool: pool.id,
  transactionId: transactionHash
})
