import type { IChartApiBase, MouseEventParams } from "lightweight-charts"
import { useEffect } from "react"
import { Figure } from "../parts/Figure.tsx"
import { Time } from "../parts/time/Time.tsx"
import type { Claim } from "../proof/Claim.ts"
import { openProof } from "../proof/Claim.ts"
import { Proven } from "../proof/Proven.tsx"
import type { ChartCandle, ChartCandles } from "./ChartCandle.ts"
import "./legend.css"

const names = [
  ["Open", "open"],
  ["High", "high"],
  ["Low", "low"],
  ["Close", "close"]
] as const satisfies ReadonlyArray<readonly [string, keyof ChartCandle]>

/**
 * The values of the selected candle, which is the one under the pointer, or of the newest one. They open its proof, as a
 * click on a candle does.
 */
export const Legend = ({
  candles,
  chart,
  decimals,
  onSelect,
  selected,
  toClaim,
  volumeUnit
}: {
  readonly chart: IChartApiBase | undefined
  readonly candles: ChartCandles
  readonly decimals: number
  readonly volumeUnit: string
  readonly selected: ChartCandle | undefined
  /** Selects the candle that starts then (Unix seconds), or none. */
  readonly onSelect: (start: number | undefined) => void
  readonly toClaim: (candle: ChartCandle) => Claim
}) => {
  useEffect(() => {
    if (chart === undefined) return undefined
    const point = ({ time }: MouseEventParams) => onSelect(time === undefined ? undefined : Number(time))
    const open = ({ time }: MouseEventParams) => {
      const candle = candles.find((one) => one.start === Number(time))
      if (candle !== undefined) openProof(toClaim(candle))
    }
    chart.subscribeCrosshairMove(point)
    chart.subscribeClick(open)
    return () => {
      chart.unsubscribeCrosshairMove(point)
      chart.unsubscribeClick(open)
    }
  }, [chart, candles, onSelect, toClaim])
  const candle = selected ?? candles.at(-1)
  return (
    // What is selected is announced; the newest candle changes all the time.
    <p className="legend quiet" aria-live={selected === undefined ? "off" : "polite"}>
      {candle === undefined ? null : (
        <>
          <Time millis={candle.start * 1000} withDate />
          {names.map(([name, field]) => (
            <span key={field}>
              {name}{" "}
              <Proven of="this candle" claim={() => toClaim(candle)}>
                <Figure value={candle[field].toFixed(decimals)} as="grouped" decimals={decimals} />
              </Proven>
            </span>
          ))}
          <span>
            Volume <Figure value={candle.volume} /> {volumeUnit}
          </span>
        </>
      )}
    </p>
  )
}
