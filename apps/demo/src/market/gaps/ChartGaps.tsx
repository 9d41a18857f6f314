import type { IChartApiBase } from "lightweight-charts"
import { useEffect, useState } from "react"
import type { ChartCandles } from "../../chart/ChartCandle.ts"
import { isTimestamp } from "../../chart/isTimestamp.ts"
import type { SeenGap } from "../feed/Gaps.ts"
import { gapSentence } from "../feed/Gaps.ts"
import "./chart-gaps.css"

interface Band {
  readonly gap: SeenGap
  readonly left: number
  readonly width: number
}

const narrowest = 6

const toBands = (chart: IChartApiBase, gaps: ReadonlyArray<SeenGap>, length: number): ReadonlyArray<Band> => {
  const scale = chart.timeScale()
  const half = scale.options().barSpacing / 2
  const at = (millis: number) => {
    const start = Math.floor(millis / 1000 / length) * length
    return isTimestamp(start) ? scale.timeToCoordinate(start) : null
  }
  return gaps.flatMap((gap) => {
    const left = at(gap.fromTime)
    const right = at(gap.toTime)
    if (left === null || right === null) return []
    return [{ gap, left: left - half, width: Math.max(narrowest, right - left + 2 * half) }]
  })
}

/** Marks a gap of the tape in the chart: a hatched band over its span. */
export const ChartGaps = ({
  candles,
  chart,
  gaps,
  length
}: {
  readonly chart: IChartApiBase
  readonly gaps: ReadonlyArray<SeenGap>
  readonly length: number
  readonly candles: ChartCandles
}) => {
  const [bands, setBands] = useState<ReadonlyArray<Band>>([])
  useEffect(() => {
    const draw = () => setBands(toBands(chart, gaps, length))
    const scale = chart.timeScale()
    scale.subscribeVisibleTimeRangeChange(draw)
    scale.subscribeSizeChange(draw)
    draw()
    return () => {
      scale.unsubscribeVisibleTimeRangeChange(draw)
      scale.unsubscribeSizeChange(draw)
    }
  }, [chart, gaps, length, candles])
  return (
    <>
      {bands.map(({ gap, left, width }) => (
        <div
          key={gap.from}
          className={`band ${gap.state}`}
          style={{ left, width }}
          title={gapSentence(gap)}
          data-gap={gap.state}
        />
      ))}
    </>
  )
}
