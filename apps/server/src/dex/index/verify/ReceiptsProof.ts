import { Result } from "effect"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import type { BlockHeader } from "./BlockHeader.ts"
import type { Keccak } from "./Keccak.ts"
import { orderedTrieRoot } from "./OrderedTrie.ts"
import { encodeReceipt, isKnownType } from "./ReceiptEncoding.ts"
import type { Receipt } from "./ReceiptEncoding.ts"
import { toHex } from "./Rlp.ts"

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

/**
 * The logs of a block from its receipts. Fails with a description if the receipts are not those to which the header
 * commits. The block is not verified if the header's hash, or the encoding of a receipt, has a form that is not known, or
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
  const isBound = isProven && header.isHashed === true && receiptsRoot !== undefined
  const proven = isBound ? findCommitted(keccak, receipts, receiptsRoot) : undefined
  if (isBound && proven === undefined && receipts.every(({ type }) => isKnownType(type))) {
    return Result.fail(`answered with receipts of block ${number} that do not hash to the receipts root of its header`)
  }
  if (proven?.every(({ transactionHash }, index) => transactionHash === transactions[index]) === false) {
    return Result.fail(`answered with receipts of other transactions than those of block ${number}`)
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
