import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useEffect, useRef, useState } from "react"
import { useScheme } from "../parts/Palette.ts"
import { useZone } from "../parts/time/Zone.ts"
import { useRuntime } from "../service/Session.tsx"
import type { Bars } from "./Bars.ts"
import { isContinuation, toEnd } from "./Bars.ts"
import { priceFormat } from "./ChartOptions.ts"
import type { Plot } from "./Plot.ts"
import { createPlot, drawBars, showBars } from "./Plot.ts"

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

/** Draws the bars that are new, or all of them. */
const useDrawnBars = (plot: Plot | undefined, bars: Bars, length: number) => {
  const runtime = useRuntime()
  const drawn = useRef<{ readonly bars: Bars; readonly length: number; readonly plot: Plot | undefined }>({
    bars: [],
    length: 0,
    plot: undefined
  })
  useEffect(() => {
    if (plot === undefined) return
    const before = drawn.current
    const isSame = before.plot === plot && before.length === length && isContinuation(before.bars, bars)
    drawBars(plot, bars, length, isSame ? bars.length - before.bars.length + 1 : undefined)
    if (before.plot !== plot || before.length !== length || before.bars.length === 0) showBars(plot.chart, bars.length)
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
        Effect.sync(() => drawBars(plot, bars, length, 1))
      )
    )
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, plot, bars, length])
}

/** Calls `onBeginning` when the user has scrolled to the oldest bar. */
const useBeginning = (plot: Plot | undefined, bars: Bars, onBeginning: (() => void) | undefined) => {
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
}

/** Whether the newest bar is out of sight. */
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

/** Keeps a chart of bars up to date. `length` is that of a bar, in seconds. */
export const usePlot = ({
  bars,
  decimals,
  length,
  onBeginning
}: {
  readonly bars: Bars
  readonly length: number
  /** The decimals of a price on the axis. */
  readonly decimals: number
  readonly onBeginning: (() => void) | undefined
}) => {
  const { container, plot } = useCreatedPlot()
  useDrawnBars(plot, bars, length)
  useEffect(() => {
    plot?.candles.applyOptions({ priceFormat: priceFormat(decimals) })
  }, [plot, decimals])
  useBeginning(plot, bars, onBeginning)
  return { container, plot, isAway: useIsAway(plot) }
}
