import type { Initialize, PoolEvent } from "../decode/ChainEvents.ts"
import { findTouchedPools } from "../decode/ChainFacts.ts"
import type { BlockFacts, PoolFacts, StatedFacts } from "../decode/ChainFacts.ts"
import { groupPairCalls } from "../decode/PairCalls.ts"
import type { AccountedEvent } from "../decode/PairCalls.ts"
import type { IndexedBlock } from "../IndexedBlock.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { AccountingState } from "./AccountingState.ts"
import { BlockDraft, findScope } from "./BlockDraft.ts"
import type { EventScope } from "./BlockDraft.ts"
import { setFee } from "./Entities.ts"
import type { Pool } from "./Entities.ts"
import { applyPairCall, isAsStated as isPairAsStated } from "./PairAccounting.ts"
import { burn, collect, mint, takeReserves, swap } from "./PoolAccounting.ts"
import { createPool, seedPools } from "./PoolCreation.ts"
import { simulate } from "./PoolSimulation.ts"
import { updatePrices } from "./Prices.ts"

export interface AppliedBlock {
  readonly block: IndexedBlock
  /** Undoes the block. Newest block first. */
  readonly undo: () => void
  /**
   * The node's fault, if the events do not lead to the state that the contracts report: events are then missing or
   * false.
   */
  readonly contradiction: string | undefined
  /** Pools whose contract must be read after this block, because it diverges from what follows from the events. */
  readonly diverged: ReadonlySet<string>
}

const initialize = (scope: EventScope, event: Initialize): void => {
  scope.pool.sqrtPrice = event.sqrtPriceX96
  scope.pool.tick = event.tick
  scope.draft.initialPrices.push({ pool: scope.pool.id, sqrtPrice: event.sqrtPriceX96.toString() })
  updatePrices(scope)
}

const account = (scope: EventScope, event: PoolEvent): void => {
  switch (event.event) {
    case "Initialize":
      return initialize(scope, event)
    case "Mint":
      return mint(scope, event)
    case "Burn":
      return burn(scope, event)
    case "Collect":
      return collect(scope, event)
    case "Swap":
      return swap(scope, event)
    case "Fee":
      return setFee(scope.pool, event.fee)
    case "SwapFee":
      scope.draft.swapFees.set(scope.pool.id, event.fees)
      return
    case "Flash":
    case "SetFeeProtocol":
    case "IncreaseObservationCardinalityNext":
    case "ExcessTokens":
      return // Only what is simulated, or read from the contract, changes.
    default:
      return event satisfies never
  }
}

/** Applies a pool's event. A pool whose simulation contradicts its contract is read from the contract from then on. */
const applyToPool = (scope: EventScope, event: PoolEvent): void => {
  const { draft, facts, pool, rules } = scope
  if (draft.state.diverged.has(pool.id) || !rules.countsAllSwaps(pool.id)) pool.simulation = undefined
  const wasSimulated = pool.simulation !== undefined
  simulate(rules.protocol, draft, pool, event, facts.timestamp)
  // Earlier simulated values, in blocks after which the contract was not read, may be wrong as well.
  if (wasSimulated && pool.simulation === undefined) draft.diverged.add(pool.id)
  account(scope, event)
}

const applyEvent = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts, event: AccountedEvent): void => {
  if (event.event === "PoolCreated") return createPool(rules, draft, facts, event)
  if (event.event === "OwnerChanged") {
    const totals = draft.totals()
    if (totals !== undefined) totals.owner = event.newOwner
    return
  }
  const scope = findScope(rules, draft, facts, event.pool)
  if (scope === undefined) return
  if (event.event === "PairCall") applyPairCall(scope, event)
  else applyToPool(scope, event)
}

const isAsStated = (pool: Pool, stated: PoolFacts): boolean =>
  pool.feeGrowthGlobal0X128 === stated.feeGrowthGlobal0X128 &&
  pool.feeGrowthGlobal1X128 === stated.feeGrowthGlobal1X128 &&
  pool.observationIndex === stated.observationIndex

/** The difference between the contract of a pool and its events; undefined if there is none. */
const findDifference = (draft: BlockDraft, pool: Pool, stated: StatedFacts): string | undefined => {
  if (stated.kind === "pair") {
    const getDecimals = (token: string) => draft.state.tokens.get(token)?.decimals ?? 0
    const isEqual = isPairAsStated(pool, [getDecimals(pool.token0), getDecimals(pool.token1)], stated)
    return isEqual ? undefined : "other reserves or another supply"
  }
  if (pool.sqrtPrice !== stated.sqrtPrice || (pool.tick ?? 0) !== stated.tick) return "another price"
  if (stated.holdings === undefined) return undefined
  if (pool.liquidity !== stated.holdings.liquidity) return "another liquidity"
  return pool.fee === stated.holdings.fee ? undefined : "another fee"
}

/** Compares the touched pools with their contracts, and takes over the values that do not follow from the events. */
const comparePools = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts): string | undefined => {
  for (const address of findTouchedPools(facts)) {
    const stated = facts.pools.get(address)
    const pool = draft.pool(address)
    if (pool === undefined) continue
    if (stated === undefined) {
      if (pool.isConcentrated && pool.simulation === undefined) draft.diverged.add(address)
      continue
    }
    // The reserves and the supply of a pair follow from its events even if swaps are skipped.
    const isCompared = !pool.isConcentrated || rules.countsAllSwaps(address)
    const difference = isCompared ? findDifference(draft, pool, stated) : undefined
    if (difference !== undefined) {
      return (
        `answered with events of pool "${address}" that lead to ${difference} than its contract states in block ` +
        `${facts.number}`
      )
    }
    if (stated.kind === "pair") continue
    if (pool.simulation !== undefined && !isAsStated(pool, stated)) draft.diverged.add(address)
    pool.feeGrowthGlobal0X128 = stated.feeGrowthGlobal0X128
    pool.feeGrowthGlobal1X128 = stated.feeGrowthGlobal1X128
    pool.observationIndex = stated.observationIndex
    const scope = stated.holdings && findScope(rules, draft, facts, address)
    if (stated.holdings && scope) takeReserves(scope, stated.holdings)
  }
  return undefined
}

/** Applies the events of the next block. The state is afterwards the one after this block. */
export const applyBlock = (rules: AccountingRules, state: AccountingState, facts: BlockFacts): AppliedBlock => {
  const draft = new BlockDraft(state)
  seedPools(rules, draft, facts)
  const { contradiction: ofCalls, events } = groupPairCalls(facts.events)
  for (const event of events) applyEvent(rules, draft, facts, event)
  const contradiction = ofCalls ?? comparePools(rules, draft, facts)
  const block = draft.finish(rules.factory, facts)
  return { block, undo: () => draft.undo(), contradiction, diverged: draft.diverged }
}
