import type { Keccak } from "./Keccak.ts"

// RLP, and the tries whose keys and nodes are encoded by it: how a header commits to its receipts.

/** An encoded item or list. */
type Rlp = Uint8Array

/** The number of bytes of a length. */
const getLengthSize = (length: number): number =>
  length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4

/** Writes a prefix. `short` is that of an empty item. Returns the offset after it. */
const writePrefix = (into: Uint8Array, offset: number, short: number, length: number): number => {
  if (length < 56) {
    into[offset] = short + length
    return offset + 1
  }
  const size = getLengthSize(length)
  into[offset] = short + 55 + size
  for (let at = 0; at < size; at++) into[offset + 1 + at] = (length >>> (8 * (size - 1 - at))) & 0xff
  return offset + 1 + size
}

const prefixSize = (length: number): number => (length < 56 ? 1 : 1 + getLengthSize(length))

/** RLP of a byte string (Ethereum yellow paper, appendix B). */
export const encodeBytes = (bytes: Uint8Array): Rlp => {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes
  const encoded = new Uint8Array(prefixSize(bytes.length) + bytes.length)
  encoded.set(bytes, writePrefix(encoded, 0, 0x80, bytes.length))
  return encoded
}

/** RLP of a list whose items are encoded already. */
export const encodeList = (items: ReadonlyArray<Rlp>): Rlp => {
  let length = 0
  for (const item of items) length += item.length
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = writePrefix(encoded, 0, 0xc0, length)
  for (const item of items) {
    encoded.set(item, offset)
    offset += item.length
  }
  return encoded
}

/** The bytes of `0x` and an even number of hexadecimal digits. */
export const toBytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), "hex")

/** The bytes of a quantity of JSON-RPC without leading zeros: 0 is empty. */
export const toQuantityBytes = (quantity: string): Uint8Array => {
  const digits = quantity.slice(2).replace(/^0+/, "")
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")
}

