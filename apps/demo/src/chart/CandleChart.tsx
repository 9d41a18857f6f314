import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { IChartApi, ISeriesApi, UTCTimestamp } from "lightweight-charts"
import { CandlestickSeries, createChart, HistogramSeries } from "lightweight-charts"
import type { ReactNode } from "react"
import { useEffect, useRef, useState } from "react"
import { type Palette, readPalette, useScheme } from "../parts/Palette.ts"
import { useZone } from "../parts/time/Zone.ts"
import type { Claim } from "../proof/Claim.ts"
import { openProof } from "../proof/Claim.ts"
import { useRuntime } from "../service/Session.tsx"
import type { Bar, Bars } from "./Bars.ts"
import { isContinuation, isOpen, toEnd } from "./Bars.ts"
import { chartOptions, priceFormat, timeOptions } from "./ChartOptions.ts"
import { Legend } from "./Legend.tsx"
import { useCandleKeys } from "./useCandleKeys.ts"
import "./candle-chart.css"

interface Plot {
  readonly chart: IChartApi
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
const draw = ({ candles, palette, volume }: Plot, bars: Bars, length: number, newest: number | undefined) => {
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
const show = (chart: IChartApi, count: number) => {
  const scale = chart.timeScale()
  if (count * barSpacing < scale.width()) return scale.fitContent()
  scale.applyOptions({ barSpacing })
  scale.scrollToRealTime()
}

/** Puts the crosshair on a bar, and scrolls to it if it is out of sight. */
const point = ({ candles, chart }: Plot, bars: Bars, bar: Bar, length: number): void => {
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
const showNewest = (chart: IChartApi): void => {
  const scale = chart.timeScale()
  scale.scrollToPosition(scale.options().rightOffset, false)
}

const begin = (container: HTMLElement, isDark: boolean): Plot => {
  const palette = readPalette()
  const chart = createChart(container, chartOptions(palette, isDark))
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

/** Candles with their volume. `length` is that of a bar, in seconds. */
export const CandleChart = ({
  bars,
  decimals,
  label,
  length,
  onBeginning,
  over,
  toClaim,
  volumeUnit
}: {
  readonly bars: Bars
  readonly length: number
  /** The decimals of a price on the axis. */
  readonly decimals: number
  readonly label: string
  /** Such as BTC or USD. */
  readonly volumeUnit: string
  /** The user has scrolled to the oldest bar. */
  readonly onBeginning?: () => void
  /** What lies over the chart. */
  readonly over?: (chart: IChartApi) => ReactNode
  /** The proof of a bar. */
  readonly toClaim: (bar: Bar) => Claim
}) => {
  const runtime = useRuntime()
  const container = useRef<HTMLDivElement>(null)
  const [plot, setPlot] = useState<Plot>()
  const isDark = useScheme()
  const zone = useZone()
  const drawn = useRef<{ readonly bars: Bars; readonly length: number; readonly plot: Plot | undefined }>({
    bars: [],
    length: 0,
    plot: undefined
  })
  const [start, setStart] = useState<number>()
  const [isAway, setAway] = useState(false)
  const selected = bars.find((bar) => bar.start === start)
  const onKeyDown = useCandleKeys(bars, selected, {
    onOpen: (bar) => openProof(toClaim(bar)),
    onSelect: (bar) => {
      setStart(bar?.start)
      if (plot === undefined) return
      if (bar === undefined) plot.chart.clearCrosshairPosition()
      else point(plot, bars, bar, length)
    }
  })
  useEffect(() => {
    if (container.current === null) return undefined
    const made = begin(container.current, isDark)
    setPlot(made)
    return () => {
      setPlot(undefined)
      made.chart.remove()
    }
  }, [isDark])
  useEffect(() => plot?.chart.applyOptions(timeOptions(zone)), [plot, zone])
  useEffect(() => {
    if (plot === undefined) return
    const before = drawn.current
    const isSame = before.plot === plot && before.length === length && isContinuation(before.bars, bars)
    draw(plot, bars, length, isSame ? bars.length - before.bars.length + 1 : undefined)
    if (before.plot !== plot || before.length !== length || before.bars.length === 0) show(plot.chart, bars.length)
    drawn.current = { bars, length, plot }
  }, [plot, bars, length])
  // A candle closes without a trade, too.
  useEffect(() => {
    const last = bars.at(-1)
    if (plot === undefined || last === undefined) return undefined
    const closed = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(toEnd(last, length) - now))
    const fiber = runtime.runFork(
      Effect.andThen(
        closed,
        Effect.sync(() => draw(plot, bars, length, 1))
      )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, plot, bars, length])
  useEffect(() => {
    plot?.candles.applyOptions({ priceFormat: priceFormat(decimals) })
  }, [plot, decimals])
  useEffect(() => {
    if (plot === undefined || onBeginning === undefined) return undefined
    const scale = plot.chart.timeScale()
    const look = () => {
      const range = scale.getVisibleLogicalRange()
      if (range !== null && range.from < 5) onBeginning()
    }
    scale.subscribeVisibleLogicalRangeChange(look)
    look()
    return () => scale.unsubscribeVisibleLogicalRangeChange(look)
  }, [plot, onBeginning, bars])
  useEffect(() => {
    if (plot === undefined) return undefined
    const scale = plot.chart.timeScale()
    const look = () => setAway(scale.scrollPosition() < 0)
    scale.subscribeVisibleLogicalRangeChange(look)
    return () => scale.unsubscribeVisibleLogicalRangeChange(look)
  }, [plot])
  return (
    <>
      <Legend
        chart={plot?.chart}
        bars={bars}
        decimals={decimals}
        selected={selected}
        onSelect={setStart}
        toClaim={toClaim}
        volumeUnit={volumeUnit}
      />
      <div
        className="chart"
        role="group"
        tabIndex={0}
        aria-label={`${label}. The arrow keys move from candle to candle, Enter opens the proof.`}
        onKeyDown={onKeyDown}
        onDoubleClick={() => (plot === undefined ? undefined : show(plot.chart, bars.length))}
      >
        <div className="canvas" ref={container} aria-hidden="true" />
        {plot === undefined ? null : over?.(plot.chart)}
        {plot === undefined || !isAway ? null : (
          <button type="button" className="newest" onClick={() => showNewest(plot.chart)}>
            Newest candle
          </button>
        )}
      </div>
    </>
  )
}
