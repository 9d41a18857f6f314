import { Candles, granularities } from "./Candles.ts"
import type { Candle, Granularity } from "./Candles.ts"
import type { Trade } from "./Trade.ts"

const rowsOfSegment = 8192
const columns = 7

/** A range of trades: ids above `above` and below `below`. */
export interface Range {
  readonly above?: number | undefined
  readonly below?: number | undefined
}

/** Alterations of the tape by faults. */
export interface Altered {
  /** Hides trades after this time. */
  readonly until?: number | undefined
  /** Shifts the times of trades. */
  readonly skew?: ((time: number) => number) | undefined
}

/**
 * The tape of one product: what really happened, before faults alter it. Ids are dense, so a trade is found by
 * arithmetic. Rows are columns of integers (every one of them a safe integer, which a 64-bit float holds exactly) in
 * segments, and the oldest segment is dropped when more than `retain` rows are held.
 */
export class Journal {
  readonly #retain: number
  readonly #segments: Array<Float64Array> = []
  readonly #candles: ReadonlyMap<Granularity, Candles>
  #base: number
  #firstId: number
  #lastId: number

  /** `next` is the first trade to be appended; earlier candles are complete only if it is the very first. */
  constructor(retain: number, next?: Trade | undefined) {
    this.#retain = Math.max(retain, 1)
    this.#base = next?.tradeId ?? 1
    this.#firstId = this.#base
    this.#lastId = this.#base - 1
    const cut = next !== undefined && next.tradeId > 1 ? Math.floor(next.time / 1_000_000) + 1 : undefined
    this.#candles = new Map(granularities.map((granularity) => [granularity, new Candles(granularity, cut)]))
  }

  /** The oldest retained id. */
  get first(): number {
    return this.#firstId
  }

  /** The newest id, or 0 if nothing was traded yet. */
  get last(): number {
    return this.#lastId
  }

  append(trade: Trade): void {
    const at = trade.tradeId - this.#base
    const segment = this.#segmentFor(at)
    const offset = (at % rowsOfSegment) * columns
    segment[offset] = trade.sequence
    segment[offset + 1] = trade.time
    segment[offset + 2] = trade.side === "buy" ? 1 : 0
    segment[offset + 3] = trade.price
    segment[offset + 4] = trade.size
    segment[offset + 5] = trade.makerOrder
    segment[offset + 6] = trade.takerOrder
    this.#lastId = trade.tradeId
    for (const candles of this.#candles.values()) candles.push(trade)
    this.#evict()
  }

  get(id: number): Trade | undefined {
    if (id < this.#firstId || id > this.#lastId) return undefined
    const at = id - this.#base
    const segment = this.#segments[Math.floor(at / rowsOfSegment)]
    if (segment === undefined) return undefined
    const offset = (at % rowsOfSegment) * columns
    const column = (index: number): number => segment[offset + index] ?? 0
    return {
      tradeId: id,
      sequence: column(0),
      time: column(1),
      side: column(2) === 1 ? "buy" : "sell",
      price: column(3),
      size: column(4),
      makerOrder: column(5),
      takerOrder: column(6)
    }
  }

  /** The newest `limit` trades of the range, newest first. */
  latest(limit: number, range: Range = {}): ReadonlyArray<Trade> {
    const highest = Math.min(this.#lastId, (range.below ?? Number.POSITIVE_INFINITY) - 1)
    const lowest = Math.max(this.#firstId, (range.above ?? 0) + 1, highest - limit + 1)
    const found: Array<Trade> = []
    for (let id = highest; id >= lowest; id--) {
      const trade = this.get(id)
      if (trade !== undefined) found.push(trade)
    }
    return found
  }

  /** Up to `limit` trades from an id on, oldest first. */
  from(id: number, limit = Number.POSITIVE_INFINITY): ReadonlyArray<Trade> {
    const start = Math.max(id, this.#firstId)
    const end = Math.min(this.#lastId, start + limit - 1)
    return this.latest(Number.POSITIVE_INFINITY, { above: start - 1, below: end + 1 }).toReversed()
  }

  /** The newest id traded at or before a time, or the one before the oldest retained. */
  idAt(time: number): number {
    let low = this.#firstId - 1
    let high = this.#lastId
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.get(middle)?.time ?? 0) <= time) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The candles that start from `from` to `to` (seconds, both inclusive), newest first. */
  candles(granularity: Granularity, from: number, to: number): ReadonlyArray<Candle> {
    return this.#candles.get(granularity)?.between(from, to) ?? []
  }

  /**
   * The candles of an altered tape: truncated after a time, or with shifted times. Candles that lack dropped trades are
   * left out, as above.
   */
  recount(granularity: Granularity, from: number, to: number, altered: Altered): ReadonlyArray<Candle> {
    const skew = altered.skew ?? (() => 0)
    const until = altered.until === undefined ? this.#lastId : this.idAt(altered.until)
    const oldest = this.get(this.#firstId)
    const complete = oldest === undefined || oldest.tradeId === 1 ? Number.NEGATIVE_INFINITY : oldest.time / 1_000_000
    const spans = new Map<number, Candles>()
    for (const trade of this.latest(Number.POSITIVE_INFINITY, { below: until + 1 }).toReversed()) {
      const time = trade.time + skew(trade.time)
      const start = Math.floor(time / (granularity * 1_000_000)) * granularity
      if (start < from || start > to || start <= complete) continue
      const candles = spans.get(start) ?? new Candles(granularity)
      spans.set(start, candles)
      candles.push({ ...trade, time })
    }
    return [...spans]
      .toSorted(([left], [right]) => right - left)
      .flatMap(([start, candles]) => candles.between(start, start))
  }

  #segmentFor(at: number): Float64Array {
    const index = Math.floor(at / rowsOfSegment)
    const found = this.#segments[index]
    if (found !== undefined) return found
    const created = new Float64Array(rowsOfSegment * columns)
    this.#segments[index] = created
    return created
  }

  #evict(): void {
    if (this.#lastId - this.#firstId + 1 < this.#retain + rowsOfSegment) return
    this.#segments.shift()
    this.#base += rowsOfSegment
    this.#firstId = this.#base
  }
}
