import type { CexStream } from "@chaintape/cex"
import { Decimal, type Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Bar, Bars } from "../../chart/Bars.ts"

/** Seconds. */
const minute = 60

const getStart = (time: number, length: number) => Math.floor(time / length) * length

const toSeconds = (time: DateTime.Utc) => DateTime.toEpochMillis(time) / 1000

/** A trade that comes late changes neither open nor close. */
const withTrade = (
  bar: Bar | undefined,
  { price, size, timestamp }: Trade,
  isLate: boolean,
  isProven: boolean
): Bar => {
  const paid = Decimal.toNumber(price)
  const volume = Decimal.toNumber(size)
  if (bar === undefined) {
    const start = getStart(toSeconds(timestamp), minute)
    return { start, open: paid, high: paid, low: paid, close: paid, volume, isProven }
  }
  return {
    ...bar,
    high: Math.max(bar.high, paid),
    low: Math.min(bar.low, paid),
    close: isLate ? bar.close : paid,
    volume: bar.volume + volume,
    isProven: bar.isProven && isProven
  }
}

/** The time of the newest trade of these bars is `newest`, in seconds. The pages add their trades. */
export const addTrades = (bars: Bars, newest: number, pages: ReadonlyArray<CexStream.TradePage>): Bars => {
  const byStart = new Map(bars.map((bar) => [bar.start, bar]))
  let latest = newest
  for (const { coverage, trades } of pages) {
    const { from, state, to } = Option.getOrUndefined(coverage) ?? {}
    const isProven = state === "complete"
    for (const trade of trades) {
      const time = toSeconds(trade.timestamp)
      const start = getStart(time, minute)
      byStart.set(start, withTrade(byStart.get(start), trade, time < latest, isProven))
      latest = Math.max(latest, time)
    }
    if (isProven || from === undefined || to === undefined || Option.isNone(from) || Option.isNone(to)) continue
    for (const [start, bar] of byStart)
      if (start + minute > toSeconds(from.value) && start <= toSeconds(to.value))
        byStart.set(start, { ...bar, isProven: false })
  }
  return [...byStart.values()].toSorted((one, other) => one.start - other.start)
}

const join = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
  volume: earlier.volume + later.volume,
  isProven: earlier.isProven && later.isProven
})

/** Longer bars, of `length` seconds, made of shorter ones. */
export const toLonger = (bars: Bars, length: number): Bars => {
  const longer: Array<Bar> = []
  for (const bar of bars) {
    const start = getStart(bar.start, length)
    const last = longer.at(-1)
    if (last?.start === start) longer[longer.length - 1] = join(last, bar)
    else longer.push({ ...bar, start })
  }
  return longer
}
