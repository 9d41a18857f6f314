import { Effect } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { AccountingState } from "../../accounting/AccountingState.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { LinkedRange } from "../../chain/HeaderReads.ts"
import type { LogRangeError } from "../../chain/LogReads.ts"
import type { ChainEvent } from "../../decode/ChainEvents.ts"
import type { BlockFacts, BlockIdentity } from "../../decode/ChainFacts.ts"
import { compareLogs } from "../../decode/RpcLog.ts"
import type { BlockLog } from "../../decode/RpcLog.ts"
import type { BlockProof } from "../../IndexedBlock.ts"
import type { Checkpoint } from "../../store/EntityStore.ts"
import type { ReadBlock } from "../../verify/Receipts.ts"

/**
 * How the logs of a range are found: in the receipts of every block that may have events ("receipts"), by `eth_getLogs`
 * and then in the receipts of the blocks that it names ("logs-and-receipts"), or by `eth_getLogs` alone ("logs").
 */
export type LogSource = "receipts" | "logs-and-receipts" | "logs"

export interface BlockRange {
  readonly from: number
  readonly to: number
  /** The block before the range; undefined at the start of an index. */
  readonly parent: Checkpoint | undefined
  /** Whether no reorg reaches the range. */
  readonly isFinalized: boolean
  /** Whether the next block is part of the chain, so that the range must lead to it. */
  readonly hasNext: boolean
  readonly logSource: LogSource
}

export interface RangeBlock extends BlockIdentity {
  readonly proof: BlockProof
}

export interface RangeLogs {
  /** The blocks that become part of the index even without events, ascending. */
  readonly blocks: ReadonlyArray<RangeBlock>
  readonly logs: ReadonlyArray<BlockLog>
  /** By number: the blocks whose receipts were read. */
  readonly read: ReadonlyMap<number, ReadBlock>
  readonly misstated: number | undefined
}

/** The parts of an index with which its ranges are read. */
export interface RangeParts {
  readonly reader: ChainReader
  readonly rules: AccountingRules
}

const toLinked = ({ from, hasNext, parent, to }: BlockRange): LinkedRange => ({
  from,
  to,
  parent: parent?.hash,
  next: hasNext
})

const byNumber = (blocks: ReadonlyArray<ReadBlock>) => new Map(blocks.map((block) => [block.number, block]))

/** Whether a log of a receipt may be an event of the deployment. */
const toTaken = ({ reader, rules: { protocol } }: RangeParts) => {
  const { isCompanion } = protocol
  return isCompanion === undefined ? reader.isEvent : (log: BlockLog) => reader.isEvent(log) || isCompanion(log)
}

/** The receipts of every block that may have events, which proves that the others have none. */
const readFromReceipts = Effect.fnUntraced(function* (
  parts: RangeParts,
  range: BlockRange
): Effect.fn.Return<RangeLogs, BlockSourceError> {
  const { reader } = parts
  const headers = yield* reader.linkedHeaders(toLinked(range))
  const isTaken = toTaken(parts)
  const read = byNumber(yield* reader.receipts(headers.filter(reader.mayHaveEvents)))
  return {
    blocks: headers.map((header) => ({
      ...header,
      proof: (read.get(header.number)?.isVerified ?? true) ? "chain" : "none"
    })),
    logs: [...read.values()].flatMap(({ logs }) => logs.filter(isTaken)),
    read,
    misstated: undefined
  }
})

/** Blocks within reach of a reorg, with the logs that the node states of exactly these blocks. */
const readLogsNearHead = Effect.fnUntraced(function* (
  reader: ChainReader,
  range: BlockRange
): Effect.fn.Return<RangeLogs, BlockSourceError> {
  const headers = yield* reader.linkedHeaders(toLinked(range))
  const logs = yield* reader.logsOfBlocks(headers)
  const blocks = headers.map((header) => ({ ...header, proof: "none" as const }))
  return { blocks, logs, read: new Map(), misstated: undefined }
})

/** The logs of final blocks, as `eth_getLogs` returns them. */
const readFinalLogs = Effect.fnUntraced(function* (
  reader: ChainReader,
  range: BlockRange
): Effect.fn.Return<RangeLogs, BlockSourceError | LogRangeError> {
  const { last, logs } = yield* reader.logsOfRange(toLinked(range))
  return { blocks: [{ ...last, proof: "none" }], logs, read: new Map(), misstated: undefined }
})

/** A block of the deployment: its events, and the pools from before the index that it adds. */
export interface BlockEvents extends Pick<BlockFacts, "number" | "hash" | "seeds"> {
  readonly events: Array<ChainEvent>
}

export interface SelectedEvents {
  /** In the order of the chain. */
  readonly blocks: ReadonlyArray<BlockEvents>
  /** The pools that these blocks create. */
  readonly created: ReadonlySet<string>
}

const isOfFactory = ({ factory, protocol }: AccountingRules, { address, topics: [signature] }: BlockLog): boolean =>
  address === factory && signature !== undefined && protocol.factoryTopics.includes(signature)

/** Whether a log is an event of the factory, or of a pool that the state has. */
export const isOfDeployment = (rules: AccountingRules, state: AccountingState, log: BlockLog): boolean =>
  log.address === rules.factory ? isOfFactory(rules, log) : state.pools.has(log.address)

