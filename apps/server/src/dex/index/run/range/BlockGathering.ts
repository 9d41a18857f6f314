import { Effect } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { RangeRefused } from "../../chain/LogReads.ts"
import { readSeeds } from "../../chain/SeedReads.ts"
import type { BlockFacts } from "../../decode/ChainFacts.ts"
import type { ReadBlock } from "../../verify/Receipts.ts"
import { planBlocks } from "./BlockPlan.ts"
import type { BlockPlans, SeededBlock } from "./BlockPlan.ts"
import { readContractFacts } from "./ContractFacts.ts"
import { readLogs, withReceipts } from "./RangeLogs.ts"
import type { BlockRange, PlanBlocks, RangeBlock } from "./RangeLogs.ts"

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
    : known.simulation === undefined || state.asked.has(pool) || !rules.countsAllSwaps(pool)
}

/** The pools that existed before the index, with its first block, to which they are added. */
const readSeeded = Effect.fnUntraced(function* (reader: ChainReader, rules: AccountingRules, first: number) {
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
  reader: ChainReader,
  rules: AccountingRules,
  state: AccountingState,
  range: BlockRange,
  pending: ReadonlySet<string> = new Set()
): Effect.fn.Return<GatheredBlocks, BlockSourceError | RangeRefused> {
  const found = yield* readLogs(reader, rules, range)
  const isSeeded = range.parent === undefined && rules.seedPools.size > 0
  const seeded: (SeededBlock & { readonly seeds: BlockFacts["seeds"] }) | undefined = isSeeded
    ? yield* readSeeded(reader, rules, range.from)
    : undefined
  const plan: PlanBlocks = (logs) => planBlocks(rules, state, logs, pending, seeded)
  const complete = yield* withReceipts(reader, rules, range, found, plan)
  const planned = yield* Effect.mapError(Effect.fromResult(plan(complete.logs)), reader.bad)
  const blocks = yield* findPlanned(reader, planned, complete.read)
  const facts = yield* readContractFacts(reader, rules, planned.plans, isAskedIn(rules, state))
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
    const unproven = events.length === 0 ? "none" : "stated"
    const ofBlock = range.logSource !== "logs" && block.isVerified ? "block" : unproven
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
