import { Effect } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import { RpcFault, toErrorText } from "../../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../../blocks/rpc/RpcCall.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { LogRangeError } from "../../chain/LogReads.ts"
import { findPoolsToAsk, readPoolsByBlock, readSeeds } from "../../chain/PoolReads.ts"
import type { StatedFacts, TokenFacts, BlockFacts } from "../../decode/ChainFacts.ts"
import {
  callAt,
  isOfContract,
  readAddress,
  readDecimals,
  readText,
  readUint,
  selectors
} from "../../decode/ContractCall.ts"
import type { ReadBlock } from "../../verify/Receipts.ts"
import { planBlocks } from "./BlockPlan.ts"
import type { BlockPlan, BlockPlans, SeededBlock } from "./BlockPlan.ts"
import { readRangeLogs, withReceipts } from "./RangeLogs.ts"
import type { BlockRange, PlanBlocks, RangeBlock, RangeParts } from "./RangeLogs.ts"

/** The values of the contracts after a block. */
interface ContractFacts {
  readonly tokens: ReadonlyMap<string, TokenFacts>
  readonly pools: ReadonlyMap<string, StatedFacts>
  readonly owner: string | undefined
}

const ofToken = [selectors.symbol, selectors.name, selectors.decimals, selectors.totalSupply]

/** Everything except the pools. */
const toCalls = (rules: AccountingRules, { hash, newTokens, wantsOwner }: BlockPlan) => [
  ...[...newTokens].flatMap((token) =>
    ofToken.map((data): RpcCall => ({ ...callAt(hash, token, data), mayFail: true }))
  ),
  ...(wantsOwner && rules.protocol.hasOwner ? [callAt(hash, rules.factory, selectors.owner)] : [])
]

const tokenFacts = (rules: AccountingRules, token: string, replies: ReadonlyArray<unknown>): TokenFacts => {
  const override = rules.tokenOverrides.get(token)
  return {
    symbol: override?.symbol ?? readText(replies[0]),
    name: override?.name ?? readText(replies[1]),
    decimals: override?.decimals ?? readDecimals(replies[2]),
    supply: (readUint(replies[3]) ?? 0n).toString()
  }
}

const decodeTokens = Effect.fnUntraced(function* (
  { reader, rules }: RangeParts,
  plans: ReadonlyArray<BlockPlan>,
  replies: ReadonlyArray<unknown>
) {
  const fault = replies.find((reply) => reply instanceof RpcFault && !isOfContract(reply))
  if (fault instanceof RpcFault) return yield* reader.bad(toErrorText(fault))
  let next = 0
  const take = (count: number) => replies.slice(next, (next += count))
  const facts: Array<Omit<ContractFacts, "pools">> = []
  for (const { newTokens, wantsOwner } of plans) {
    const tokens = new Map<string, TokenFacts>()
    for (const token of newTokens) tokens.set(token, tokenFacts(rules, token, take(ofToken.length)))
    const isAsked = wantsOwner && rules.protocol.hasOwner
    const owner = isAsked ? readAddress(take(1)[0]) : undefined
    if (isAsked && owner === undefined) return yield* reader.bad("states no owner of the factory")
    facts.push({ tokens, owner })
  }
  return facts
})

const readTokens = Effect.fnUntraced(function* (
  parts: RangeParts,
  plans: ReadonlyArray<BlockPlan>
): Effect.fn.Return<ReadonlyArray<Omit<ContractFacts, "pools">>, BlockSourceError> {
  const calls = plans.flatMap((plan) => toCalls(parts.rules, plan))
  return yield* parts.reader.calls(calls, (replies) => decodeTokens(parts, plans, replies))
})

/**
 * Reads everything that the plans need: pools that `isAsked` names after every block, the others after the last one.
 */
const readContractFacts = Effect.fnUntraced(function* (
  parts: RangeParts,
  plans: ReadonlyArray<BlockPlan>,
  isAsked: (pool: string) => boolean
): Effect.fn.Return<ReadonlyArray<ContractFacts>, BlockSourceError> {
  const { reader, rules } = parts
  const [others, pools] = yield* Effect.all(
    [readTokens(parts, plans), readPoolsByBlock(reader, rules.protocol.state, findPoolsToAsk(plans, isAsked))],
    { concurrency: 2 }
  )
  return others.map((facts, index) => ({ ...facts, pools: pools[index] ?? new Map() }))
})

export interface GatheredBlocks {
  readonly blocks: ReadonlyArray<BlockFacts>
  /** The number of logs that may be events, including those of other deployments. */
  readonly logs: number
  /** The number of receipts read, and of all of their logs. */
  readonly read: { readonly receipts: number; readonly logs: number }
  /** Pools that these blocks create. */
  readonly created: ReadonlySet<string>
  /** The first block of which `eth_getLogs` stated other events than its receipts hold. */
  readonly misstated: number | undefined
}

