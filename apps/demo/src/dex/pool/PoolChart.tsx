import { type Answer, Decimal, type PoolCandles, type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { useCallback, useMemo } from "react"
import { CandleChart } from "../../chart/CandleChart.tsx"
import type { ChartCandle, ChartCandles } from "../../chart/ChartCandle.ts"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/choice/Choice.tsx"
import { maxDecimals } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { useAt } from "../moment/useAt.ts"
import { TokenLink } from "../name/TokenLink.tsx"
import { TokenName, toSymbol } from "../name/TokenName.tsx"
import { toCandleClaim } from "./PoolClaims.ts"
import type { Direction, Drawn } from "./request/Direction.ts"
import { toCandlesRequest } from "./request/Requests.ts"

const timeframes = ["1m", "5m", "1h", "1d"] as const satisfies ReadonlyArray<Timeframe>

export type PoolTimeframe = (typeof timeframes)[number]

export interface TimeframeChoice {
  readonly timeframe: PoolTimeframe
  readonly choose: (timeframe: PoolTimeframe) => void
}

const toChartCandles = ({ asOf, value }: Answer<PoolCandles>, { isInverted }: Direction): ChartCandles => {
  const isProven = Option.exists(asOf, ({ proven }) => proven)
  const price = (decimal: Decimal.Decimal) => (isInverted ? 1 / Decimal.toNumber(decimal) : Decimal.toNumber(decimal))
  return value.candles.map(({ close, high, low, open, openTime, volumeUSD }) => ({
    start: DateTime.toEpochMillis(openTime) / 1000,
    open: price(open),
    high: price(isInverted ? low : high),
    low: price(isInverted ? high : low),
    close: price(close),
    volume: Decimal.toNumber(volumeUSD),
    isProven
  }))
}

const digits = 6

/** The decimals of a price with so many digits. */
const toDecimals = (price: number) => Math.min(maxDecimals, Math.max(0, digits - 1 - Math.floor(Math.log10(price))))

const Chart = ({
  answer,
  direction,
  moment,
  pool,
  timeframe
}: Drawn & {
  readonly answer: Answer<PoolCandles>
  readonly timeframe: Timeframe
}) => {
  const candles = useMemo(() => toChartCandles(answer, direction), [answer, direction.isInverted])
  const toClaim = useCallback(
    (candle: ChartCandle) => toCandleClaim(moment, answer, pool, timeframe, candle),
    [moment, answer, pool, timeframe]
  )
  const last = candles.at(-1)
  if (last === undefined) return <p className="quiet">There is no swap yet.</p>
  const isProven = candles.every((candle) => candle.isProven)
  return (
    <>
      <CandleChart
        candles={candles}
        length={timeframeSeconds[timeframe]}
        decimals={toDecimals(last.close)}
        priceAs="price"
        toClaim={toClaim}
        volumeUnit="USD"
        label={`${candles.length} candles of ${timeframe} each, of ${toSymbol(direction.base)} in ${toSymbol(direction.quote)}`}
      />
      <p className="quiet note">
        <TokenLink token={direction.quote} moment={moment} /> for one{" "}
        <TokenLink token={direction.base} moment={moment} />, volume in USD.{" "}
        {isProven
          ? "Every event up to this block is proven by the receipts of its block."
          : "The events up to this block are not all proven yet: the candles are pale."}
      </p>
    </>
  )
}

/** The price of a pool as candles of its swaps, as of a block. */
export const PoolChart = ({
  choice: { choose, timeframe },
  direction,
  moment,
  onFlip,
  pool
}: Drawn & { readonly choice: TimeframeChoice; readonly onFlip: () => void }) => {
  const request = toCandlesRequest(moment, pool.id, timeframe)
  const live = useAt(moment, `candles ${pool.id} ${timeframe}`, (dex) => dex.withResponse.candles(request))
  return (
    <Card
      className="candles"
      title="Price"
      aside={
        <>
          <button type="button" className="link" onClick={onFlip}>
            Show <TokenName token={direction.quote} /> in <TokenName token={direction.base} />
          </button>
          <Choice label="Timeframe" choices={timeframes} value={timeframe} onChoose={choose} />
        </>
      }
    >
      <Loaded live={live} waiting="The candles are being read.">
        {(answer) => (
          <Chart answer={answer} moment={answer.moment} pool={pool} direction={direction} timeframe={timeframe} />
        )}
      </Loaded>
    </Card>
  )
}
