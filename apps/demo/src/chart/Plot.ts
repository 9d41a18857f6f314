import type { IChartApiBase, ISeriesApi, Time } from "lightweight-charts"
import { CandlestickSeries, createChartEx, HistogramSeries } from "lightweight-charts"
import { type Palette, readPalette } from "../parts/Palette.ts"
import { getOffset, type Zone } from "../parts/time/Zone.ts"
import { isBar, toRows, toTimes } from "./BarRows.ts"
import type { Bar, Bars } from "./Bars.ts"
import { chartOptions } from "./ChartOptions.ts"
import { TimeScale } from "./TimeScale.ts"

/** The chart of a page with its two series. */
export interface Plot {
  readonly chart: IChartApiBase
  readonly candles: ISeriesApi<"Candlestick">
  readonly volume: ISeriesApi<"Histogram">
  readonly palette: Palette
}

/** Draws all bars, or the last `newest` of them: the others are as they were drawn. */
export const drawBars = (
  { candles, palette, volume }: Plot,
  bars: Bars,
  length: number,
  newest: number | undefined
) => {
  const rows = toRows(newest === undefined ? bars : bars.slice(-newest), length, palette)
  if (newest === undefined) {
    candles.setData(rows.map((row) => row.candle))
    volume.setData(rows.map((row) => row.volume))
    return
  }
  for (const row of rows) {
    candles.update(row.candle)
    volume.update(row.volume)
  }
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