/**
 * Selects the events of the deployment from logs in chain order, which may belong to others too. Fails if a log does not
 * have the shape of its event. `pending` are pools that the state does not have yet, `first` the block to which the pools
 * that existed before the index are added.
 */
export const makeEventSelection =
  (
    { reader, rules }: RangeParts,
    state: AccountingState,
    pending: ReadonlySet<string>,
    first: Omit<BlockEvents, "events"> | undefined
  ) =>
  (logs: ReadonlyArray<BlockLog>): Effect.Effect<SelectedEvents, BlockSourceError> => {
    const { protocol } = rules
    const blocks = new Map<number, BlockEvents>()
    const created = new Set<string>(first?.seeds.map(({ pool }) => pool))
    if (first !== undefined) blocks.set(first.number, { ...first, events: [] })
    for (const log of logs) {
      const { address, blockHash, blockNumber } = log
      const ofFactory = isOfFactory(rules, log)
      if (!ofFactory && !state.pools.has(address) && !created.has(address) && !pending.has(address)) continue
      const event = ofFactory ? protocol.decodeFactoryLog(log) : protocol.decodePoolLog(log)
      if (event === undefined) {
        return Effect.fail(
          reader.bad(`answered with a log of block ${blockNumber} that does not match the ABI of its event`)
        )
      }
      // Also a block without other events is one of the deployment: the prover counts its log.
      const block = blocks.get(blockNumber) ?? { number: blockNumber, hash: blockHash, seeds: [], events: [] }
      blocks.set(blockNumber, block)
      if (event.event === "PoolCreated") {
        if (rules.skipsPool(event.pool)) continue
        created.add(event.pool)
      }
      block.events.push(event)
    }
    return Effect.succeed({ blocks: [...blocks.values()], created })
  }

type SelectEvents = ReturnType<typeof makeEventSelection>

/** The blocks with events whose receipts were not read. */
const findUnread = ({ blocks }: SelectedEvents, read: RangeLogs["read"]) =>
  blocks.map(({ number }) => number).filter((number) => !read.has(number))

const isSameLog = (a: BlockLog, b: BlockLog | undefined): boolean =>
  b !== undefined &&
  a.logIndex === b.logIndex &&
  a.blockHash === b.blockHash &&
  a.transactionHash === b.transactionHash &&
  a.address === b.address &&
  a.data === b.data &&
  a.topics.join() === b.topics.join()

const isSame = (a: ReadonlyArray<BlockLog>, b: ReadonlyArray<BlockLog>): boolean =>
  a.length === b.length && a.every((log, index) => isSameLog(log, b[index]))

/**
 * Reads the receipts of the blocks with events, and replaces their logs by those of the receipts, until there is no other
 * such block: a creation that was left out makes the events of its pool known.
 */
const replaceByReceipts = Effect.fnUntraced(function* (parts: RangeParts, range: RangeLogs, select: SelectEvents) {
  const { reader } = parts
  const isTaken = toTaken(parts)
  const read = new Map(range.read)
  let { logs, misstated } = range
  for (;;) {
    const selected = yield* select(logs)
    const missing = findUnread(selected, read)
    if (missing.length === 0) return { ...range, logs, read, misstated, selected }
    const headers = yield* reader.headers(missing)
    for (const block of yield* reader.receipts(headers)) read.set(block.number, block)
    const stated = Map.groupBy(logs, ({ blockNumber }) => blockNumber)
    for (const number of missing) {
      const block = read.get(number)
      if (block === undefined || isSame(block.logs.filter(reader.isEvent), stated.get(number) ?? [])) continue
      misstated = Math.min(misstated ?? number, number)
    }
    logs = [
      ...logs.filter(({ blockNumber }) => !missing.includes(blockNumber)),
      ...missing.flatMap((number) => read.get(number)?.logs.filter(isTaken) ?? [])
    ].sort(compareLogs)
  }
})

/** The logs of a range, by its source. */
export const readRangeLogs = (parts: RangeParts, range: BlockRange) => {
  if (range.logSource === "receipts") return readFromReceipts(parts, range)
  return range.isFinalized ? readFinalLogs(parts.reader, range) : readLogsNearHead(parts.reader, range)
}

/**
 * The receipts of blocks with events that were not read yet: for the senders of their transactions, and for the events for
 * which no node is asked.
 */
const readOrigins = Effect.fnUntraced(function* (
  { reader, rules }: RangeParts,
  range: RangeLogs,
  select: SelectEvents
) {
  const { isCompanion } = rules.protocol
  const selected = yield* select(range.logs)
  const missing = findUnread(selected, range.read)
  const found = missing.length === 0 ? [] : yield* reader.receipts(yield* reader.headers(missing))
  const read = new Map([...range.read, ...byNumber(found)])
  const companions = isCompanion === undefined ? [] : found.flatMap(({ logs }) => logs.filter(isCompanion))
  if (companions.length === 0) return { ...range, read, selected }
  const logs = [...range.logs, ...companions].sort(compareLogs)
  return { ...range, logs, read, selected: yield* select(logs) }
})

/** The logs with the receipts of the blocks that have events, and these events. */
export const withReceipts = (parts: RangeParts, { logSource }: BlockRange, logs: RangeLogs, select: SelectEvents) =>
  logSource === "logs-and-receipts" ? replaceByReceipts(parts, logs, select) : readOrigins(parts, logs, select)
