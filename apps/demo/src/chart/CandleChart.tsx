import type { IChartApiBase } from "lightweight-charts"
import type { ReactNode } from "react"
import { useState } from "react"
import type { Claim } from "../proof/Claim.ts"
import { openProof } from "../proof/Claim.ts"
import type { ChartCandle, ChartCandles } from "./ChartCandle.ts"
import { Legend } from "./Legend.tsx"
import { pointAtCandle, showCandles, showNewest } from "./Plot.ts"
import { useCandleKeys } from "./useCandleKeys.ts"
import { usePlot } from "./usePlot.ts"
import "./candle-chart.css"

/** Candles with their volume. `length` is that of a candle, in seconds. */
export const CandleChart = ({
  candles,
  decimals,
  label,
  length,
  onBeginning,
  over,
  priceAs,
  toClaim,
  volumeUnit
}: {
  readonly candles: ChartCandles
  readonly length: number
  /** The decimals of a price on the axis. */
  readonly decimals: number
  /** How the legend shows prices. */
  readonly priceAs: "grouped" | "price"
  readonly label: string
  /** Such as BTC or USD. */
  readonly volumeUnit: string
  /** The user has scrolled to the oldest candle. */
  readonly onBeginning?: () => void
  /** The layer over the chart. */
  readonly over?: (chart: IChartApiBase) => ReactNode
  /** The proof of a candle. */
  readonly toClaim: (candle: ChartCandle) => Claim
}) => {
  const { container, isAway, plot } = usePlot({ candles, decimals, length, onBeginning })
  const [start, setStart] = useState<number>()
  const selected = candles.find((candle) => candle.start === start)
  const onKeyDown = useCandleKeys(candles, selected, {
    onOpen: (candle) => openProof(toClaim(candle)),
    onSelect: (candle) => {
      setStart(candle?.start)
      if (plot === undefined) return
      if (candle === undefined) plot.chart.clearCrosshairPosition()
      else pointAtCandle(plot, candles, candle, length)
    }
  })
  return (
    <>
      <Legend
        chart={plot?.chart}
        candles={candles}
        decimals={decimals}
        priceAs={priceAs}
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
        onDoubleClick={() => (plot === undefined ? undefined : showCandles(plot.chart, candles.length))}
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
