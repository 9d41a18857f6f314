import { Predicate, Result } from "effect"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { BlockHeader } from "./BlockHeader.ts"
import type { Keccak } from "./Keccak.ts"
import { orderedTrieRoot, RlpWriter, getHexSize, getListSize, getQuantitySize, toBytes, toHex } from "./Rlp.ts"

/** A log of a receipt: hex in lower case. */
interface ReceiptLog {
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

/**
 * Undefined if a member that the encoding needs is missing or malformed. It is decoded by hand, because each block near the
 * head passes here: with a Schema, to read and prove a block of 564 receipts takes 15 to 19 % longer (Effect 4.1, Node.js 24).
 */
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
  return { ofTopics, items: 21 + getListSize(ofTopics) + getHexSize(data) }
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
const isKnownType = (type: number): boolean => type === 0 || typed.has(type)

/**
 * The receipt to which a header's `receiptsRoot` commits: RLP of status or root, cumulative gas, bloom and logs, after the type for
 * typed transactions (EIP-2718).
 */
export const encodeReceipt = ({ cumulativeGasUsed, deposit, logs, logsBloom, outcome, type }: Receipt): Uint8Array => {
  const stated = type === depositType ? deposit : undefined
  let ofLogs = 0
  for (const log of logs) ofLogs += getListSize(measureLog(log).items)
  const items =
    ("status" in outcome ? getQuantitySize(outcome.status) : getHexSize(outcome.root)) +
    getQuantitySize(cumulativeGasUsed) +
    getHexSize(logsBloom) +
    getListSize(ofLogs) +
    (stated === undefined ? 0 : getQuantitySize(stated.nonce) + getQuantitySize(stated.version))
  const writer = new RlpWriter((type === 0 ? 0 : 1) + getListSize(items))
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

/** A block with all of its logs. */
export interface ReadBlock extends BlockIdentity {
  readonly logs: ReadonlyArray<BlockLog>
  /** The senders of the transactions, by transaction hash. */
  readonly origins: ReadonlyMap<string, string>
  /** Whether the logs are those to which a header that hashes to `hash` commits. */
  readonly isVerified: boolean
}

const zero = `0x${"0".repeat(40)}`

/** A receipt that nodes of Polygon PoS append, and to which no header commits: the events of a state sync. */
const isStateSync = ({ cumulativeGasUsed, from, type }: Receipt): boolean =>
  type === 0 && from === zero && /^0x0*$/.test(cumulativeGasUsed)

const hashesTo = (keccak: Keccak, receipts: ReadonlyArray<Receipt>, root: string): boolean =>
  toHex(orderedTrieRoot(keccak, receipts.map(encodeReceipt))) === root

/** The receipts to which the root commits; undefined if it commits to others. */
const findCommitted = (
  keccak: Keccak,
  receipts: ReadonlyArray<Receipt>,
  root: string
): ReadonlyArray<Receipt> | undefined => {
  if (hashesTo(keccak, receipts, root)) return receipts
  const last = receipts.at(-1)
  if (last === undefined || !isStateSync(last)) return undefined
  const rest = receipts.slice(0, -1)
  return hashesTo(keccak, rest, root) ? rest : undefined
}

/** The log index counts through the block, as the header commits to the order and not to the numbers that a node states. */
const toLogs = ({ hash, number }: BlockIdentity, receipts: ReadonlyArray<Receipt>): ReadonlyArray<BlockLog> =>
  receipts
    .flatMap(({ logs, transactionHash }) => logs.map((log) => ({ ...log, transactionHash })))
    .map((log, logIndex) => ({ ...log, logIndex, blockNumber: number, blockHash: hash }))

/** A bloom of ones only states nothing: nodes of Filecoin answer it for every block. */
const statesLogs = (bloom: Uint8Array): boolean =>
  bloom.some((byte) => byte !== 0) && bloom.some((byte) => byte !== 255)

/**
 * Whether receipts that are not proven may be those of the block. None is there twice. Where the block's bloom states logs
 * and they have none, it lists no transaction, or their own blooms state none either: on Celo and ZKsync, a block may have
 * logs of no transaction.
 */
const mayBeOf = ({ logsBloom, transactions }: BlockHeader, receipts: ReadonlyArray<Receipt>): boolean => {
  if (new Set(receipts.map(({ transactionHash }) => transactionHash)).size !== receipts.length) return false
  if (logsBloom === undefined || !statesLogs(logsBloom) || receipts.some(({ logs }) => logs.length > 0)) return true
  return receipts.length === 0
    ? transactions.length === 0
    : !receipts.some((receipt) => statesLogs(toBytes(receipt.logsBloom)))
}

/**
 * The logs of a block from its receipts. Fails with a description if the receipts are not those to which the header
 * commits. The block is not verified if the header's hash, or the encoding of a receipt, is not known, or
 * without `isProven`. A type that is not known is tried in the standard encoding.
 */
export const proveReceipts = (
  keccak: Keccak,
  header: BlockHeader,
  receipts: ReadonlyArray<Receipt>,
  isProven = true
): Result.Result<ReadBlock, string> => {
  const { hash, number, parentHash, receiptsRoot, timestamp, transactions } = header
  if (!receipts.every(({ blockHash }) => blockHash === hash))
    return Result.fail(`described no receipts of block ${number}`)
  const isBound = isProven && header.hashCheck === "passed" && receiptsRoot !== undefined
  const proven = isBound ? findCommitted(keccak, receipts, receiptsRoot) : undefined
  if (isBound && proven === undefined && receipts.every(({ type }) => isKnownType(type))) {
    return Result.fail(`answered with receipts of block ${number} that do not hash to the receipts root of its header`)
  }
  if (proven?.every(({ transactionHash }, index) => transactionHash === transactions[index]) === false) {
    return Result.fail(`answered with receipts of other transactions than those of block ${number}`)
  }
  if (proven === undefined && !mayBeOf(header, receipts)) {
    return Result.fail(`answered with receipts that are not those of block ${number}`)
  }
  const used = proven ?? receipts
  return Result.succeed({
    number,
    hash,
    parentHash,
    timestamp,
    logs: toLogs(header, used),
    origins: new Map(used.map(({ from, transactionHash }) => [transactionHash, from])),
    isVerified: proven !== undefined
  })
}
