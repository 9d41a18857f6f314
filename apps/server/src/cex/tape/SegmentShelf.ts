import type { Segment } from "./Segment.ts"

/** Segments in memory, up to so many bytes. The one that nobody wanted for the longest time is given up first. */
export class SegmentShelf {
  readonly #most: number
  readonly #segments = new Map<string, Segment>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The segment by its number in a series, if it is kept with these very sequences. */
  get(series: number, number: number, bounds: { readonly from: number; readonly to: number }): Segment | undefined {
    const place = `${series} ${number}`
    const found = this.#segments.get(place)
    if (found === undefined || found.from !== bounds.from || found.to !== bounds.to) return undefined
    this.#segments.delete(place)
    this.#segments.set(place, found)
    return found
  }

  put(series: number, number: number, segment: Segment): void {
    const place = `${series} ${number}`
    this.#remove(place)
    this.#segments.set(place, segment)
    this.#bytes += sizeOf(segment)
    for (const oldest of this.#segments.keys()) {
      if (this.#bytes <= this.#most) break
      this.#remove(oldest)
    }
  }

  #remove(place: string): void {
    const found = this.#segments.get(place)
    if (found === undefined) return
    this.#segments.delete(place)
    this.#bytes -= sizeOf(found)
  }
}

const sizeOf = ({ bytes, ends, times }: Segment): number => bytes.length + ends.byteLength + times.byteLength
