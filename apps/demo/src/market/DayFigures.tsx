import { Figure } from "../parts/Figure.tsx"
import { Time } from "../parts/Time.tsx"
import type { Listing, TradeFeed } from "./feed/TradeFeed.ts"
import { useBars } from "./useBars.ts"

const hours = 24
const hourSeconds = 3600

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2, signDisplay: "exceptZero" })

/** Change, highest and lowest price, and volume over the last day, or since the first trade if that is later. */
export const DayFigures = ({
  decimals,
  feed,
  listing
}: {
  readonly listing: Listing
  readonly feed: TradeFeed | undefined
  readonly decimals: number
}) => {
  const { bars } = useBars(listing, "1h", feed, hours + 1)
  const newest = bars.at(-1)
  if (newest === undefined) return null
  const day = bars.filter(({ start }) => start > newest.start - hours * hourSeconds)
  const [first = newest] = day
  const [base, quote] = listing.market.split("/")
  const price = (value: number) => (
    <>
      <Figure value={value} as="grouped" decimals={decimals} /> {quote}
    </>
  )
  const change = newest.close / first.open - 1
  const volume = day.reduce((sum, bar) => sum + bar.volume, 0)
  const figures = [
    ["Change", <span className={change < 0 ? "down" : "up"}>{percent.format(change)}</span>],
    ["High", price(Math.max(...day.map(({ high }) => high)))],
    ["Low", price(Math.min(...day.map(({ low }) => low)))],
    [
      "Volume",
      <>
        <Figure value={volume} /> {base}
      </>
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
