import { Effect } from "effect"
import type { BlockSourceError } from "../../blocks/BlockSource.ts"
import type { AccountingState } from "./AccountingState.ts"
import type { BlockIdentity } from "./BlockDraft.ts"
import type { BlockFacts } from "./BlockFacts.ts"
import { planBlocks } from "./BlockPlan.ts"
import type { BlockPlan } from "./BlockPlan.ts"
import type { ChainReader, RangeRefused } from "./ChainReader.ts"
import { readContractFacts } from "./ContractFacts.ts"
import type { AccountingRules } from "./IndexConfig.ts"
import type { Checkpoint } from "./IndexedBlock.ts"
import { readSeeds } from "./PoolSeeding.ts"
import type { PlacedLog } from "./RpcLog.ts"

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
  /** How many logs were read, with those of other deployments. */
  readonly logs: number
  /** Pools that these blocks create. */
  readonly created: ReadonlySet<string>
}

export interface GatheredRange extends GatheredBlocks {
  readonly range: BlockRange
}

interface RangeLogs {
  /** The blocks that become part of the index even if nothing happened in them, ascending. */
  readonly blocks: ReadonlyArray<BlockIdentity>
  readonly logs: ReadonlyArray<PlacedLog>
}

const numbersOf = ({ from, to }: BlockRange) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Blocks that a reorg can reach, each one the child of the one before, with the logs of exactly these blocks. */
const readLinked = Effect.fnUntraced(function* (reader: ChainReader, range: BlockRange) {
  const blocks = yield* reader.headers(numbersOf(range))
  let parent = range.parent?.hash
  for (const block of blocks) {
    if (parent !== undefined && block.parentHash !== parent) {
      return yield* reader.bad(`answered with block ${block.number} of another branch than the block before it`)
    }
    parent = block.hash
  }
  return { blocks, logs: yield* reader.logsOfBlocks(blocks) }
})

/** Blocks that no reorg reaches, of which the first must be the child of the block before the range. */
const readFinalized = Effect.fnUntraced(function* (reader: ChainReader, { from, parent, to }: BlockRange) {
  const { first, last, logs } = yield* reader.logsOfRange(from, to)
  if (parent !== undefined && first.parentHash !== parent.hash) {
    return yield* reader.bad(`answered with block ${from} of another branch than the block before it`)
  }
  return { blocks: [last], logs } satisfies RangeLogs
})

/** The blocks of the plans with their senders, after a check that they are the blocks that the logs belong to. */
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

/** Whether a pool's contract is asked after every block that touches it. */
const isAskedIn = (rules: AccountingRules, state: AccountingState) => (pool: string) => {
  const known = state.pools.get(pool)
  return known === undefined
    ? rules.seedPools.has(pool) || !rules.countsAllSwaps(pool)
    : known.simulation === undefined || state.asked.has(pool) || !rules.countsAllSwaps(pool)
}

/** The pools from before the index, with its first block, which they become part of. */
const readSeeded = Effect.fnUntraced(function* (reader: ChainReader, rules: AccountingRules, first: number) {
  const [before, block] = yield* reader.headers([first - 1, first])
  if (before === undefined || block?.parentHash !== before.hash) {
    return yield* reader.bad(`answered with block ${first} of another branch than the block before it`)
  }
  return { block, seeds: yield* readSeeds(reader, rules, before) }
})

/**
 * Reads everything that the accounting of a range needs, ascending: blocks with events, blocks that a reorg can reach,
 * and the last one. Fails if the parts of the answer do not belong together. `pending` are pools that are created
 * between the state and the range.
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
