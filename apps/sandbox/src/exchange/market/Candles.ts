import type { Trade } from "./Trade.ts"

/** The lengths of a candle, in seconds. */
export const granularities = [60, 300, 900, 3600, 21_600, 86_400] as const

export type Granularity = (typeof granularities)[number]

/** A candle in ticks and lots. Its volume is a bigint, because a sum of safe integers may exceed them. */
export interface Candle {
  /** Start of the candle, in seconds since 1970. */
  readonly start: number
  readonly low: number
  readonly high: number
  readonly open: number
  readonly close: number
  readonly volume: bigint
}

type OpenCandle = { -readonly [Key in keyof Candle]: Candle[Key] }

/** The candles of one length, updated trade by trade. A span without trades has no candle. */
export class Candles {
  readonly #length: number
  /** Earlier candles would lack trades that are no longer retained; they are left out. */
  readonly #completeFrom: number
  readonly #candles: Array<OpenCandle> = []

  constructor(granularity: Granularity, completeFrom = Number.NEGATIVE_INFINITY) {
    this.#length = granularity
    this.#completeFrom = completeFrom
  }

  /** Trades must be added in order of time. */
  push(trade: Pick<Trade, "time" | "price" | "size">): void {
    const start = Math.floor(trade.time / (this.#length * 1_000_000)) * this.#length
    const open = this.#candles.at(-1)
    if (open !== undefined && open.start === start) {
      open.low = Math.min(open.low, trade.price)
      open.high = Math.max(open.high, trade.price)
      open.close = trade.price
      open.volume += BigInt(trade.size)
      return
    }
    if (start < this.#completeFrom) return
    const { price, size } = trade
    this.#candles.push({ start, low: price, high: price, open: price, close: price, volume: BigInt(size) })
  }

  /** The candles that start from `from` to `to`, both inclusive, newest first. */
  between(from: number, to: number): ReadonlyArray<Candle> {
    const found: Array<Candle> = []
    for (let index = this.#candles.length - 1; index >= 0; index--) {
      const candle = this.#candles[index]
      if (candle === undefined || candle.start < from) break
      if (candle.start <= to) found.push({ ...candle })
    }
    return found
  }
}
