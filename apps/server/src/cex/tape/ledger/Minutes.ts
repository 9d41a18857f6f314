import * as ExactDecimal from "../../../internal/ExactDecimal.ts"
import type { NewTrade } from "../Tape.ts"

export const minuteMs = 60_000

/** The contribution of some trades of a minute to its candle. */
export interface Minute {
  /** Unix milliseconds. */
  readonly start: number
  /** The first and the last trade by time, then by sequence. */
  readonly open: NewTrade
  readonly close: NewTrade
  readonly high: string
  readonly low: string
  readonly volume: string
  readonly trades: number
}

const isBefore = (one: NewTrade, other: NewTrade): boolean =>
  one.timestamp === other.timestamp ? one.sequence < other.sequence : one.timestamp < other.timestamp

const toMinute = (start: number, first: NewTrade, trades: ReadonlyArray<NewTrade>): Minute => {
  let [open, close, high, low] = [first, first, first.price, first.price]
  for (const trade of trades) {
    if (isBefore(trade, open)) open = trade
    if (isBefore(close, trade)) close = trade
    if (ExactDecimal.compare(trade.price, high) > 0) high = trade.price
    if (ExactDecimal.compare(trade.price, low) < 0) low = trade.price
  }
  const volume = ExactDecimal.sum(trades.map(({ size }) => size))
  return { start, open, close, high, low, volume, trades: trades.length }
}

/** The minutes of trades, which may be in any order. */
export const toMinutes = (trades: ReadonlyArray<NewTrade>): ReadonlyArray<Minute> => {
  const grouped = new Map<number, { readonly first: NewTrade; readonly trades: Array<NewTrade> }>()
  for (const trade of trades) {
    const start = trade.timestamp - (trade.timestamp % minuteMs)
    const group = grouped.get(start)
    if (group === undefined) grouped.set(start, { first: trade, trades: [trade] })
    else group.trades.push(trade)
  }
  return [...grouped].map(([start, group]) => toMinute(start, group.first, group.trades))
}
