import { Struct } from "effect"
import { deploymentFields, poolFields, tokenFields } from "../../DexSource.ts"
import type { PoolCreated } from "../decode/ChainEvents.ts"
import type { BlockFacts, Seed, TokenFacts } from "../decode/ChainFacts.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { BlockDraft, EventScope } from "./BlockDraft.ts"
import { findScope } from "./BlockDraft.ts"
import type { Pool, Token, Totals } from "./Entities.ts"
import { newSimulation, setFee, toPool, toToken, toTotals } from "./Entities.ts"
import { setReserves } from "./PairAccounting.ts"
import { revalue, setLocked } from "./PoolAccounting.ts"
import { PoolTicks } from "./PoolTicks.ts"
import { setPoolPrices, updatePrices } from "./Prices.ts"

const zeros = <Field extends string>(fields: ReadonlyArray<Field>) => Struct.Record(fields, "0")

const noTotals = (owner: string): Totals => toTotals({ ...zeros(deploymentFields), nativeUSD: "0", owner })

const newToken = (id: string, { name, supply, symbol }: TokenFacts, decimals: number): Token =>
  toToken({ ...zeros(tokenFields), id, name, symbol, supply, decimals: decimals.toString() }, [])

const newPool = ({ fee, protocol }: AccountingRules, event: PoolCreated, timestamp: number): Pool => {
  const { blockNumber, logIndex, tickSpacing, token0, token1 } = event
  const row = {
    ...zeros(poolFields),
    id: event.pool,
    createdAtBlockNumber: blockNumber.toString(),
    createdAtTimestamp: timestamp.toString(),
    createdAtLogIndex: logIndex,
    token0,
    token1,
    feeTier: (event.fee ?? fee).toString(),
    sqrtPrice: tickSpacing === undefined ? "" : "0",
    tick: "",
    // Undefined where the fee growth follows from no event.
    simulation: tickSpacing === undefined || protocol.protocolFee === undefined ? undefined : newSimulation(tickSpacing)
  }
  return toPool(row, new PoolTicks())
}

/** The stored token, or a new one; undefined if the contract reports no decimals. */
const findToken = (draft: BlockDraft, facts: BlockFacts, id: string): Token | undefined => {
  const known = draft.token(id)
  if (known !== undefined) return known
  const stated = facts.tokens.get(id)
  return stated?.decimals === undefined ? undefined : newToken(id, stated, stated.decimals)
}

/** Adds a pool to the index, unless it is skipped or the decimals of one of its tokens are unknown. */
export const createPool = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts, event: PoolCreated): void => {
  if (rules.skipsPool(event.pool) || draft.state.pools.has(event.pool)) return
  const token0 = findToken(draft, facts, event.token0)
  const token1 = findToken(draft, facts, event.token1)
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

const takeOver = (scope: EventScope, { balance0, balance1, liquidity, stated }: Seed): void => {
  const { draft, pool } = scope
  pool.liquidity = liquidity
  if (stated.kind === "pair") {
    setReserves(scope, stated)
    draft.initialPrices.push({ pool: pool.id, sqrtPrice: "", price: pool.token1Price.toText() })
    return
  }
  pool.simulation = undefined
  pool.feeGrowthGlobal0X128 = stated.feeGrowthGlobal0X128
  pool.feeGrowthGlobal1X128 = stated.feeGrowthGlobal1X128
  pool.observationIndex = stated.observationIndex
  if (stated.holdings !== undefined) setFee(pool, stated.holdings.fee)
  setLocked(scope, balance0, balance1)
  if (stated.sqrtPrice === 0n) return
  draft.initialPrices.push({ pool: pool.id, sqrtPrice: stated.sqrtPrice.toString() })
  pool.sqrtPrice = stated.sqrtPrice
  pool.tick = stated.tick
  setPoolPrices(scope)
}

const isPriced = ({ pool }: EventScope) => !pool.isConcentrated || pool.tick !== undefined

/**
 * Adds the pools that existed before the first block, with what they hold. Tokens are priced in two passes over all
 * pools: first those that a whitelisted token prices, then those that need the prices of the first pass.
 */
export const seedPools = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts): void => {
  const { number, seeds } = facts
  for (const [index, { fee, pool, token0, token1 }] of seeds.entries()) {
    createPool(rules, draft, facts, {
      event: "PoolCreated",
      blockNumber: number,
      transactionHash: "",
      // Before everything that happened in the block.
      logIndex: index - seeds.length,
      token0,
      token1,
      fee,
      ...(rules.protocol.isConcentrated ? { tickSpacing: 1 } : {}),
      pool
    })
  }
  const scopes = seeds.flatMap((seed) => {
    const scope = findScope(rules, draft, facts, seed.pool)
    if (scope === undefined) return []
    takeOver(scope, seed)
    return [scope]
  })
  const priced = scopes.filter(isPriced)
  for (const scope of [...priced, ...priced]) updatePrices(scope)
  for (const scope of scopes) revalue(scope)
}
