/**
 * The trades that a reader has read since a time, in at most 100 bytes: their ids if they are few or follow each other,
 * otherwise a sketch, from which the trades that were added later can be found among all.
 *
 * The sketch is an invertible Bloom lookup table (Goodrich and Mitzenmacher, 2011): each id is added to three cells, so
 * that the difference of two sketches names the few ids that only one of them has.
 */
import { type ByteReader, type ByteWriter, hash32 } from "../pagination/bytes.ts"

const idBytes = 5
const maxHashes = 16
const maxRanges = 8
const cellsPerId = 3
const cellsPerGroup = 5
const cells = cellsPerId * cellsPerGroup

/** 40 bits of an id, as two numbers, and its cells: one in each group. */
const getDigest = (id: string) => {
  const low = hash32(id)
  const high = hash32(id, 0x2f0b4c47) >>> 24
  const chosen = hash32(id, 0x51ed270b)
  const inCell = (group: number) =>
    group * cellsPerGroup + (Math.floor(chosen / cellsPerGroup ** group) % cellsPerGroup)
  return { low, high, cells: [inCell(0), inCell(1), inCell(2)] }
}

const toKey = ({ high, low }: { readonly high: number; readonly low: number }) => high * 2 ** 32 + low

interface Cell {
  count: number
  low: number
  high: number
}

type Sketch = ReadonlyArray<Cell>

const emptySketch = (): Sketch => Array.from({ length: cells }, () => ({ count: 0, low: 0, high: 0 }))

const add = (sketch: Sketch, id: string, by: 1 | -1): void => {
  const digest = getDigest(id)
  for (const at of digest.cells) {
    const cell = sketch[at]
    if (cell === undefined) continue
    cell.count += by
    cell.low = (cell.low ^ digest.low) >>> 0
    cell.high ^= digest.high
  }
}

const toSketch = (ids: Iterable<string>): Sketch => {
  const sketch = emptySketch()
  for (const id of ids) add(sketch, id, 1)
  return sketch
}

/** Consecutive integers, both ends inclusive. Undefined if an id is no integer, or if there are too many ranges. */
const toRanges = (ids: ReadonlyArray<string>): ReadonlyArray<{ readonly from: number; to: number }> | undefined => {
  if (!ids.every((id) => /^(0|[1-9]\d{0,14})$/.test(id))) return undefined
  const ranges: Array<{ readonly from: number; to: number }> = []
  for (const number of ids.map(Number).sort((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last.to + 1) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges.length > maxRanges ? undefined : ranges
}

const kinds = { hashes: 0, ranges: 1, sketch: 2 } as const

export const writeKnown = (writer: ByteWriter, ids: ReadonlyArray<string>): void => {
  const { fixed, integer } = writer
  integer(ids.length)
  if (ids.length <= maxHashes) {
    integer(kinds.hashes)
    for (const id of ids) fixed(toKey(getDigest(id)), idBytes)
    return
  }
  const ranges = toRanges(ids)
  if (ranges !== undefined) {
    integer(kinds.ranges)
    integer(ranges.length)
    let before = 0
    for (const { from, to } of ranges) {
      integer(from - before)
      integer(to - from)
      before = to
    }
    return
  }
  integer(kinds.sketch)
  for (const cell of toSketch(ids)) {
    fixed(cell.count % 256, 1)
    fixed(toKey(cell), idBytes)
  }
}

/** Trades that were read. */
export interface KnownTrades {
  readonly count: number
  /** Those among all trades of the same time; undefined if the others are too many to tell. */
  readonly among: (ids: ReadonlyArray<string>) => ReadonlySet<string> | undefined
}

const hasCount = ({ count }: Cell, expected: number) => (count - expected) % 256 === 0

/** The one or two ids that a cell was left with. */
const findLeft = (cell: Cell, byKey: ReadonlyMap<number, string>): ReadonlyArray<string> => {
  if (hasCount(cell, 1)) {
    const id = byKey.get(toKey(cell))
    return id === undefined ? [] : [id]
  }
  if (!hasCount(cell, 2)) return []
  for (const id of byKey.values()) {
    const { high, low } = getDigest(id)
    const other = byKey.get(toKey({ high: high ^ cell.high, low: (low ^ cell.low) >>> 0 }))
    if (other !== undefined && other !== id) return [id, other]
  }
  return []
}

/** All ids except those that only they have: found from cells that are left with few of them. */
const withoutAdded = (ids: ReadonlyArray<string>, known: Sketch): ReadonlySet<string> | undefined => {
  const difference = toSketch(ids)
  difference.forEach((cell, at) => {
    const other = known[at]
    if (other === undefined) return
    cell.count -= other.count
    cell.low = (cell.low ^ other.low) >>> 0
    cell.high ^= other.high
  })
  const byKey = new Map(ids.map((id) => [toKey(getDigest(id)), id]))
  const found = new Set(ids)
  for (let isFound = true; isFound;) {
    isFound = false
    for (const cell of difference) {
      const added = findLeft(cell, byKey)
      if (!added.every((id) => found.has(id))) continue
      for (const id of added) {
        found.delete(id)
        add(difference, id, -1)
        isFound = true
      }
    }
  }
  return difference.every((cell) => hasCount(cell, 0) && toKey(cell) === 0) ? found : undefined
}

/** Undefined if it is malformed. */
export const readKnown = ({ fixed, integer }: ByteReader): KnownTrades | undefined => {
  const count = integer()
  const kind = integer()
  if (kind === kinds.hashes && count <= maxHashes) {
    const keys = new Set(Array.from({ length: count }, () => fixed(idBytes)))
    return { count, among: (ids) => new Set(ids.filter((id) => keys.has(toKey(getDigest(id))))) }
  }
  if (kind === kinds.ranges) {
    let before = 0
    const ranges = Array.from({ length: Math.min(integer(), maxRanges) }, () => {
      const from = before + integer()
      before = from + integer()
      return { from, to: before }
    })
    const has = (id: string) => ranges.some(({ from, to }) => from <= Number(id) && Number(id) <= to)
    return { count, among: (ids) => new Set(ids.filter(has)) }
  }
  if (kind !== kinds.sketch) return undefined
  const sketch = emptySketch()
  for (const cell of sketch) {
    cell.count = fixed(1)
    cell.low = fixed(4)
    cell.high = fixed(1)
  }
  // Without any trade of the time, none can be repeated.
  return { count, among: (ids) => (ids.length === 0 ? new Set() : withoutAdded(ids, sketch)) }
}
