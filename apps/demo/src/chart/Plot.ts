import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { IChartApiBase, ISeriesApi, Time, UTCTimestamp } from "lightweight-charts"
import { CandlestickSeries, createChartEx, HistogramSeries } from "lightweight-charts"
import { type Palette, readPalette } from "../parts/Palette.ts"
import { getOffset, type Zone } from "../parts/time/Zone.ts"
import type { Bar, Bars } from "./Bars.ts"
import { isOpen } from "./Bars.ts"
import { chartOptions } from "./ChartOptions.ts"
import { TimeScale } from "./TimeScale.ts"

/** The chart of a page with its two series. */
export interface Plot {
  readonly chart: IChartApiBase
  readonly candles: ISeriesApi<"Candlestick">
  readonly volume: ISeriesApi<"Histogram">
  readonly palette: Palette
}

const maxEmpty = 3000

const isBar = (value: number): value is UTCTimestamp => Number.isInteger(value)

/** Times without trades stay on the axis: an empty span is visible as one. */
const toTimes = (bars: Bars, length: number): ReadonlyArray<UTCTimestamp> => {
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

/** The last `newest` bars differ from those drawn; undefined if any may. */
export const drawBars = (
  { candles, palette, volume }: Plot,
  bars: Bars,
  length: number,
  newest: number | undefined
) => {
  const { down, up } = palette
  const byStart = new Map(bars.map((bar) => [bar.start, bar]))
  const getVolume = (bar: Bar, time: UTCTimestamp) => ({
    time,
    value: bar.volume,
    color: `${bar.close >= bar.open ? up : down}${half}`
  })
  const times = toTimes(newest === undefined ? bars : bars.slice(-newest), length)
  const rows = times.map((time) => [time, byStart.get(time)] as const)
  if (newest !== undefined) {
    for (const [time, bar] of rows) {
      if (bar === undefined) continue
      candles.update(toCandle(bar, time, length, palette))
      volume.update(getVolume(bar, time))
    }
    return
  }
  candles.setData(rows.map(([time, bar]) => (bar === undefined ? { time } : toCandle(bar, time, length, palette))))
  volume.setData(rows.map(([time, bar]) => (bar === undefined ? { time } : getVolume(bar, time))))
}

/** Pixels. */
const barSpacing = 6

/** Fills the width with few bars, and shows the newest of many. */
export const showBars = (chart: IChartApiBase, count: number) => {
  const scale = chart.timeScale()
  if (count * barSpacing < scale.width()) return scale.fitContent()
  scale.applyOptions({ barSpacing })
  scale.scrollToRealTime()
}

/** Puts the crosshair on a bar, and scrolls to it if it is out of sight. */
export const pointAtBar = ({ candles, chart }: Plot, bars: Bars, bar: Bar, length: number): void => {
  if (!isBar(bar.start)) return
  const scale = chart.timeScale()
  const range = scale.getVisibleLogicalRange()
  const at = toTimes(bars, length).indexOf(bar.start)
  if (range !== null && (at < range.from || at > range.to)) {
    const shift = at < range.from ? at - range.from - 1 : at - range.to + 1
    scale.setVisibleLogicalRange({ from: range.from + shift, to: range.to + shift })
  }
  chart.setCrosshairPosition(bar.close, bar.start, candles)
}

/** At once: an animation ends with the next trade, wherever it is. */
export const showNewest = (chart: IChartApiBase): void => {
  const scale = chart.timeScale()
  scale.scrollToPosition(scale.options().rightOffset, false)
}

/** Creates the chart in an element, with times in a zone. */
export const createPlot = (container: HTMLElement, isDark: boolean, zone: Zone): Plot => {
  const palette = readPalette()
  const scale = new TimeScale((millis) => getOffset(zone, millis))
  const chart = createChartEx<Time, TimeScale>(container, scale, chartOptions(palette, isDark, zone))
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: palette.up,
    downColor: palette.down,
    wickUpColor: palette.up,
    wickDownColor: palette.down,
    // The color of a candle would contradict that of the last trade, which is its side.
    priceLineColor: palette.quiet
  })
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: "volume",
    priceFormat: { type: "volume" },
    lastValueVisible: false,
    priceLineVisible: false
  })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  return { chart, candles, volume, palette }
}
