import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { IChartApiBase, ISeriesApi, Time } from "lightweight-charts"
import { CandlestickSeries, createChartEx, HistogramSeries } from "lightweight-charts"
import { getOffset, type Zone } from "../parts/time/Zone.ts"
import { type Palette, readPalette } from "../style/Palette.ts"
import { toRows, toTimes } from "./CandleRows.ts"
import type { ChartCandle, ChartCandles } from "./ChartCandle.ts"
import { chartOptions } from "./ChartOptions.ts"
import { isTimestamp } from "./isTimestamp.ts"
import { TimeScale } from "./TimeScale.ts"

/** The chart of a page with its two series. */
export interface Plot {
  readonly chart: IChartApiBase
  readonly candlesticks: ISeriesApi<"Candlestick">
  readonly volume: ISeriesApi<"Histogram">
  readonly palette: Palette
}

/** Draws all candles, or the last `newest` of them: the others are as they were drawn. */
export const drawCandles = (
  { candlesticks, palette, volume }: Plot,
  candles: ChartCandles,
  length: number,
  newest: number | undefined
) => {
  const now = Effect.runSync(Clock.currentTimeMillis)
  const rows = toRows(newest === undefined ? candles : candles.slice(-newest), length, now, palette)
  if (newest === undefined) {
    candlesticks.setData(rows.map((row) => row.candle))
    volume.setData(rows.map((row) => row.volume))
    return
  }
  for (const row of rows) {
    candlesticks.update(row.candle)
    volume.update(row.volume)
  }
}

/** Pixels. */
const barSpacing = 6

/** Fills the width with few candles, and shows the newest of many. */
export const showCandles = (chart: IChartApiBase, count: number) => {
  const scale = chart.timeScale()
  if (count * barSpacing < scale.width()) return scale.fitContent()
  scale.applyOptions({ barSpacing })
  scale.scrollToRealTime()
}

/** Puts the crosshair on a candle, and scrolls to it if it is out of sight. */
export const pointAtCandle = (
  { candlesticks, chart }: Plot,
  candles: ChartCandles,
  candle: ChartCandle,
  length: number
): void => {
  if (!isTimestamp(candle.start)) return
  const scale = chart.timeScale()
  const range = scale.getVisibleLogicalRange()
  const at = toTimes(candles, length).indexOf(candle.start)
  if (range !== null && (at < range.from || at > range.to)) {
    const shift = at < range.from ? at - range.from - 1 : at - range.to + 1
    scale.setVisibleLogicalRange({ from: range.from + shift, to: range.to + shift })
  }
  chart.setCrosshairPosition(candle.close, candle.start, candlesticks)
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
  const candlesticks = chart.addSeries(CandlestickSeries, {
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
  return { chart, candlesticks, volume, palette }
}
