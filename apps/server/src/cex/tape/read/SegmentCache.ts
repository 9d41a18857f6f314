import { LruMap } from "../../../internal/LruMap.ts"
import type { SequenceRange } from "../Tape.ts"
import type { Segment } from "./Segment.ts"

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
