import type { IChartApiBase } from "lightweight-charts"
import { useEffect, useState } from "react"
import type { ChartCandle, ChartCandles } from "../../chart/ChartCandle.ts"
import { isTimestamp } from "../../chart/isTimestamp.ts"
import { useTimeText } from "../../parts/time/useTimeText.ts"
import "./recording-mark.css"

/** Marks the candle in which the recording begins. */
export const RecordingMark = ({
  candle,
  candles,
  chart,
  from
}: {
  readonly chart: IChartApiBase
  readonly candles: ChartCandles
  readonly candle: ChartCandle
  /** Unix milliseconds. */
  readonly from: number
}) => {
  const [left, setLeft] = useState<number>()
  const timeText = useTimeText()
  useEffect(() => {
    const scale = chart.timeScale()
    const draw = () => setLeft((isTimestamp(candle.start) ? scale.timeToCoordinate(candle.start) : null) ?? undefined)
    scale.subscribeVisibleTimeRangeChange(draw)
    scale.subscribeSizeChange(draw)
    draw()
    return () => {
      scale.unsubscribeVisibleTimeRangeChange(draw)
      scale.unsubscribeSizeChange(draw)
    }
  }, [chart, candle.start, candles])
  return left === undefined ? null : (
    <div className="recording-mark" style={{ left }} data-recorded-from={from}>
      <span>recorded from {timeText(from)}</span>
    </div>
  )
}
