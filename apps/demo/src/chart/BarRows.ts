import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { UTCTimestamp } from "lightweight-charts"
import type { Palette } from "../parts/Palette.ts"
import type { Bar, Bars } from "./Bars.ts"
import { isOpen } from "./Bars.ts"

export const isBar = (value: number): value is UTCTimestamp => Number.isInteger(value)

const maxEmpty = 3000

/** Times without trades stay on the axis: an empty span is visible as one. */
export const toTimes = (bars: Bars, length: number): ReadonlyArray<UTCTimestamp> => {
  const first = bars[0]?.start ?? 0
  const last = bars.at(-1)?.start ?? -1
  const count = Math.floor((last - first) / length) + 1
  const times =
    count > bars.length + maxEmpty
      ? bars.map(({ start }) => start)
      : Array.from({ length: count }, (_, at) => first + at * length)
  return times.filter(isBar)
}

/** Two hexadecimal digits that a color ends with: its opacity. */
const [pale, half] = ["55", "66"]

/** A candle that is not proven is pale, and one that is still open is hollow. */
const toCandle = (bar: Bar, time: UTCTimestamp, length: number, { down, up }: Palette) => {
  const { close, high, isProven, low, open } = bar
  const color = `${close >= open ? up : down}${isProven ? "" : pale}`
  const body = isOpen(bar, length, Effect.runSync(Clock.currentTimeMillis)) ? "transparent" : color
  return { time, open, high, low, close, color: body, borderColor: color, wickColor: color }
}

const toVolume = (bar: Bar, time: UTCTimestamp, { down, up }: Palette) => ({
  time,
  value: bar.volume,
  color: `${bar.close >= bar.open ? up : down}${half}`
})

/** The rows of both series. A time without trades has no values. */
export const toRows = (bars: Bars, length: number, palette: Palette) => {
  const byStart = new Map(bars.map((bar) => [bar.start, bar]))
  return toTimes(bars, length).map((time) => {
    const bar = byStart.get(time)
    return bar === undefined
      ? { candle: { time }, volume: { time } }
      : { candle: toCandle(bar, time, length, palette), volume: toVolume(bar, time, palette) }
  })
}
