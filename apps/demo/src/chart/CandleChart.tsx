import type { IChartApiBase } from "lightweight-charts"
import type { ReactNode } from "react"
import { useState } from "react"
import type { Claim } from "../proof/Claim.ts"
import { openProof } from "../proof/Claim.ts"
import type { Bar, Bars } from "./Bars.ts"
import { Legend } from "./Legend.tsx"
import { pointAtBar, showBars, showNewest } from "./Plot.ts"
import { useCandleKeys } from "./useCandleKeys.ts"
import { usePlot } from "./usePlot.ts"
import "./candle-chart.css"

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
  readonly over?: (chart: IChartApiBase) => ReactNode
  /** The proof of a bar. */
  readonly toClaim: (bar: Bar) => Claim
}) => {
  const { container, isAway, plot } = usePlot({ bars, decimals, length, onBeginning })
  const [start, setStart] = useState<number>()
  const selected = bars.find((bar) => bar.start === start)
  const onKeyDown = useCandleKeys(bars, selected, {
    onOpen: (bar) => openProof(toClaim(bar)),
    onSelect: (bar) => {
      setStart(bar?.start)
      if (plot === undefined) return
      if (bar === undefined) plot.chart.clearCrosshairPosition()
      else pointAtBar(plot, bars, bar, length)
    }
  })
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
        onDoubleClick={() => (plot === undefined ? undefined : showBars(plot.chart, bars.length))}
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
