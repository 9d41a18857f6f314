import type { Keccak } from "./Keccak.ts"
import { encodeBytes, encodeList, toBytes, toHex, toQuantityBytes } from "./Rlp.ts"

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

/** The hash of a header as JSON-RPC describes it; undefined if a field of the standard form is missing. */
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

/** Whether the block has members that the standard form does not have: its chain may hash them, too. */
export const hasUnknownFields = (header: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(header).some((name) => !standard.has(name))