export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`

/** The size of an encoded list of these items. */
export const getListSize = (length: number): number => prefixSize(length) + length

/** The index of the first digit of a quantity that is not zero. */
const findFirstDigit = (quantity: string): number => {
  let at = 2
  while (quantity.charCodeAt(at) === 0x30) at++
  return at
}

const toDigit = (code: number): number => (code < 0x3a ? code - 0x30 : (code | 0x20) - 0x57)

/** The size of the encoding of `0x` and an even number of digits. */
export const getHexSize = (hex: string): number => {
  const length = (hex.length - 2) / 2
  if (length !== 1) return getListSize(length)
  return toDigit(hex.charCodeAt(2)) < 8 ? 1 : 2
}

/** The size of an encoded quantity. */
export const getQuantitySize = (quantity: string): number => {
  const at = findFirstDigit(quantity)
  const digits = quantity.length - at
  if (digits < 2) return 1
  return digits === 2 && toDigit(quantity.charCodeAt(at)) < 8 ? 1 : 1 + Math.ceil(digits / 2)
}

/**
 * Encodes into one array of known size: a receipt has dozens of items, and an array for each of them takes most of the time
 * of a proof. The hexadecimal digits must have been checked.
 */
export class RlpWriter {
  readonly bytes: Uint8Array
  #at = 0

  constructor(size: number) {
    this.bytes = new Uint8Array(size)
  }

  byte(value: number): void {
    this.bytes[this.#at++] = value
  }

  /** Begins a list of items of this size in all. */
  list(length: number): void {
    this.#at = writePrefix(this.bytes, this.#at, 0xc0, length)
  }

  hex(hex: string): void {
    const length = (hex.length - 2) / 2
    if (getHexSize(hex) > 1 || length === 0) this.#at = writePrefix(this.bytes, this.#at, 0x80, length)
    this.#digits(hex, 2)
  }

  quantity(quantity: string): void {
    const at = findFirstDigit(quantity)
    const length = Math.ceil((quantity.length - at) / 2)
    if (getQuantitySize(quantity) > 1 || length === 0) this.#at = writePrefix(this.bytes, this.#at, 0x80, length)
    if ((quantity.length - at) % 2 === 1) this.byte(toDigit(quantity.charCodeAt(at)))
    this.#digits(quantity, (quantity.length - at) % 2 === 1 ? at + 1 : at)
  }

  #digits(hex: string, from: number): void {
    const { bytes } = this
    let at = this.#at
    for (let index = from; index < hex.length; index += 2) {
      bytes[at++] = (toDigit(hex.charCodeAt(index)) << 4) | toDigit(hex.charCodeAt(index + 1))
    }
    this.#at = at
  }
}

/** A value of a trie. */
interface Leaf {
  /** The key's nibbles. */
  readonly path: Uint8Array
  readonly value: Uint8Array
}

/** The hex-prefix encoding of a path (yellow paper, appendix C). */
const encodePath = (path: Uint8Array, isLeaf: boolean): Rlp => {
  const isOdd = path.length % 2 === 1
  const bytes = new Uint8Array(1 + Math.floor(path.length / 2))
  bytes[0] = (isLeaf ? 0x20 : 0) + (isOdd ? 0x10 + (path[0] ?? 0) : 0)
  for (let at = isOdd ? 1 : 0, out = 1; at < path.length; at += 2, out++) {
    bytes[out] = (path[at] ?? 0) * 16 + (path[at + 1] ?? 0)
  }
  return encodeBytes(bytes)
}

/** How a parent refers to a node: short nodes are embedded, longer ones are named by their hash. */
const toReference = (keccak: Keccak, node: Rlp): Rlp => (node.length < 32 ? node : encodeBytes(keccak(node)))

const empty = encodeBytes(new Uint8Array(0))

/** The number of nibbles that all leaves share from `depth` on. Leaves are sorted: the first and the last decide. */
const sharedLength = (leaves: ReadonlyArray<Leaf>, depth: number): number => {
  const first = leaves[0]?.path ?? new Uint8Array(0)
  const last = leaves.at(-1)?.path ?? first
  let shared = depth
  while (shared < first.length && shared < last.length && first[shared] === last[shared]) shared++
  return shared - depth
}

const encodeBranch = (keccak: Keccak, leaves: ReadonlyArray<Leaf>, depth: number): Rlp => {
  const items = Array.from({ length: 17 }, () => empty)
  let start = 0
  while (start < leaves.length) {
    const nibble = leaves[start]?.path[depth]
    let end = start + 1
    while (end < leaves.length && leaves[end]?.path[depth] === nibble) end++
    // No key of an ordered trie is the beginning of another one, so that a branch has no value of its own.
    items[nibble ?? 16] = toReference(keccak, encodeNode(keccak, leaves.slice(start, end), depth + 1))
    start = end
  }
  return encodeList(items)
}

/** The node of these leaves, which are sorted by path and share the first `depth` nibbles. */
const encodeNode = (keccak: Keccak, leaves: ReadonlyArray<Leaf>, depth: number): Rlp => {
  const [only] = leaves
  if (only !== undefined && leaves.length === 1) {
    return encodeList([encodePath(only.path.subarray(depth), true), encodeBytes(only.value)])
  }
  const shared = sharedLength(leaves, depth)
  if (shared === 0 || only === undefined) return encodeBranch(keccak, leaves, depth)
  return encodeList([
    encodePath(only.path.subarray(depth, depth + shared), false),
    toReference(keccak, encodeBranch(keccak, leaves, depth + shared))
  ])
}

const toNibbles = (bytes: Uint8Array): Uint8Array => {
  const nibbles = new Uint8Array(bytes.length * 2)
  for (const [at, byte] of bytes.entries()) {
    nibbles[2 * at] = byte >> 4
    nibbles[2 * at + 1] = byte & 15
  }
  return nibbles
}

const toKey = (index: number): Uint8Array => toNibbles(encodeBytes(toQuantityBytes(`0x${index.toString(16)}`)))

const comparePaths = ({ path: a }: Leaf, { path: b }: Leaf): number => {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const order = (a[at] ?? 0) - (b[at] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/**
 * The root of the Merkle Patricia trie that maps the RLP of each index to its value: how a header commits to receipts
 * and transactions (yellow paper, section 4.3.2).
 */
export const orderedTrieRoot = (keccak: Keccak, values: ReadonlyArray<Uint8Array>): Uint8Array =>
  values.length === 0
    ? keccak(empty)
    : keccak(encodeNode(keccak, values.map((value, index) => ({ path: toKey(index), value })).sort(comparePaths), 0))
