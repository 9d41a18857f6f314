import { Result } from "effect"
import type { AccountingState } from "./AccountingState.ts"
import type { AccountingRules } from "./IndexConfig.ts"
import { decodeFactoryLog, decodePoolLog, topics } from "./LogDecoder.ts"
import type { FactoryEvent, PoolEvent } from "./LogDecoder.ts"
import type { PlacedLog } from "./RpcLog.ts"

/** A block's events, with what must be asked of contracts before they can be applied. */
export interface BlockPlan {
  readonly number: number
  readonly hash: string
  readonly events: Array<FactoryEvent | PoolEvent>
  /** Tokens that are not stored and get a pool in this block. */
  readonly newTokens: Set<string>
  readonly touchedPools: Set<string>
  /** Whether this block may create the first pool, and with it the row that holds the factory's owner. */
  wantsOwner: boolean
}

const isOfFactory = ({ topics: [signature] }: PlacedLog): boolean =>
  signature === topics.PoolCreated || signature === topics.OwnerChanged

/**
 * Picks the events of one deployment out of logs, which are in the order of the chain and may belong to others too. A
 * failure says which log has not the shape of its event.
 */
export const planBlocks = (
  rules: AccountingRules,
  state: AccountingState,
  logs: ReadonlyArray<PlacedLog>
): Result.Result<ReadonlyArray<BlockPlan>, string> => {
  const plans = new Map<number, BlockPlan>()
  const created = new Set<string>()
  for (const log of logs) {
    const ofFactory = log.address === rules.factory && isOfFactory(log)
    if (!ofFactory && !state.pools.has(log.address) && !created.has(log.address)) continue
    const event = ofFactory ? decodeFactoryLog(log) : decodePoolLog(log)
    if (event === undefined) {
      return Result.fail(`answered with a log of block ${log.blockNumber} that has not the shape of its event`)
    }
    const plan = plans.get(log.blockNumber) ?? emptyPlan(log)
    plans.set(plan.number, plan)
    if (event.event === "PoolCreated" && !rules.skipPools.has(event.pool)) created.add(event.pool)
    extend(plan, state, event)
  }
  return Result.succeed([...plans.values()])
}

const emptyPlan = ({ blockHash, blockNumber }: PlacedLog): BlockPlan => ({
  number: blockNumber,
  hash: blockHash,
  events: [],
  newTokens: new Set(),
  touchedPools: new Set(),
  wantsOwner: false
})

const extend = (plan: BlockPlan, state: AccountingState, event: FactoryEvent | PoolEvent): void => {
  plan.events.push(event)
  if (event.event === "OwnerChanged") return
  if (event.event !== "PoolCreated") {
    plan.touchedPools.add(event.pool)
    return
  }
  if (state.totals === undefined) plan.wantsOwner = true
  for (const token of [event.token0, event.token1]) {
    if (!state.tokens.has(token)) plan.newTokens.add(token)
  }
}
