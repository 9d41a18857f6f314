import { Effect, Schema } from "effect"
import { decodeBlock, toSourceBlock } from "../../../blocks/rpc/RpcBlock.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { Keccak } from "./Keccak.ts"
import { toBytes, encodeBytes, encodeList, toHex, toQuantityBytes } from "./Rlp.ts"

type Kind = "bytes" | "quantity"

/** The fields that every header has, in their order (yellow paper, section 4.3). */
const always: ReadonlyArray<readonly [name: string, kind: Kind]> = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "quantity"],
  ["number", "quantity"],
  ["gasLimit", "quantity"],
  ["gasUsed", "quantity"],
  ["timestamp", "quantity"],
  ["extraData", "bytes"],
  ["mixHash", "bytes"],
  ["nonce", "bytes"]
]

/** The fields that forks added, in their order: London, Shanghai, Cancun (three), Prague. A header has the first n. */
const added: ReadonlyArray<readonly [name: string, kind: Kind]> = [
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"]
]

const encode = (value: unknown, kind: Kind): Uint8Array | undefined => {
  if (typeof value !== "string" || !/^0x[0-9a-f]*$/i.test(value)) return undefined
  if (kind === "quantity") return encodeBytes(toQuantityBytes(value))
  return value.length % 2 === 0 ? encodeBytes(toBytes(value)) : undefined
}

/** The hash of a header as JSON-RPC describes it; undefined if a standard field is missing. */
export const hashHeader = (keccak: Keccak, header: Readonly<Record<string, unknown>>): string | undefined => {
  const items: Array<Uint8Array> = []
  for (const [name, kind] of always) {
    const item = encode(header[name], kind)
    if (item === undefined) return undefined
    items.push(item)
  }
  for (const [name, kind] of added) {
    if (header[name] === undefined || header[name] === null) break
    const item = encode(header[name], kind)
    if (item === undefined) return undefined
    items.push(item)
  }
  return toHex(keccak(encodeList(items)))
}

/** Members of a block that its hash does not cover, or covers by another field. */
const others = ["hash", "size", "totalDifficulty", "transactions", "uncles", "withdrawals"]
const standard: ReadonlySet<string> = new Set([...always, ...added].map(([name]) => name).concat(others))

/** Whether the block has members that the standard encoding does not have: its chain may hash them, too. */
const hasUnknownFields = (header: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(header).some((name) => !standard.has(name))

/** A header with what it commits to. */
export interface BlockHeader extends BlockIdentity {
  /** Undefined if the node states none. */
  readonly receiptsRoot: string | undefined
  readonly logsBloom: Uint8Array | undefined
  /** The hashes of the transactions, in order. The header commits to the transactions, not to this list. */
  readonly transactions: ReadonlyArray<string>
  /**
   * Whether the fields hash to `hash`: "unknown" where they do not, and the chain may hash other fields than the standard
   * ones.
   */
  readonly hashCheck: "passed" | "failed" | "unknown"
  /** Whether standard fields are missing. */
  readonly lacksFields: boolean
}

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const Commitments = Schema.Struct({
  receiptsRoot: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/i))),
  logsBloom: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{512}$/i))),
  transactions: Schema.optionalKey(
    Schema.Array(Schema.Union([Schema.String, Schema.Struct({ hash: Schema.String, from: Schema.String })]))
  )
})
const decodeFields = Schema.decodeUnknownEffect(Fields)
const decodeCommitments = Schema.decodeUnknownEffect(Commitments)

/** Decodes a block of `eth_getBlockByNumber`, with or without whole transactions. */
export const readHeader = Effect.fnUntraced(function* (
  keccak: Keccak,
  reply: unknown
): Effect.fn.Return<BlockHeader, Schema.SchemaError> {
  const { hash, number, parentHash, timestamp } = toSourceBlock(yield* decodeBlock(reply))
  const { logsBloom, receiptsRoot, transactions = [] } = yield* decodeCommitments(reply)
  const fields = yield* decodeFields(reply)
  const hashed = hashHeader(keccak, fields)
  return {
    number,
    hash,
    parentHash,
    timestamp,
    receiptsRoot: receiptsRoot?.toLowerCase(),
    logsBloom: logsBloom === undefined ? undefined : toBytes(logsBloom),
    transactions: transactions.map((one) => (typeof one === "string" ? one : one.hash).toLowerCase()),
    hashCheck: hashed === hash ? "passed" : hasUnknownFields(fields) ? "unknown" : "failed",
    lacksFields: hashed === undefined
  }
})

const bloomBytes = 256

/** The three bits of 2048 that a value sets, as byte and mask (yellow paper, section 4.3.1). */
type Bits = ReadonlyArray<readonly [byte: number, mask: number]>

const toBits = (keccak: Keccak, hex: string): Bits => {
  const hash = keccak(toBytes(hex))
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) + (hash[at + 1] ?? 0)) & 2047
    return [bloomBytes - 1 - (bit >> 3), 1 << (bit & 7)] as const
  })
}

const maxKnown = 500_000

/** Tests blooms. Remembers the bits of values, because the same addresses are tested with every block. */
export const makeBloomTest = (keccak: Keccak) => {
  const known = new Map<string, Bits>()
  const getBits = (hex: string): Bits => {
    const found = known.get(hex)
    if (found !== undefined) return found
    const bits = toBits(keccak, hex)
    if (known.size < maxKnown) known.set(hex, bits)
    return bits
  }
  /** Whether a log with this address or topic may be in the block. False proves that there is none. */
  return (bloom: Uint8Array, hex: string): boolean =>
    getBits(hex).every(([byte, mask]) => ((bloom[byte] ?? 0) & mask) !== 0)
}
