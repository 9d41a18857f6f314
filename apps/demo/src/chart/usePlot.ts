import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useEffect, useRef, useState } from "react"
import { useZone } from "../parts/time/Zone.ts"
import { useRuntime } from "../service/Session.tsx"
import { useScheme } from "../style/Palette.ts"
import type { ChartCandles } from "./ChartCandle.ts"
import { isContinuation, toEnd } from "./ChartCandle.ts"
import { priceFormat } from "./ChartOptions.ts"
import type { Plot } from "./Plot.ts"
import { createPlot, drawCandles, showCandles } from "./Plot.ts"
import { usePrintedPlot } from "./usePrintedPlot.ts"

/** A chart in the element of `container`, in the colors and the zone of the page. */
const useCreatedPlot = () => {
  const container = useRef<HTMLDivElement>(null)
  const [plot, setPlot] = useState<Plot>()
  const isDark = useScheme()
  const zone = useZone()
  useEffect(() => {
    if (container.current === null) return undefined
    const made = createPlot(container.current, isDark, zone)
    setPlot(made)
    return () => {
      setPlot(undefined)
      made.chart.remove()
    }
  }, [isDark, zone])
  return { container, plot }
}

/** Draws the candles that are new, or all of them. */
const useDrawnCandles = (plot: Plot | undefined, candles: ChartCandles, length: number) => {
  const runtime = useRuntime()
  const drawn = useRef<{ readonly candles: ChartCandles; readonly length: number; readonly plot: Plot | undefined }>({
    candles: [],
    length: 0,
    plot: undefined
  })
  useEffect(() => {
    if (plot === undefined) return
    const before = drawn.current
    const isSame = before.plot === plot && before.length === length && isContinuation(before.candles, candles)
    drawCandles(plot, candles, length, isSame ? candles.length - before.candles.length + 1 : undefined)
    if (before.plot !== plot || before.length !== length || before.candles.length === 0)
      showCandles(plot.chart, candles.length)
    drawn.current = { candles, length, plot }
  }, [plot, candles, length])
  // A candle closes without a trade, too.
  useEffect(() => {
    const last = candles.at(-1)
    if (plot === undefined || last === undefined) return undefined
    const closed = Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(toEnd(last, length) - now))
    const fiber = runtime.runFork(
      Effect.andThen(
        closed,
        Effect.sync(() => drawCandles(plot, candles, length, 1))
      )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, plot, candles, length])
}

/** Calls `onBeginning` when the user has scrolled to the oldest candle. */
const useBeginning = (plot: Plot | undefined, candles: ChartCandles, onBeginning: (() => void) | undefined) => {
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
  }, [plot, onBeginning, candles])
}

/** Whether the newest candle is out of sight. */
const useIsAway = (plot: Plot | undefined): boolean => {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (plot === undefined) return undefined
    const scale = plot.chart.timeScale()
    const look = () => setAway(scale.scrollPosition() < 0)
    scale.subscribeVisibleLogicalRangeChange(look)
    return () => scale.unsubscribeVisibleLogicalRangeChange(look)
  }, [plot])
  return isAway
}

/** Keeps a chart of candles up to date. `length` is that of a candle, in seconds. */
export const usePlot = ({
  candles,
  decimals,
  length,
  onBeginning
}: {
  readonly candles: ChartCandles
  readonly length: number
  /** The decimals of a price on the axis. */
  readonly decimals: number
  readonly onBeginning: (() => void) | undefined
}) => {
  const { container, plot } = useCreatedPlot()
  useDrawnCandles(plot, candles, length)
  useEffect(() => {
    plot?.candlesticks.applyOptions({ priceFormat: priceFormat(decimals) })
  }, [plot, decimals])
  useBeginning(plot, candles, onBeginning)
  usePrintedPlot(plot)
  return { container, plot, isAway: useIsAway(plot) }
}
