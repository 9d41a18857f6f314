import type { IChartApiBase, MouseEventParams } from "lightweight-charts"
import { useEffect, useRef } from "react"
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

interface ShownPrices {
  readonly decimals: number
  /** Prices of trades have all of their digits; those that are computed are rounded. */
  readonly priceAs: "grouped" | "price"
  readonly toClaim: (candle: ChartCandle) => Claim
}

/** The prices of a candle, each of which opens its proof. */
export const CandlePrices = ({ candle, decimals, priceAs, toClaim }: ShownPrices & { readonly candle: ChartCandle }) =>
  names.map(([name, field]) => (
    <span key={field}>
      {name}{" "}
      <Proven of="this candle" claim={() => toClaim(candle)}>
        <Figure value={candle[field]} as={priceAs} decimals={decimals} />
      </Proven>
    </span>
  ))

/**
 * The values of the selected candle, which is the one under the pointer, or of the newest one. They open its proof, as a
 * click on a candle does.
 */
export const Legend = ({
  candles,
  chart,
  decimals,
  onSelect,
  priceAs,
  selected,
  toClaim,
  volumeUnit
}: ShownPrices & {
  readonly chart: IChartApiBase | undefined
  readonly candles: ChartCandles
  readonly volumeUnit: string
  readonly selected: ChartCandle | undefined
  /** Selects the candle that starts then (Unix seconds), or none. */
  readonly onSelect: (start: number | undefined) => void
}) => {
  // The chart takes the end of a pinch for a tap.
  const isPinch = useRef(false)
  useEffect(() => {
    if (chart === undefined) return undefined
    // A second finger is not primary; a mouse, which may follow the fingers, is.
    const down = ({ isPrimary }: PointerEvent) => {
      isPinch.current = !isPrimary
    }
    const element = chart.chartElement()
    element.addEventListener("pointerdown", down)
    return () => element.removeEventListener("pointerdown", down)
  }, [chart])
  useEffect(() => {
    if (chart === undefined) return undefined
    const point = ({ time }: MouseEventParams) => onSelect(time === undefined ? undefined : Number(time))
    const open = ({ time }: MouseEventParams) => {
      const candle = isPinch.current ? undefined : candles.find((one) => one.start === Number(time))
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
    // Only the selected candle is announced: the newest one changes all the time.
    <p className="legend quiet" aria-live={selected === undefined ? "off" : "polite"}>
      {candle === undefined ? null : (
        <>
          <Time millis={candle.start * 1000} withDate />
          <CandlePrices candle={candle} decimals={decimals} priceAs={priceAs} toClaim={toClaim} />
          <span>
            Volume <Figure value={candle.volume} /> {volumeUnit}
          </span>
        </>
      )}
    </p>
  )
}
