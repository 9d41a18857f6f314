/** A candle as it is drawn. `start` is in Unix seconds. */
export interface ChartCandle {
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** Whether recorded trades without a gap prove it. */
  readonly isProven: boolean
}

/** Candles of the same length, oldest first. */
export type ChartCandles = ReadonlyArray<ChartCandle>

/** When a candle ends, in Unix milliseconds. `length` is in seconds. */
export const toEnd = ({ start }: ChartCandle, length: number): number => (start + length) * 1000

/** Whether a candle of this length (seconds) has not ended at this time (Unix milliseconds). */
export const isOpen = (candle: ChartCandle, length: number, now: number): boolean => toEnd(candle, length) > now

const isEqual = (one: ChartCandle | undefined, other: ChartCandle | undefined) =>
  one === other ||
  (one?.start === other?.start &&
    one?.open === other?.open &&
    one?.high === other?.high &&
    one?.low === other?.low &&
    one?.close === other?.close &&
    one?.volume === other?.volume &&
    one?.isProven === other?.isProven)

/** Whether `candles` differ from `before` only in the newest two: the newest of those, and one after it. */
export const isContinuation = (before: ChartCandles, candles: ChartCandles): boolean => {
  const more = candles.length - before.length
  const newest = before.length - 1
  // The additional candle may also be before the newest, if a gap was closed, or before the only one.
  return (
    before.length > 0 &&
    (more === 0 || more === 1) &&
    before[newest]?.start === candles[newest]?.start &&
    before.slice(0, -1).every((candle, index) => isEqual(candle, candles[index]))
  )
}
