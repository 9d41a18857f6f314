/** A candle as it is drawn. `start` is in Unix seconds. */
export interface Bar {
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  /** Whether recorded trades without a gap prove it. */
  readonly isProven: boolean
}

/** Bars of the same length, oldest first. */
export type Bars = ReadonlyArray<Bar>

/** When a candle ends, in Unix milliseconds. `length` is in seconds. */
export const toEnd = ({ start }: Bar, length: number): number => (start + length) * 1000

/** Whether a bar of this length (seconds) has not ended at this time (Unix milliseconds). */
export const isOpen = (bar: Bar, length: number, now: number): boolean => toEnd(bar, length) > now

const isEqual = (one: Bar | undefined, other: Bar | undefined) =>
  one === other ||
  (one?.start === other?.start &&
    one?.open === other?.open &&
    one?.high === other?.high &&
    one?.low === other?.low &&
    one?.close === other?.close &&
    one?.volume === other?.volume &&
    one?.isProven === other?.isProven)

/** Whether `bars` differ from `before` only in the newest two: the newest of those, and one after it. */
export const isContinuation = (before: Bars, bars: Bars): boolean => {
  const more = bars.length - before.length
  const newest = before.length - 1
  // The additional bar may also be before the newest, if a gap was closed, or before the only one.
  return (
    before.length > 0 &&
    (more === 0 || more === 1) &&
    before[newest]?.start === bars[newest]?.start &&
    before.slice(0, -1).every((bar, index) => isEqual(bar, bars[index]))
  )
}
