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

const readFinalized = (reader: ChainReader, { from, to }: BlockRange) =>
  Effect.map(reader.logsOfRange(from, to), ({ last, logs }): RangeLogs => ({ blocks: [last], logs }))

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
  events: [],
  origins: new Map(),
  tokens: new Map(),
  pools: new Map(),
  owner: undefined
})

/**
 * Reads everything that the accounting of a range needs, ascending: blocks with events, blocks that a reorg can reach,
 * and the last one. Fails if the parts of the answer do not belong together.
 */
export const gatherBlocks = Effect.fn("Indexer.gather")(function* (
  reader: ChainReader,
  rules: AccountingRules,
  state: AccountingState,
  range: BlockRange
): Effect.fn.Return<GatheredBlocks, BlockSourceError | RangeRefused> {
  const { blocks, logs } = yield* range.isFinalized ? readFinalized(reader, range) : readLinked(reader, range)
  const plans = yield* Effect.mapError(Effect.fromResult(planBlocks(rules, state, logs)), reader.bad)
  const [planned, facts] = yield* Effect.all([readPlanned(reader, plans), readContractFacts(reader, rules, plans)], {
    concurrency: 2
  })
  const gathered = new Map(blocks.map((block) => [block.number, withoutEvents(block)]))
  for (const [index, { events }] of plans.entries()) {
    const block = planned[index]
    const stated = facts[index]
    if (block === undefined || stated === undefined) continue
    const known = gathered.get(block.number)
    if (known !== undefined && known.hash !== block.hash) {
      return yield* reader.bad(`answered with two hashes of block ${block.number}`)
    }
    gathered.set(block.number, { ...block, ...stated, events })
  }
  return { blocks: [...gathered.values()].sort((a, b) => a.number - b.number), logs: logs.length }
})
