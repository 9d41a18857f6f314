import { Cex } from "@chaintape/cex"
import { Decimal, type Market } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Figure } from "../parts/Figure.tsx"
import { Time } from "../parts/Time.tsx"
import { countRequests } from "../service/Budget.ts"
import { usePolling } from "../service/usePolling.ts"

const hours = 24
const hourMs = 3_600_000

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2, signDisplay: "exceptZero" })

const readHours = (exchange: string, market: Market) =>
  Effect.gen(function* () {
    const cex = yield* Cex
    const since = DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - hours * hourMs)
    return yield* countRequests(
      cex.withResponse.candles({ exchange, market, timeframe: "1h", since, limit: hours + 1 })
    )
  })

/** Change, highest and lowest price, and volume over the last day, or since the first trade if that is later. */
export const DayFigures = ({
  decimals,
  exchange,
  market
}: {
  readonly exchange: string
  readonly market: Market
  readonly decimals: number
}) => {
  const { value } = usePolling(`day ${exchange} ${market}`, readHours(exchange, market), "15 seconds")
  const candles = value?.value.candles ?? []
  const [first] = candles
  const last = candles.at(-1)
  if (first === undefined || last === undefined) return null
  const [base, quote] = market.split("/")
  const price = (value: number) => (
    <>
      <Figure value={value} as="grouped" decimals={decimals} /> {quote}
    </>
  )
  const change = Decimal.toNumber(last.close) / Decimal.toNumber(first.open) - 1
  const volume = candles.reduce((sum, candle) => sum + Decimal.toNumber(candle.volume), 0)
  const figures = [
    ["Change", <span className={change < 0 ? "down" : "up"}>{percent.format(change)}</span>],
    ["High", price(Math.max(...candles.map(({ high }) => Decimal.toNumber(high))))],
    ["Low", price(Math.min(...candles.map(({ low }) => Decimal.toNumber(low))))],
    [
      "Volume",
      <>
        <Figure value={volume} /> {base}
      </>
    ],
    ["Since", <Time millis={DateTime.toEpochMillis(first.openTime)} withDate />]
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
