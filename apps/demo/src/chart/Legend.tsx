import type { IChartApiBase, MouseEventParams } from "lightweight-charts"
import { useEffect } from "react"
import { Figure } from "../parts/Figure.tsx"
import { Time } from "../parts/time/Time.tsx"
import type { Claim } from "../proof/Claim.ts"
import { openProof } from "../proof/Claim.ts"
import { Proven } from "../proof/Proven.tsx"
import type { Bar, Bars } from "./Bars.ts"
import "./legend.css"

const names = [
  ["Open", "open"],
  ["High", "high"],
  ["Low", "low"],
  ["Close", "close"]
] as const satisfies ReadonlyArray<readonly [string, keyof Bar]>

/**
 * The values of the selected candle, which is the one under the pointer, or of the newest one. They open its proof, as a
 * click on a candle does.
 */
export const Legend = ({
  bars,
  chart,
  decimals,
  onSelect,
  selected,
  toClaim,
  volumeUnit
}: {
  readonly chart: IChartApiBase | undefined
  readonly bars: Bars
  readonly decimals: number
  readonly volumeUnit: string
  readonly selected: Bar | undefined
  /** Selects the candle that starts then (Unix seconds), or none. */
  readonly onSelect: (start: number | undefined) => void
  readonly toClaim: (bar: Bar) => Claim
}) => {
  useEffect(() => {
    if (chart === undefined) return undefined
    const point = ({ time }: MouseEventParams) => onSelect(time === undefined ? undefined : Number(time))
    const open = ({ time }: MouseEventParams) => {
      const bar = bars.find((one) => one.start === Number(time))
      if (bar !== undefined) openProof(toClaim(bar))
    }
    chart.subscribeCrosshairMove(point)
    chart.subscribeClick(open)
    return () => {
      chart.unsubscribeCrosshairMove(point)
      chart.unsubscribeClick(open)
    }
  }, [chart, bars, onSelect, toClaim])
  const bar = selected ?? bars.at(-1)
  return (
    // What is selected is announced; the newest candle changes all the time.
    <p className="legend quiet" aria-live={selected === undefined ? "off" : "polite"}>
      {bar === undefined ? null : (
        <>
          <Time millis={bar.start * 1000} withDate />
          {names.map(([name, field]) => (
            <span key={field}>
              {name}{" "}
              <Proven of="this candle" claim={() => toClaim(bar)}>
                <Figure value={bar[field].toFixed(decimals)} as="grouped" decimals={decimals} />
              </Proven>
            </span>
          ))}
          <span>
            Volume <Figure value={bar.volume} /> {volumeUnit}
          </span>
        </>
      )}
    </p>
  )
}
