import type { CexStream } from "@chaintape/cex"
import { Decimal, type Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { ChartCandle, ChartCandles } from "../../chart/ChartCandle.ts"

/** Seconds. */
const minute = 60

const getStart = (time: number, length: number) => Math.floor(time / length) * length

const toSeconds = (time: DateTime.Utc) => DateTime.toEpochMillis(time) / 1000

/** A trade that comes late changes neither open nor close. */
const withTrade = (
  candle: ChartCandle | undefined,
  { price, size, timestamp }: Trade,
  isLate: boolean,
  isProven: boolean
): ChartCandle => {
  const paid = Decimal.toNumber(price)
  const volume = Decimal.toNumber(size)
  if (candle === undefined) {
    const start = getStart(toSeconds(timestamp), minute)
    return { start, open: paid, high: paid, low: paid, close: paid, volume, isProven }
  }
  return {
    ...candle,
    high: Math.max(candle.high, paid),
    low: Math.min(candle.low, paid),
    close: isLate ? candle.close : paid,
    volume: candle.volume + volume,
    isProven: candle.isProven && isProven
  }
}

/** The time of the newest trade of these candles is `newest`, in seconds. The pages add their trades. */
export const addTrades = (
  candles: ChartCandles,
  newest: number,
  pages: ReadonlyArray<CexStream.TradePage>
): ChartCandles => {
  const byStart = new Map(candles.map((candle) => [candle.start, candle]))
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
    for (const [start, candle] of byStart)
      if (start + minute > toSeconds(from.value) && start <= toSeconds(to.value))
        byStart.set(start, { ...candle, isProven: false })
  }
  return [...byStart.values()].toSorted((one, other) => one.start - other.start)
}

const join = (earlier: ChartCandle, later: ChartCandle): ChartCandle => ({
  ...earlier,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
  volume: earlier.volume + later.volume,
  isProven: earlier.isProven && later.isProven
})

/** Longer candles, of `length` seconds, made of shorter ones. */
export const toLonger = (candles: ChartCandles, length: number): ChartCandles => {
  const longer: Array<ChartCandle> = []
  for (const candle of candles) {
    const start = getStart(candle.start, length)
    const last = longer.at(-1)
    if (last?.start === start) longer[longer.length - 1] = join(last, candle)
    else longer.push({ ...candle, start })
  }
  return longer
}
