import { Predicate, Result } from "effect"
import type { ChainLog } from "./ChainEvents.ts"

/** A log and the block that it claims to belong to. */
export interface BlockLog extends ChainLog {
  readonly blockHash: string
}

const hash = /^0x[0-9a-f]{64}$/i
const address = /^0x[0-9a-f]{40}$/i
const bytes = /^0x([0-9a-f]{2})*$/i
const quantity = /^0x(0|[1-9a-f][0-9a-f]{0,12})$/i

const is = (form: RegExp, value: unknown): value is string => typeof value === "string" && form.test(value)

const isWithoutRemoval = (removed: unknown): boolean => removed === undefined || removed === null || removed === false

const getTopics = (value: unknown): ReadonlyArray<string> | undefined => {
  if (!Array.isArray(value)) return undefined
  const topics: Array<string> = []
  for (const topic of value) {
    if (!is(hash, topic)) return undefined
    topics.push(topic.toLowerCase())
  }
  return topics
}

const removedLogs = "answered with logs that a reorg removed"

const without = (field: string): string => `answered with a log without a valid "${field}"`

/** A log, or what is wrong with it. Decoded by hand, because a busy chain returns more logs than anything else. */
const readLog = (log: unknown): BlockLog | string => {
  if (!Predicate.isObject(log)) return "answered with something that is no log"
  const { address: of, blockHash, blockNumber, data, logIndex, removed, transactionHash } = log
  const topics = getTopics(log["topics"])
  if (topics === undefined) return without("topics")
  if (!is(address, of)) return without("address")
  if (!is(bytes, data)) return without("data")
  if (!is(quantity, blockNumber)) return without("blockNumber")
  if (!is(quantity, logIndex)) return without("logIndex")
  if (!is(hash, blockHash)) return without("blockHash")
  if (!is(hash, transactionHash)) return without("transactionHash")
  if (!isWithoutRemoval(removed)) return removed === true ? removedLogs : without("removed")
  return {
    address: of.toLowerCase(),
    topics,
    data: data.toLowerCase(),
    blockNumber: Number(blockNumber),
    blockHash: blockHash.toLowerCase(),
    transactionHash: transactionHash.toLowerCase(),
    logIndex: Number(logIndex)
  }
}

/** Sorts logs in the order of the chain. */
export const compareLogs = (a: BlockLog, b: BlockLog): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex

/** The first inconsistency in a list of ordered logs; undefined if there is none. */
const toFault = (logs: ReadonlyArray<BlockLog>, from: number, to: number): string | undefined => {
  let previous: BlockLog | undefined
  for (const log of logs) {
    if (log.blockNumber < from || log.blockNumber > to) {
      return `answered with a log of block ${log.blockNumber}, where ${from} to ${to} were asked for`
    }
    if (previous?.blockNumber === log.blockNumber) {
      if (previous.logIndex === log.logIndex) return `answered twice with a log of block ${log.blockNumber}`
      if (previous.blockHash !== log.blockHash) return `answered with logs of two branches for block ${log.blockNumber}`
    }
    previous = log
  }
  return undefined
}

/**
 * The logs of `eth_getLogs` in chain order. Fails with a description if the response is malformed, contains a log that
 * a reorg removed, a log outside the range, a log twice, or two hashes for one block.
 */
export const readLogs = (reply: unknown, from: number, to: number): Result.Result<ReadonlyArray<BlockLog>, string> => {
  if (!Array.isArray(reply)) return Result.fail("answered with something that is no list of logs")
  const logs: Array<BlockLog> = []
  let isRemoved = false
  for (const item of reply) {
    const log = readLog(item)
    if (log === removedLogs) isRemoved = true
    else if (typeof log === "string") return Result.fail(log)
    else logs.push(log)
  }
  if (isRemoved) return Result.fail(removedLogs)
  logs.sort(compareLogs)
  const fault = toFault(logs, from, to)
  return fault === undefined ? Result.succeed(logs) : Result.fail(fault)
}
