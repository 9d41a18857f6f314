import type { AccountingState } from "./AccountingState.ts"
import { BlockDraft } from "./BlockDraft.ts"
import type { BlockFacts } from "./BlockFacts.ts"
import { scopeOf } from "./EventScope.ts"
import type { EventScope } from "./EventScope.ts"
import type { AccountingRules } from "./IndexConfig.ts"
import type { IndexedBlock } from "./IndexedBlock.ts"
import { burn, collect, mint } from "./LiquidityEvents.ts"
import type { FactoryEvent, Initialize, PoolEvent } from "./LogDecoder.ts"
import { createPool } from "./PoolCreation.ts"
import { updatePrices } from "./Prices.ts"
import { swap } from "./SwapEvent.ts"

export interface AppliedBlock {
  readonly block: IndexedBlock
  /** Takes the block back out of the state. Newest block first. */
  readonly undo: () => void
  /** What the node did, if the events do not lead to what the contracts state: then some are missing or false. */
  readonly contradiction: string | undefined
}

const initialize = (scope: EventScope, event: Initialize): void => {
  scope.pool.sqrtPrice = event.sqrtPriceX96
  scope.pool.tick = event.tick
  updatePrices(scope.rules, scope.draft, scope.totals, scope.token0, scope.token1)
}

const applyToPool = (scope: EventScope, event: PoolEvent): void => {
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
    case "Flash":
      return // Nothing but the fee growth changes, and that comes from the contract.
  }
}

const applyEvent = (
  rules: AccountingRules,
  draft: BlockDraft,
  facts: BlockFacts,
  event: FactoryEvent | PoolEvent
): void => {
  if (event.event === "PoolCreated") return createPool(rules, draft, facts, event)
  if (event.event === "OwnerChanged") {
    const totals = draft.totals()
    if (totals !== undefined) totals.owner = event.newOwner
    return
  }
  const scope = scopeOf(rules, draft, facts, event.pool)
  if (scope !== undefined) applyToPool(scope, event)
}

/** Takes over what only the contracts state, and compares the rest. */
const applyPoolFacts = (rules: AccountingRules, draft: BlockDraft, facts: BlockFacts): string | undefined => {
  for (const [address, stated] of facts.pools) {
    const pool = draft.pool(address)
    if (pool === undefined) continue
    pool.feeGrowthGlobal0X128 = stated.feeGrowthGlobal0X128
    pool.feeGrowthGlobal1X128 = stated.feeGrowthGlobal1X128
    pool.observationIndex = stated.observationIndex
    const isSame = pool.sqrtPrice === stated.sqrtPrice && (pool.tick ?? 0) === stated.tick
    if (!isSame && rules.countsAllSwaps(address)) {
      return (
        `answered with events of pool "${address}" that lead to another price than its contract states in block ` +
        `${facts.number}`
      )
    }
  }
  return undefined
}

/** Applies the events of the block that follows the state. The state then is the one after this block. */
export const applyBlock = (rules: AccountingRules, state: AccountingState, facts: BlockFacts): AppliedBlock => {
  const draft = new BlockDraft(state)
  for (const event of facts.events) applyEvent(rules, draft, facts, event)
  const contradiction = applyPoolFacts(rules, draft, facts)
  return { block: draft.finish(rules.factory, facts), undo: () => draft.undo(), contradiction }
}
