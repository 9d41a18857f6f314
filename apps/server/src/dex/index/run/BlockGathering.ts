import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { AccountingRules } from "../accounting/AccountingRules.ts"
import type { AccountingState } from "../accounting/AccountingState.ts"
import type { BlockFacts } from "../accounting/BlockFacts.ts"
import type { ChainReader, RangeRefused } from "../chain/ChainReader.ts"
import { readSeeds } from "../chain/SeedReads.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import { planBlocks } from "./BlockPlan.ts"
import type { BlockPlan } from "./BlockPlan.ts"
import { readContractFacts } from "./ContractFacts.ts"

export interface BlockRange {
  readonly from: number
  readonly to: number
  /** The block before the range; undefined at the start of an index. */
  readonly parent: Checkpoint | undefined
  /** Whether no reorg reaches the range. */
  readonly isFinalized: boolean
}

export interface GatheredBlocks {
  readonly blocks: ReadonlyArray<BlockFacts>
  /** The number of logs read, including those of other deployments. */
  readonly logs: number
  /** Pools that these blocks create. */
  readonly created: ReadonlySet<string>
}

export interface GatheredRange extends GatheredBlocks {
  readonly range: BlockRange
}

interface RangeLogs {
  /** The blocks that become part of the index even without events, ascending. */
  readonly blocks: ReadonlyArray<BlockIdentity>
  readonly logs: ReadonlyArray<BlockLog>
}

const toNumbers = ({ from, to }: BlockRange) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Blocks within reach of a reorg, each the child of the one before, with the logs of exactly these blocks. */
const readLinked = Effect.fnUntraced(function* (reader: ChainReader, range: BlockRange) {
  const blocks = yield* reader.headers(toNumbers(range))
  let parent = range.parent?.hash
  for (const block of blocks) {
    if (parent !== undefined && block.parentHash !== parent) {
      return yield* reader.bad(`answered with block ${block.number} of another branch than the block before it`)
    }
    parent = block.hash
  }
  return { blocks, logs: yield* reader.logsOfBlocks(blocks) }
})

/** Final blocks, of which the first must be the child of the block before the range. */
const readFinalized = Effect.fnUntraced(function* (reader: ChainReader, { from, parent, to }: BlockRange) {
  const { first, last, logs } = yield* reader.logsOfRange(from, to)
  if (parent !== undefined && first.parentHash !== parent.hash) {
    return yield* reader.bad(`answered with block ${from} of another branch than the block before it`)
  }
  return { blocks: [last], logs } satisfies RangeLogs
})

/** The blocks of the plans with their senders, after a check that these are the blocks of the logs. */
const readPlanned = Effect.fnUntraced(function* (reader: ChainReader, plans: ReadonlyArray<BlockPlan>) {
  const blocks = yield* reader.wholeBlocks(plans.map(({ number }) => number))
  for (const [index, { events, hash, number }] of plans.entries()) {
    const block = blocks[index]
    if (block?.hash !== hash) return yield* reader.bad(`answered with logs of another branch for block ${number}`)
    if (!events.every(({ transactionHash }) => block.origins.has(transactionHash))) {
      return yield* reader.bad(`answered with logs of transactions that are not in block ${number}`)
    }
  }
  return blocks
})

const withoutEvents = (block: BlockIdentity): BlockFacts => ({
  ...block,
  seeds: [],
  events: [],
  origins: new Map(),
  tokens: new Map(),
  pools: new Map(),
  owner: undefined
})

/** Whether a pool's contract is read after every block that touches it. */
const isAskedIn = (rules: AccountingRules, state: AccountingState) => (pool: string) => {
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
  return { block, seeds: yield* readSeeds(reader, rules.seedPools.values(), before) }
})

/**
 * Reads everything that the accounting of a range needs, ascending: blocks with events, blocks within reach of a reorg,
 * and the last block. Fails if the responses contradict each other. `pending` are pools that are created between the
 * state and the range.
 */
export const gatherBlocks = Effect.fn("Indexer.gather")(function* (
  reader: ChainReader,
  rules: AccountingRules,
  state: AccountingState,
  range: BlockRange,
  pending: ReadonlySet<string> = new Set()
): Effect.fn.Return<GatheredBlocks, BlockSourceError | RangeRefused> {
  const { blocks, logs } = yield* range.isFinalized ? readFinalized(reader, range) : readLinked(reader, range)
  const isSeeded = range.parent === undefined && rules.seedPools.size > 0
  const seeded = isSeeded ? yield* readSeeded(reader, rules, range.from) : undefined
  const { created, plans } = yield* Effect.mapError(
    Effect.fromResult(planBlocks(rules, state, logs, pending, seeded)),
    reader.bad
  )
  const [planned, facts] = yield* Effect.all(
    [readPlanned(reader, plans), readContractFacts(reader, rules, plans, isAskedIn(rules, state))],
    { concurrency: 2 }
  )
  const gathered = new Map(blocks.map((block) => [block.number, withoutEvents(block)]))
  for (const [index, { events }] of plans.entries()) {
    const block = planned[index]
    const stated = facts[index]
    if (block === undefined || stated === undefined) continue
    const known = gathered.get(block.number)
    if (known !== undefined && known.hash !== block.hash) {
      return yield* reader.bad(`answered with two hashes of block ${block.number}`)
    }
    const seeds = block.number === seeded?.block.number ? seeded.seeds : []
    gathered.set(block.number, { ...block, ...stated, seeds, events })
  }
  return { blocks: [...gathered.values()].sort((a, b) => a.number - b.number), logs: logs.length, created }
})
