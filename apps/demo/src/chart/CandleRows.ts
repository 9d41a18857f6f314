import type { UTCTimestamp } from "lightweight-charts"
import type { Palette } from "../style/Palette.ts"
import type { ChartCandle, ChartCandles } from "./ChartCandle.ts"
import { isOpen } from "./ChartCandle.ts"
import { isTimestamp } from "./isTimestamp.ts"

const maxEmpty = 3000

/** Times without trades stay on the axis: an empty span is visible as one. */
export const toTimes = (candles: ChartCandles, length: number): ReadonlyArray<UTCTimestamp> => {
  const first = candles[0]?.start ?? 0
  const last = candles.at(-1)?.start ?? -1
  const count = Math.floor((last - first) / length) + 1
  const times =
    count > candles.length + maxEmpty
      ? candles.map(({ start }) => start)
      : Array.from({ length: count }, (_, at) => first + at * length)
  return times.filter(isTimestamp)
}

/** Two hexadecimal digits that a color ends with: its opacity. */
const [pale, half] = ["55", "66"]

/** A candle that is not proven is pale, and one that is still open is hollow. */
const toCandlestick = (candle: ChartCandle, time: UTCTimestamp, isHollow: boolean, { down, up }: Palette) => {
  const { close, high, isProven, low, open } = candle
  const color = `${close >= open ? up : down}${isProven ? "" : pale}`
  const body = isHollow ? "transparent" : color
  return { time, open, high, low, close, color: body, borderColor: color, wickColor: color }
}

const toVolume = (candle: ChartCandle, time: UTCTimestamp, { down, up }: Palette) => ({
  time,
  value: candle.volume,
  color: `${candle.close >= candle.open ? up : down}${half}`
})

/** The rows of both series. A time without trades has no values. `now` is in Unix milliseconds. */
export const toRows = (candles: ChartCandles, length: number, now: number, palette: Palette) => {
  const byStart = new Map(candles.map((candle) => [candle.start, candle]))
  // A candle before another one has ended, whatever the clock of the browser says.
  const newest = candles.at(-1)
  return toTimes(candles, length).map((time) => {
    const candle = byStart.get(time)
    return candle === undefined
      ? { candle: { time }, volume: { time } }
      : {
          candle: toCandlestick(candle, time, candle === newest && isOpen(candle, length, now), palette),
          volume: toVolume(candle, time, palette)
        }
  })
}
