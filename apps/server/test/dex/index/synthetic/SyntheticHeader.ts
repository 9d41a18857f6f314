import { keccak_256 as keccak } from "@noble/hashes/sha3.js"
import { hashHeader } from "../../../../src/dex/index/verify/BlockHeader.ts"
import { encodeReceipt } from "../../../../src/dex/index/verify/Receipts.ts"
import { orderedTrieRoot, toHex } from "../../../../src/dex/index/verify/Rlp.ts"

interface Log {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly data: string
}

interface Contents {
  readonly number: number
  readonly parentHash: string
  readonly timestamp: number
  /** Blocks of other seeds have other hashes. */
  readonly seed: number
  /** A transaction for each. */
  readonly logs: ReadonlyArray<Log>
}

/** A header as JSON-RPC describes it, with its hash. */
export type SyntheticHeader = Readonly<Record<string, string>> & { readonly hash: string }

const hex = (value: number) => `0x${value.toString(16)}`
/** The bloom of addresses and topics, by the yellow paper: three bits of 2048 for each. */
const toBloom = (values: ReadonlyArray<string>): string => {
  let bloom = 0n
  for (const value of values) {
    const hash = Buffer.from(keccak(Buffer.from(value.slice(2), "hex")))
    for (const at of [0, 2, 4]) bloom |= 1n << BigInt(hash.readUInt16BE(at) % 2048)
  }
  return `0x${bloom.toString(16).padStart(512, "0")}`
}

const zeros = (bytes: number) => `0x${"00".repeat(bytes)}`

/** The members of a receipt that its encoding needs. */
export const receiptFields = ({ address, data, topics }: Log, index: number) => ({
  type: "0x2",
  status: "0x1",
  cumulativeGasUsed: hex(21_000 * (index + 1)),
  logsBloom: toBloom([address, ...topics]),
  logs: [{ address, topics, data }]
})

/** Commits to one receipt for each log. */
export const makeHeader = ({ logs, number, parentHash, seed, timestamp }: Contents): SyntheticHeader => {
  const receipts = logs.map((log, index) =>
    encodeReceipt({
      ...receiptFields(log, index),
      type: 2,
      outcome: { status: "0x1" },
      transactionHash: zeros(32),
      blockHash: zeros(32),
      from: zeros(20),
      deposit: undefined
    })
  )
  const fields = {
    parentHash,
    sha3Uncles: zeros(32),
    miner: zeros(20),
    stateRoot: zeros(32),
    transactionsRoot: zeros(32),
    receiptsRoot: toHex(orderedTrieRoot(keccak, receipts)),
    logsBloom: toBloom(logs.flatMap(({ address, topics }) => [address, ...topics])),
    difficulty: "0x0",
    number: hex(number),
    gasLimit: "0x1c9c380",
    gasUsed: hex(21_000 * logs.length),
    timestamp: hex(timestamp),
    extraData: `0x${seed.toString(16).padStart(16, "0")}`,
    mixHash: zeros(32),
    nonce: zeros(8),
    baseFeePerGas: "0x7"
  }
  return { ...fields, hash: hashHeader(keccak, fields) ?? "" }
}
