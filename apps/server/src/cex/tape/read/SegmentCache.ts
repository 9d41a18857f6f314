import { createHash } from "node:crypto"
import { LruMap } from "../../../internal/LruMap.ts"
import { tradeJson } from "../../CexJson.ts"
import type { SerializedRows } from "../../CexJson.ts"
import type { Position } from "../ledger/Coverage.ts"
import type { SequenceRange, TapeTrade } from "../Tape.ts"

/** Sequences per segment: segment `n` starts at `n * segmentSize`. */
export const segmentSize = 1000

/**
 * Neighbouring trades of a tape, all of their sequences, in response order. They never change, so they are serialized
 * once for all responses that contain them.
 */
export interface Segment extends SerializedRows, SequenceRange {
  readonly first: Position
  readonly last: Position
  /** The end of each row in the bytes. */
  readonly ends: Uint32Array
  /** Unix milliseconds of each row. */
  readonly times: Float64Array
}

const encoder = new TextEncoder()

const getDigest = (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest()

const isBefore = (left: Position, right: Position): boolean =>
  left.timestamp < right.timestamp || (left.timestamp === right.timestamp && left.sequence < right.sequence)

/** Whether all rows of one come before all rows of the other. */
export const precedes = (left: Segment, right: Segment): boolean => isBefore(left.last, right.first)

/** The segment of these trades, which are in response order; undefined unless they have all of its sequences. */
export const writeSegment = (from: number, to: number, trades: ReadonlyArray<TapeTrade>): Segment | undefined => {
  const first = trades[0]
  const last = trades.at(-1)
  const isWhole = trades.length === to - from + 1 && trades.every(({ sequence }) => sequence >= from && sequence <= to)
  if (!isWhole || first === undefined || last === undefined) return undefined
  const rows = trades.map((trade) => "," + tradeJson(trade))
  const text = rows.join("")
  const bytes = encoder.encode(text)
  const isAscii = bytes.length === text.length
  const ends = new Uint32Array(rows.length)
  let end = 0
  for (const [at, row] of rows.entries()) {
    end += isAscii ? row.length : Buffer.byteLength(row)
    ends[at] = end
  }
  const times = Float64Array.from(trades, ({ timestamp }) => timestamp)
  return { from, to, bytes, digest: getDigest(bytes), first, last, ends, times }
}

/** The last `rows` rows. */
export const takeLastRows = (segment: Segment, rows: number): SerializedRows => {
  const { bytes, ends } = segment
  if (rows >= ends.length) return segment
  const cut = bytes.subarray(ends[ends.length - rows - 1])
  return { bytes: cut, digest: getDigest(cut) }
}

const getSize = ({ bytes, ends, times }: Segment): number => bytes.length + ends.byteLength + times.byteLength

/** Segments in memory, up to a number of bytes. */
export class SegmentCache {
  readonly #segments: LruMap<string, Segment>

  constructor(maxBytes: number) {
    this.#segments = new LruMap({ weight: { max: maxBytes, of: getSize } })
  }

  /** The segment by its number in a series, if it is cached with exactly these sequences. */
  get(series: number, number: number, bounds: SequenceRange): Segment | undefined {
    const found = this.#segments.get(`${series} ${number}`)
    return found?.from === bounds.from && found.to === bounds.to ? found : undefined
  }

  put(series: number, number: number, segment: Segment): void {
    this.#segments.set(`${series} ${number}`, segment)
  }
}
