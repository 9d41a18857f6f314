import { Decimal, type Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"

/** The trades of a span of time. `start` is in Unix seconds. */
export interface Bar {
  readonly start: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly count: number
}

/** Bars of the same length, oldest first. */
export type Bars = ReadonlyArray<Bar>

/** Of two bars of the same span, the earlier one comes first. */
const joined = (earlier: Bar, later: Bar, start: number): Bar => ({
  start,
  open: earlier.open,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
  volume: earlier.volume + later.volume,
  count: earlier.count + later.count
})

const floorTo = (seconds: number, length: number) => Math.floor(seconds / length) * length

const toBar = (trade: Trade, length: number): Bar => {
  const price = Decimal.toNumber(trade.price)
  return {
    start: floorTo(DateTime.toEpochMillis(trade.timestamp) / 1000, length),
    open: price,
    high: price,
    low: price,
    close: price,
    volume: Decimal.toNumber(trade.size),
    count: 1
  }
}

/** Appends later bars; if the last of these and the first of those share a span, they are merged. */
export const append = (earlier: Bars, later: Bars): Bars => {
  const last = earlier.at(-1)
  const [first, ...rest] = later
  if (last === undefined || first === undefined) return last === undefined ? later : earlier
  return last.start === first.start
    ? [...earlier.slice(0, -1), joined(last, first, last.start), ...rest]
    : [...earlier, ...later]
}

const gathered = (bars: Iterable<Bar>, length: number): Bars => {
  const made: Array<Bar> = []
  for (const bar of bars) {
    const start = floorTo(bar.start, length)
    const last = made.at(-1)
    if (last?.start === start) made[made.length - 1] = joined(last, bar, start)
    else made.push({ ...bar, start })
  }
  return made
}

const minute = 60

/** The one-minute bars of trades, which are ordered oldest first. */
export const toMinutes = (trades: ReadonlyArray<Trade>): Bars =>
  gathered(
    trades.map((trade) => toBar(trade, minute)),
    minute
  )

/** The same trades in bars of `length` seconds, a multiple of a minute. */
export const toLongerBars = (minutes: Bars, length: number): Bars => gathered(minutes, length)

const isEqual = (one: Bar | undefined, other: Bar | undefined) =>
  one?.start === other?.start && one?.count === other?.count

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
