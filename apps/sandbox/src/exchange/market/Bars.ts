import type { Trade } from "./Trade.ts"

/** The lengths of a candle, in seconds. */
export const granularities = [60, 300, 900, 3600, 21_600, 86_400] as const

export type Granularity = (typeof granularities)[number]

/** A candle in ticks and lots. Its volume is a bigint, because a sum of safe integers may exceed them. */
export interface Bar {
  /** Start of the bar, in seconds since 1970. */
  readonly start: number
  readonly low: number
  readonly high: number
  readonly open: number
  readonly close: number
  readonly volume: bigint
}

type OpenBar = { -readonly [Key in keyof Bar]: Bar[Key] }

/** The candles of one length, updated trade by trade. A span without trades has no bar. */
export class Bars {
  readonly #length: number
  /** Earlier bars would lack trades that are no longer retained; they are left out. */
  readonly #completeFrom: number
  readonly #bars: Array<OpenBar> = []

  constructor(granularity: Granularity, completeFrom = Number.NEGATIVE_INFINITY) {
    this.#length = granularity
    this.#completeFrom = completeFrom
  }

  /** Trades must be added in order of time. */
  push(trade: Pick<Trade, "time" | "price" | "size">): void {
    const start = Math.floor(trade.time / (this.#length * 1_000_000)) * this.#length
    const open = this.#bars.at(-1)
    if (open !== undefined && open.start === start) {
      open.low = Math.min(open.low, trade.price)
      open.high = Math.max(open.high, trade.price)
      open.close = trade.price
      open.volume += BigInt(trade.size)
      return
    }
    if (start < this.#completeFrom) return
    const { price, size } = trade
    this.#bars.push({ start, low: price, high: price, open: price, close: price, volume: BigInt(size) })
  }

  /** The bars that start from `from` to `to`, both inclusive, newest first. */
  between(from: number, to: number): ReadonlyArray<Bar> {
    const found: Array<Bar> = []
    for (let index = this.#bars.length - 1; index >= 0; index--) {
      const bar = this.#bars[index]
      if (bar === undefined || bar.start < from) break
      if (bar.start <= to) found.push({ ...bar })
    }
    return found
  }
}
