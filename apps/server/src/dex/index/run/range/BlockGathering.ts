import { Effect } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import type { RpcCall } from "../../../../blocks/rpc/RpcCall.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { LogRangeError } from "../../chain/LogReads.ts"
import { findPoolsToAsk, readPoolsByBlock, readSeeds } from "../../chain/PoolReads.ts"
import type { TokenFacts, BlockFacts } from "../../decode/ChainFacts.ts"
import {
  callAt,
  findNodeFailure,
  readAddress,
  readDecimals,
  readText,
  readUint,
  selectors
} from "../../decode/ContractCall.ts"
import type { ReadBlock } from "../../verify/Receipts.ts"
import { makeEventSelection, readRangeLogs, withReceipts } from "./RangeLogs.ts"
import type { BlockEvents, BlockRange, RangeBlock, RangeLogs, RangeParts } from "./RangeLogs.ts"

/** The values of the contracts after a block. */
type ContractFacts = Pick<BlockFacts, "tokens" | "pools" | "owner">

/** The reads of a block besides those of its pools. */
interface TokenReads {
  readonly hash: string
  /** Tokens that are not stored yet and get a pool in this block. */
  readonly tokens: ReadonlyArray<string>
  /** Whether this block may create the first pool, and with it the row that holds the factory's owner. */
  readonly wantsOwner: boolean
}

const toTokenReads = ({ protocol }: AccountingRules, state: AccountingState, { events, hash, seeds }: BlockEvents) => {
  const pools = [...seeds, ...events.filter((event) => event.event === "PoolCreated")]
  const tokens = new Set(pools.flatMap(({ token0, token1 }) => [token0, token1]))
  return {
    hash,
    tokens: [...tokens].filter((token) => !state.tokens.has(token)),
    wantsOwner: protocol.hasOwner && state.totals === undefined && pools.length > 0
  } satisfies TokenReads
}

const ofToken = [selectors.symbol, selectors.name, selectors.decimals, selectors.totalSupply]

const toCalls = ({ factory }: AccountingRules, { hash, tokens, wantsOwner }: TokenReads) => [
  ...tokens.flatMap((token) => ofToken.map((data): RpcCall => ({ ...callAt(hash, token, data), mayFail: true }))),
  ...(wantsOwner ? [callAt(hash, factory, selectors.owner)] : [])
]

const toTokenFacts = (rules: AccountingRules, token: string, replies: ReadonlyArray<unknown>): TokenFacts => {
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
  reads: ReadonlyArray<TokenReads>,
  replies: ReadonlyArray<unknown>
) {
  const failure = findNodeFailure(replies)
  if (failure !== undefined) return yield* reader.bad(failure)
  let next = 0
  const take = (count: number) => replies.slice(next, (next += count))
  const facts: Array<Omit<ContractFacts, "pools">> = []
  for (const { tokens, wantsOwner } of reads) {
    const stated = tokens.map((token) => [token, toTokenFacts(rules, token, take(ofToken.length))] as const)
    const owner = wantsOwner ? readAddress(take(1)[0]) : undefined
    if (wantsOwner && owner === undefined) return yield* reader.bad("states no owner of the factory")
    facts.push({ tokens: new Map(stated), owner })
  }
  return facts
})

/** Whether a pool's contract is read after every block that touches it. */
const isAskedIn = (rules: AccountingRules, state: AccountingState) => (pool: string) => {
  const { isConcentrated, protocolFee } = rules.protocol
  if (protocolFee === undefined) return isConcentrated
  const known = state.pools.get(pool)
  return known === undefined
    ? rules.seedPools.has(pool) || !rules.countsAllSwaps(pool)
    : known.simulation === undefined || state.diverged.has(pool) || !rules.countsAllSwaps(pool)
}

/** Reads everything that the accounting of the blocks needs from contracts. */
const readContractFacts = Effect.fnUntraced(function* (
  parts: RangeParts,
  state: AccountingState,
  blocks: ReadonlyArray<BlockEvents>
): Effect.fn.Return<ReadonlyArray<ContractFacts>, BlockSourceError> {
  const { reader, rules } = parts
  const reads = blocks.map((block) => toTokenReads(rules, state, block))
  const [others, pools] = yield* Effect.all(
    [
      reader.calls(
        reads.flatMap((read) => toCalls(rules, read)),
        (replies) => decodeTokens(parts, reads, replies)
      ),
      readPoolsByBlock(reader, rules.protocol.state, findPoolsToAsk(blocks, isAskedIn(rules, state)))
    ],
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

/** The first block of the index, and the pools that existed before it. */
const readSeeded = Effect.fnUntraced(function* ({ reader, rules }: RangeParts, first: number) {
  const [before, block] = yield* reader.headers([first - 1, first])
  if (before === undefined || block?.parentHash !== before.hash) {
    return yield* reader.bad(`answered with block ${first} of another branch than the block before it`)
  }
  const seeds = yield* readSeeds(reader, rules.protocol.state, rules.seedPools.values(), before)
  return { number: first, hash: block.hash, seeds }
})

/** The receipts of a block with events, after a check that it is the block of the logs. */
const findReceipts = (reader: ChainReader, { events, hash, number }: BlockEvents, read: RangeLogs["read"]) => {
  const block = read.get(number)
  if (block?.hash !== hash) return Effect.fail(reader.bad(`answered with logs of another branch for block ${number}`))
  return events.every(({ transactionHash }) => block.origins.has(transactionHash))
    ? Effect.succeed(block)
    : Effect.fail(reader.bad(`answered with logs of transactions that are not in block ${number}`))
}

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
  const seeded = isSeeded ? yield* readSeeded(parts, range.from) : undefined
  const complete = yield* withReceipts(parts, range, found, makeEventSelection(parts, state, pending, seeded))
  const { logs, misstated, read, selected } = complete
  const receipts = yield* Effect.forEach(selected.blocks, (block) => findReceipts(reader, block, read))
  const facts = yield* readContractFacts(parts, state, selected.blocks)
  const gathered = new Map(complete.blocks.map((block) => [block.number, withoutEvents(block)]))
  for (const [index, { events, hash, number, seeds }] of selected.blocks.entries()) {
    const block = receipts[index]
    const stated = facts[index]
    if (block === undefined || stated === undefined) continue
    const known = gathered.get(number)
    if (known !== undefined && known.hash !== hash) {
      return yield* reader.bad(`answered with two hashes of block ${number}`)
    }
    const { isVerified, origins, parentHash, timestamp } = block
    const unverified = events.length === 0 ? "none" : "stated"
    const ofBlock = range.logSource !== "logs" && isVerified ? "block" : unverified
    const proof = known?.proof === "chain" ? known.proof : ofBlock
    gathered.set(number, { number, hash, parentHash, timestamp, proof, origins, ...stated, seeds, events })
  }
  return {
    blocks: [...gathered.values()].sort((a, b) => a.number - b.number),
    logs: logs.length,
    read: countRead(read),
    created: selected.created,
    misstated
  }
})
