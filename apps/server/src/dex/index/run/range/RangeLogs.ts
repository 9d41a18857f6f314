import { Effect } from "effect"
import type { Result } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import type { LinkedRange } from "../../chain/HeaderReads.ts"
import type { LogRangeError } from "../../chain/LogReads.ts"
import type { BlockIdentity } from "../../decode/ChainFacts.ts"
import { compareLogs } from "../../decode/RpcLog.ts"
import type { BlockLog } from "../../decode/RpcLog.ts"
import type { BlockProof } from "../../IndexedBlock.ts"
import type { Checkpoint } from "../../store/EntityStore.ts"
import type { ReadBlock } from "../../verify/Receipts.ts"
import type { BlockPlans } from "./BlockPlan.ts"

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

/** Plans the blocks of logs; a sentence if the logs contradict each other. */
export type PlanBlocks = (logs: ReadonlyArray<BlockLog>) => Result.Result<BlockPlans, string>

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
 * Reads the receipts of the blocks that `plan` names, and replaces their logs by those of the receipts, until it names no
 * other block: a creation that was left out makes the events of its pool known.
 */
const replaceByReceipts = Effect.fnUntraced(function* (parts: RangeParts, range: RangeLogs, plan: PlanBlocks) {
  const { reader } = parts
  const isTaken = toTaken(parts)
  const read = new Map(range.read)
  let { logs, misstated } = range
  for (;;) {
    const { plans } = yield* Effect.mapError(Effect.fromResult(plan(logs)), reader.bad)
    const missing = plans.map(({ number }) => number).filter((number) => !read.has(number))
    if (missing.length === 0) return { ...range, logs, read, misstated }
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
 * The receipts of planned blocks that were not read yet: for the senders of their transactions, and for the events for
 * which no node is asked.
 */
const readOrigins = Effect.fnUntraced(function* (
  { reader, rules }: RangeParts,
  { read, ...range }: RangeLogs,
  plan: PlanBlocks
) {
  const { isCompanion } = rules.protocol
  const { plans } = yield* Effect.mapError(Effect.fromResult(plan(range.logs)), reader.bad)
  const missing = plans.map(({ number }) => number).filter((number) => !read.has(number))
  const found = missing.length === 0 ? [] : yield* reader.receipts(yield* reader.headers(missing))
  const companions = isCompanion === undefined ? [] : found.flatMap(({ logs }) => logs.filter(isCompanion))
  const logs = companions.length === 0 ? range.logs : [...range.logs, ...companions].sort(compareLogs)
  return { ...range, logs, read: new Map([...read, ...byNumber(found)]) }
})

/** The logs with the receipts of the planned blocks. */
export const withReceipts = (parts: RangeParts, { logSource }: BlockRange, logs: RangeLogs, plan: PlanBlocks) =>
  logSource === "logs-and-receipts" ? replaceByReceipts(parts, logs, plan) : readOrigins(parts, logs, plan)
