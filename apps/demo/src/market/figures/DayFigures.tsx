import type { ReactNode } from "react"
import type { ChartCandles } from "../../chart/ChartCandle.ts"
import { Figure } from "../../parts/Figure.tsx"
import { Time } from "../../parts/time/Time.tsx"
import type { Listing } from "../../proof/Claim.ts"
import { Proven } from "../../proof/Proven.tsx"
import { toDayClaim } from "../claims/MarketClaims.ts"
import type { TradeFeed } from "../feed/TradeFeed.ts"
import { useCandles } from "../feed/useCandles.ts"
import "./day-figures.css"

const hours = 24
const hourSeconds = 3600

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2, signDisplay: "exceptZero" })

const getChange = (candles: ChartCandles) => (candles.at(-1)?.close ?? 0) / (candles[0]?.open ?? 1) - 1
const getHigh = (candles: ChartCandles) => Math.max(...candles.map(({ high }) => high))
const getLow = (candles: ChartCandles) => Math.min(...candles.map(({ low }) => low))
const getVolume = (candles: ChartCandles) => candles.reduce((sum, { volume }) => sum + volume, 0)

/** Change, highest and lowest price, and volume over the last day, or since the first trade if that is later. */
export const DayFigures = ({
  decimals,
  feed,
  listing,
  run
}: {
  readonly listing: Listing
  readonly feed: TradeFeed | undefined
  /** As in `useCandles`. */
  readonly run: number
  readonly decimals: number
}) => {
  const { candles } = useCandles(listing, "1h", feed, run, hours + 1)
  const newest = candles.at(-1)
  if (newest === undefined) return <div className="day" />
  const day = candles.filter(({ start }) => start > newest.start - hours * hourSeconds)
  const [first = newest] = day
  const [base, quote] = listing.market.split("/")
  const change = getChange(day)
  const toFigure = (name: string, toValue: (candles: ChartCandles) => number, figure: (value: number) => ReactNode) => (
    <Proven of={name} claim={() => toDayClaim(listing, day, name, toValue)}>
      {figure(toValue(day))}
    </Proven>
  )
  const price = (value: number) => (
    <>
      <Figure value={value} as="grouped" decimals={decimals} /> {quote}
    </>
  )
  const figures = [
    [
      "Change",
      <span className={change < 0 ? "down" : "up"}>
        {toFigure("Change", getChange, (value) => percent.format(value))}
      </span>
    ],
    ["High", toFigure(`High, ${quote}`, getHigh, price)],
    ["Low", toFigure(`Low, ${quote}`, getLow, price)],
    [
      "Volume",
      toFigure(`Volume, ${base}`, getVolume, (value) => (
        <>
          <Figure value={value} /> {base}
        </>
      ))
    ],
    ["Since", <Time millis={first.start * 1000} withDate />]
  ] as const
  return (
    <dl className="day">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
