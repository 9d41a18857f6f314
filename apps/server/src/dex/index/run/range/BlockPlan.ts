import { Result } from "effect"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { FactoryEvent, PoolEvent, PairEvent } from "../../decode/ChainEvents.ts"
import type { BlockIdentity } from "../../decode/ChainFacts.ts"
import type { BlockLog } from "../../decode/RpcLog.ts"
import type { SeedPool } from "../../IndexConfig.ts"

/** A block's events, and what must be read from contracts before they can be applied. */
export interface BlockPlan {
  readonly number: number
  readonly hash: string
  readonly events: Array<FactoryEvent | PoolEvent | PairEvent>
  /** Tokens that are not stored yet and get a pool in this block. */
  readonly newTokens: Set<string>
  readonly touchedPools: Set<string>
  /** Whether this block may create the first pool, and with it the row that holds the factory's owner. */
  wantsOwner: boolean
}

/** The first block of an index, and the pools from before it. */
export interface SeededBlock {
  readonly block: BlockIdentity
  readonly seeds: ReadonlyArray<SeedPool>
}

export interface BlockPlans {
  readonly plans: ReadonlyArray<BlockPlan>
  /** The pools that these blocks create. */
  readonly created: ReadonlySet<string>
}

const isOfFactory = ({ factory, protocol }: AccountingRules, { address, topics: [signature] }: BlockLog): boolean =>
  address === factory && signature !== undefined && protocol.factoryTopics.includes(signature)

/** Whether a log is an event of the factory, or of a pool that the state has. */
export const isOfDeployment = (rules: AccountingRules, state: AccountingState, log: BlockLog): boolean =>
  log.address === rules.factory ? isOfFactory(rules, log) : state.pools.has(log.address)

/**
 * Selects the events of one deployment from logs in chain order, which may belong to others too. Fails with a
 * description if a log does not have the shape of its event. `pending` are pools that the state does not have yet,
 * `seeded` the pools that existed before the index, with its first block.
 */
export const planBlocks = (
  rules: AccountingRules,
  state: AccountingState,
  logs: ReadonlyArray<BlockLog>,
  pending: ReadonlySet<string>,
  seeded?: SeededBlock
): Result.Result<BlockPlans, string> => {
  const { protocol } = rules
  const plans = new Map<number, BlockPlan>()
  const created = new Set<string>(seeded?.seeds.map(({ pool }) => pool))
  if (seeded !== undefined) plans.set(seeded.block.number, planOfSeeds(state, seeded))
  for (const log of logs) {
    const ofFactory = isOfFactory(rules, log)
    if (!ofFactory && !state.pools.has(log.address) && !created.has(log.address) && !pending.has(log.address)) continue
    const event = ofFactory ? protocol.decodeFactoryLog(log) : protocol.decodePoolLog(log)
    if (event === undefined) {
      return Result.fail(`answered with a log of block ${log.blockNumber} that does not match the ABI of its event`)
    }
    // Also a block without other events is one of the deployment: the prover counts its log.
    const plan = plans.get(log.blockNumber) ?? emptyPlan(log.blockNumber, log.blockHash)
    plans.set(plan.number, plan)
    if (event.event === "PoolCreated") {
      if (rules.skipsPool(event.pool)) continue
      created.add(event.pool)
    }
    extend(plan, state, event)
  }
  return Result.succeed({ plans: [...plans.values()], created })
}

const emptyPlan = (number: number, hash: string): BlockPlan => ({
  number,
  hash,
  events: [],
  newTokens: new Set(),
  touchedPools: new Set(),
  wantsOwner: false
})

const wantTokens = (plan: BlockPlan, state: AccountingState, tokens: ReadonlyArray<string>): void => {
  for (const token of tokens) if (!state.tokens.has(token)) plan.newTokens.add(token)
}

const planOfSeeds = (state: AccountingState, { block, seeds }: SeededBlock): BlockPlan => {
  const plan = { ...emptyPlan(block.number, block.hash), wantsOwner: true }
  for (const { token0, token1 } of seeds) wantTokens(plan, state, [token0, token1])
  return plan
}

const extend = (plan: BlockPlan, state: AccountingState, event: FactoryEvent | PoolEvent | PairEvent): void => {
  plan.events.push(event)
  if (event.event === "OwnerChanged") return
  if (event.event !== "PoolCreated") {
    plan.touchedPools.add(event.pool)
    return
  }
  if (state.totals === undefined) plan.wantsOwner = true
  wantTokens(plan, state, [event.token0, event.token1])
}