export interface GatheredRange extends GatheredBlocks {
  readonly range: BlockRange
}

const withoutEvents = (block: RangeBlock): BlockFacts => ({
  ...block,
  seeds: [],
  events: [],
  origins: new Map(),
  tokens: new Map(),
  pools: new Map(),
  owner: undefined
})

const countRead = (read: ReadonlyMap<number, ReadBlock>) => {
  let [receipts, logs] = [0, 0]
  for (const block of read.values()) {
    receipts += block.origins.size
    logs += block.logs.length
  }
  return { receipts, logs }
}

/** Whether a pool's contract is read after every block that touches it. */
const isAskedIn = (rules: AccountingRules, state: AccountingState) => (pool: string) => {
  const { isConcentrated, protocolFee } = rules.protocol
  if (protocolFee === undefined) return isConcentrated
  const known = state.pools.get(pool)
  return known === undefined
    ? rules.seedPools.has(pool) || !rules.countsAllSwaps(pool)
    : known.simulation === undefined || state.diverged.has(pool) || !rules.countsAllSwaps(pool)
}

/** The pools that existed before the index, with its first block, to which they are added. */
const readSeeded = Effect.fnUntraced(function* ({ reader, rules }: RangeParts, first: number) {
  const [before, block] = yield* reader.headers([first - 1, first])
  if (before === undefined || block?.parentHash !== before.hash) {
    return yield* reader.bad(`answered with block ${first} of another branch than the block before it`)
  }
  return { block, seeds: yield* readSeeds(reader, rules.protocol.state, rules.seedPools.values(), before) }
})

/** The planned blocks, after a check that these are the blocks of the logs. */
const findPlanned = Effect.fnUntraced(function* (
  reader: ChainReader,
  { plans }: BlockPlans,
  read: ReadonlyMap<number, ReadBlock>
) {
  return yield* Effect.forEach(plans, ({ events, hash, number }) => {
    const block = read.get(number)
    if (block?.hash !== hash) return Effect.fail(reader.bad(`answered with logs of another branch for block ${number}`))
    return events.every(({ transactionHash }) => block.origins.has(transactionHash))
      ? Effect.succeed(block)
      : Effect.fail(reader.bad(`answered with logs of transactions that are not in block ${number}`))
  })
})

/**
 * Reads everything that the accounting of a range needs, ascending: blocks with events, blocks within reach of a reorg,
 * and the last block. Fails if the responses contradict each other. `pending` are pools that are created between the
 * state and the range.
 */
export const gatherBlocks = Effect.fn("BlockGathering.gather")(function* (
  parts: RangeParts,
  state: AccountingState,
  range: BlockRange,
  pending: ReadonlySet<string> = new Set()
): Effect.fn.Return<GatheredBlocks, BlockSourceError | LogRangeError> {
  const { reader, rules } = parts
  const found = yield* readRangeLogs(parts, range)
  const isSeeded = range.parent === undefined && rules.seedPools.size > 0
  const seeded: (SeededBlock & { readonly seeds: BlockFacts["seeds"] }) | undefined = isSeeded
    ? yield* readSeeded(parts, range.from)
    : undefined
  const plan: PlanBlocks = (logs) => planBlocks(rules, state, logs, pending, seeded)
  const complete = yield* withReceipts(parts, range, found, plan)
  const planned = yield* Effect.mapError(Effect.fromResult(plan(complete.logs)), reader.bad)
  const blocks = yield* findPlanned(reader, planned, complete.read)
  const facts = yield* readContractFacts(parts, planned.plans, isAskedIn(rules, state))
  const gathered = new Map(complete.blocks.map((block) => [block.number, withoutEvents(block)]))
  for (const [index, { events }] of planned.plans.entries()) {
    const block = blocks[index]
    const stated = facts[index]
    if (block === undefined || stated === undefined) continue
    const known = gathered.get(block.number)
    if (known !== undefined && known.hash !== block.hash) {
      return yield* reader.bad(`answered with two hashes of block ${block.number}`)
    }
    const seeds = block.number === seeded?.block.number ? seeded.seeds : []
    const { hash, number, origins, parentHash, timestamp } = block
    const unverified = events.length === 0 ? "none" : "stated"
    const ofBlock = range.logSource !== "logs" && block.isVerified ? "block" : unverified
    const proof = known?.proof === "chain" ? known.proof : ofBlock
    gathered.set(number, { number, hash, parentHash, timestamp, proof, origins, ...stated, seeds, events })
  }
  return {
    blocks: [...gathered.values()].sort((a, b) => a.number - b.number),
    logs: complete.logs.length,
    read: countRead(complete.read),
    created: planned.created,
    misstated: complete.misstated
  }
})
