import type { BlockFacts } from "../decode/BlockFacts.ts"
import type { TokenFacts } from "../decode/ChainFacts.ts"
import type { PoolCreated } from "../decode/LogDecoder.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { BlockDraft } from "./BlockDraft.ts"
import { Decimal34 } from "./Decimal34.ts"
import type { Pool, Token, Totals } from "./Entities.ts"
import { newSimulation } from "./Entities.ts"
import { PoolTicks } from "./ticks/PoolTicks.ts"

const noTotals = (owner: string): Totals => ({
  poolCount: 0n,
  txCount: 0n,
  totalVolumeUSD: Decimal34.zero,
  untrackedVolumeUSD: Decimal34.zero,
  totalVolumeETH: Decimal34.zero,
  totalValueLockedUSD: Decimal34.zero,
  totalValueLockedETH: Decimal34.zero,
  totalFeesUSD: Decimal34.zero,
  totalFeesETH: Decimal34.zero,
  owner,
  nativeUSD: Decimal34.zero
})

const newToken = (id: string, { name, supply, symbol }: TokenFacts, decimals: number): Token => ({
  id,
  name,
  symbol,
  decimals,
  supply,
  totalValueLocked: Decimal34.zero,
  totalValueLockedUSD: Decimal34.zero,
  volume: Decimal34.zero,
  volumeUSD: Decimal34.zero,
  untrackedVolumeUSD: Decimal34.zero,
  txCount: 0n,
  derivedETH: Decimal34.zero,
  feesUSD: Decimal34.zero,
  poolCount: 0n,
  whitelistPools: []
})

const newPool = ({ fee, protocol }: AccountingRules, event: PoolCreated, timestamp: number): Pool => ({
  id: event.pool,
  createdAtBlockNumber: event.blockNumber,
  createdAtTimestamp: timestamp,
  createdAtLogIndex: event.logIndex,
  fee: BigInt(event.fee ?? fee),
  feeTier: Decimal34.make(BigInt(event.fee ?? fee)),
  token0: event.token0,
  token1: event.token1,
  isConcentrated: event.tickSpacing !== undefined,
  feeGrowthGlobal0X128: 0n,
  feeGrowthGlobal1X128: 0n,
  observationIndex: 0,
  liquidity: 0n,
  sqrtPrice: 0n,
  tick: undefined,
  token0Price: Decimal34.zero,
  token1Price: Decimal34.zero,
  totalValueLockedToken0: Decimal34.zero,
  totalValueLockedToken1: Decimal34.zero,
  totalValueLockedETH: Decimal34.zero,
  totalValueLockedUSD: Decimal34.zero,
  txCount: 0n,
  feesUSD: Decimal34.zero,
  volumeUSD: Decimal34.zero,
  volumeToken0: Decimal34.zero,
  volumeToken1: Decimal34.zero,
  untrackedVolumeUSD: Decimal34.zero,
  // Undefined where the fee growth follows from no event.
  simulation:
    event.tickSpacing === undefined || protocol.protocolFee === undefined
      ? undefined
      : newSimulation(event.tickSpacing, new PoolTicks())
})

/** The stored token, or a new one; undefined if the contract reports no decimals. */
const toToken = (draft: BlockDraft, facts: BlockFacts, id: string): Token | undefined => {
  const known = draft.token(id)
  if (known !== undefined) return known
  const stated = facts.tokens.get(id)
  return stated?.decimals === undefined ? undefined : newToken(id, stated, stated.decimals)
}

/** Adds a pool to the index, unless it is skipped or the decimals of one of its tokens are unknown. */
export const createPool = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts, event: PoolCreated): void => {
  if (rules.skipsPool(event.pool) || draft.state.pools.has(event.pool)) return
  const token0 = toToken(draft, facts, event.token0)
  const token1 = toToken(draft, facts, event.token1)
  if (token0 === undefined || token1 === undefined) return
  if (draft.state.totals === undefined) draft.createTotals(noTotals(facts.owner ?? ""))
  const totals = draft.totals()
  if (totals !== undefined) totals.poolCount += 1n
  for (const token of [token0, token1]) {
    token.poolCount += 1n
    if (!draft.state.tokens.has(token.id)) draft.addToken(token)
  }
  if (rules.whitelist.has(token0.id)) token1.whitelistPools = [...token1.whitelistPools, event.pool]
  if (rules.whitelist.has(token1.id)) token0.whitelistPools = [...token0.whitelistPools, event.pool]
  draft.addPool(newPool(rules, event, facts.timestamp))
}
