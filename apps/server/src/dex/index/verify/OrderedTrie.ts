import type { Keccak } from "./Keccak.ts"
import { encodeBytes, encodeList, toQuantityBytes } from "./Rlp.ts"
import type { Rlp } from "./Rlp.ts"

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
