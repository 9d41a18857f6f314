import { Predicate } from "effect"
import { RlpWriter, sizeOfHex, sizeOfList, sizeOfQuantity } from "./Rlp.ts"

/** A log of a receipt: hex in lower case. */
export interface ReceiptLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

/** A receipt as `eth_getBlockReceipts` and `eth_getTransactionReceipt` return it: hex in lower case. */
export interface Receipt {
  readonly type: number
  /** The status, or before Byzantium the state root. */
  readonly outcome: { readonly status: string } | { readonly root: string }
  readonly cumulativeGasUsed: string
  readonly logsBloom: string
  readonly logs: ReadonlyArray<ReceiptLog>
  readonly transactionHash: string
  readonly blockHash: string
  /** The sender. No header commits to it. */
  readonly from: string
  /** Of deposits of OP chains: both are part of the encoding since Canyon, where the version is stated. */
  readonly deposit: { readonly nonce: string; readonly version: string } | undefined
}

/** An even number of digits is checked apart: that is faster than a group in the expression. */
const bytes = /^0x[0-9a-f]*$/
const quantity = /^0x[0-9a-f]{1,64}$/

const read = (value: unknown, form: RegExp, digits?: number): string | undefined => {
  if (typeof value !== "string" || (digits !== undefined && value.length !== digits + 2)) return undefined
  if (form === bytes && value.length % 2 !== 0) return undefined
  if (form.test(value)) return value
  const lower = value.toLowerCase()
  return form.test(lower) ? lower : undefined
}

const readLog = (value: unknown): ReceiptLog | undefined => {
  if (!Predicate.isObject(value) || !Array.isArray(value["topics"])) return undefined
  const address = read(value["address"], bytes, 40)
  const data = read(value["data"], bytes)
  const topics = value["topics"].flatMap((topic) => read(topic, bytes, 64) ?? [])
  return address === undefined || data === undefined || topics.length !== value["topics"].length
    ? undefined
    : { address, topics, data }
}

const readOutcome = (value: Readonly<Record<string, unknown>>): Receipt["outcome"] | undefined => {
  const status = read(value["status"], quantity)
  if (status !== undefined) return { status }
  const root = read(value["root"], bytes, 64)
  return root === undefined ? undefined : { root }
}

const readDeposit = (value: Readonly<Record<string, unknown>>): Receipt["deposit"] => {
  const nonce = read(value["depositNonce"], quantity)
  const version = read(value["depositReceiptVersion"], quantity)
  return nonce === undefined || version === undefined ? undefined : { nonce, version }
}

/** Undefined if a member that the encoding needs is missing or malformed. */
export const readReceipt = (value: unknown): Receipt | undefined => {
  if (!Predicate.isObject(value)) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const type = fields["type"] === undefined ? "0x0" : read(fields["type"], quantity)
  const outcome = readOutcome(fields)
  const cumulativeGasUsed = read(fields["cumulativeGasUsed"], quantity)
  const logsBloom = read(fields["logsBloom"], bytes, 512)
  const transactionHash = read(fields["transactionHash"], bytes, 64)
  const blockHash = read(fields["blockHash"], bytes, 64)
  const from = read(fields["from"], bytes, 40)
  if (type === undefined || outcome === undefined || cumulativeGasUsed === undefined) return undefined
  if (logsBloom === undefined || transactionHash === undefined || blockHash === undefined) return undefined
  if (from === undefined || !Array.isArray(fields["logs"])) return undefined
  const logs = fields["logs"].flatMap((log) => readLog(log) ?? [])
  if (logs.length !== fields["logs"].length) return undefined
  return {
    type: Number(type),
    outcome,
    cumulativeGasUsed,
    logsBloom,
    logs,
    transactionHash,
    blockHash,
    from,
    deposit: readDeposit(fields)
  }
}

/** The sizes of the items of a log, and of those of its topics. */
const measureLog = ({ data, topics }: ReceiptLog) => {
  const ofTopics = 33 * topics.length
  return { ofTopics, items: 21 + sizeOfList(ofTopics) + sizeOfHex(data) }
}

const writeLog = (writer: RlpWriter, log: ReceiptLog): void => {
  const { items, ofTopics } = measureLog(log)
  writer.list(items)
  writer.hex(log.address)
  writer.list(ofTopics)
  for (const topic of log.topics) writer.hex(topic)
  writer.hex(log.data)
}

const depositType = 0x7e

/**
 * Transaction types whose receipts are encoded as type byte and standard receipt: EIP-2930, 1559, 4844 and 7702, deposits
 * of OP chains, and the types of Arbitrum (deposit, unsigned, contract, retry, submit retryable, internal, legacy).
 */
const typed: ReadonlySet<number> = new Set([1, 2, 3, 4, depositType, 0x64, 0x65, 0x66, 0x68, 0x69, 0x6a, 0x78])

/** Whether the encoding of receipts of this type is known. */
export const isKnownType = (type: number): boolean => type === 0 || typed.has(type)

/**
 * The receipt to which a header's `receiptsRoot` commits: RLP of status or root, cumulative gas, bloom and logs, behind the type for
 * typed transactions (EIP-2718).
 */
export const encodeReceipt = ({ cumulativeGasUsed, deposit, logs, logsBloom, outcome, type }: Receipt): Uint8Array => {
  const stated = type === depositType ? deposit : undefined
  let ofLogs = 0
  for (const log of logs) ofLogs += sizeOfList(measureLog(log).items)
  const items =
    ("status" in outcome ? sizeOfQuantity(outcome.status) : sizeOfHex(outcome.root)) +
    sizeOfQuantity(cumulativeGasUsed) +
    sizeOfHex(logsBloom) +
    sizeOfList(ofLogs) +
    (stated === undefined ? 0 : sizeOfQuantity(stated.nonce) + sizeOfQuantity(stated.version))
  const writer = new RlpWriter((type === 0 ? 0 : 1) + sizeOfList(items))
  if (type !== 0) writer.byte(type)
  writer.list(items)
  if ("status" in outcome) writer.quantity(outcome.status)
  else writer.hex(outcome.root)
  writer.quantity(cumulativeGasUsed)
  writer.hex(logsBloom)
  writer.list(ofLogs)
  for (const log of logs) writeLog(writer, log)
  if (stated !== undefined) {
    writer.quantity(stated.nonce)
    writer.quantity(stated.version)
  }
  return writer.bytes
}
