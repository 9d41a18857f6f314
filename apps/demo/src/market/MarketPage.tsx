import { type ExchangeSummary, type Market, type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import { useEffect, useState } from "react"
import type { Bars } from "../chart/Bars.ts"
import { CandleChart } from "../chart/CandleChart.tsx"
import { Card } from "../parts/Card.tsx"
import { Choice } from "../parts/Choice.tsx"
import { Old, Problem } from "../parts/Loaded.tsx"
import { marketHref } from "../Route.ts"
import { toShownRequest, useShow } from "../service/Shown.ts"
import type { Status } from "../service/Status.ts"
import { ChartGaps } from "./ChartGaps.tsx"
import { DayFigures } from "./DayFigures.tsx"
import { advance, emptyCandles, withOlder } from "./feed/CandleFeed.ts"
import type { SeenGap } from "./feed/Gaps.ts"
import { seenGaps } from "./feed/Gaps.ts"
import { advance as advanceTrades, emptyFeed, newestIn } from "./feed/TradeFeed.ts"
import { useFeed } from "./feed/useFeed.ts"
import { GapList } from "./GapList.tsx"
import { LastTrade } from "./LastTrade.tsx"
import { MarketPickers } from "./MarketPickers.tsx"
import { Proof } from "./Proof.tsx"
import { Tape } from "./Tape.tsx"
import { useDecimals } from "./useDecimals.ts"

const timeframes = ["1m", "5m", "15m", "1h", "6h", "1d"] as const

const rows = 60

/** The gaps that were seen since the page was opened. */
const useGaps = (exchange: string, market: string, status: Status | undefined): ReadonlyArray<SeenGap> => {
  const [gaps, setGaps] = useState<ReadonlyArray<SeenGap>>([])
  useEffect(() => {
    const recording = status?.recordings.find((one) => one.exchange === exchange && one.market === market)
    if (recording !== undefined) setGaps((before) => seenGaps(before, recording))
  }, [exchange, market, status])
  return gaps
}

const toNote = (bars: Bars): string => {
  const unproven = bars.filter(({ isProven }) => !isProven).length
  if (unproven === 0) return "Recorded trades prove every candle of this chart: none is missing."
  return (
    `Recorded trades prove ${bars.length - unproven} of ${bars.length} candles. The others are pale: they come from the ` +
    "exchange, or trades are missing in them."
  )
}

export const MarketPage = ({
  exchange,
  exchanges,
  market,
  status,
  timeframe
}: {
  readonly exchanges: ReadonlyArray<ExchangeSummary>
  readonly exchange: string
  readonly market: Market
  readonly timeframe: Timeframe
  readonly status: Status | undefined
}) => {
  const listing = { exchange, market }
  const trading = useFeed(`${exchange} ${market}`, {
    empty: emptyFeed,
    advance: (before) => advanceTrades(listing, before)
  })
  const charting = useFeed(`${exchange} ${market} ${timeframe}`, {
    empty: emptyCandles,
    advance: (before) => advance({ ...listing, timeframe }, before),
    older: (before) => withOlder({ ...listing, timeframe }, before)
  })
  const { feed, readAt } = trading
  const { bars } = charting.feed
  const problem = trading.problem ?? charting.problem
  const gaps = useGaps(exchange, market, status)
  useShow([
    toShownRequest(Operations.trades, { ...listing, limit: 200 }),
    toShownRequest(Operations.lastTrade, listing),
    toShownRequest(Operations.candles, { ...listing, timeframe, limit: 500 })
  ])
  const trades = newestIn(feed, rows)
  const decimals = useDecimals(trades)
  const isWaiting = feed.coverage === undefined && trades.length === 0 && problem === undefined
  return (
    <>
      <h1 className="hidden">
        {market} on {exchange}
      </h1>
      <div className="bar">
        <MarketPickers
          exchange={exchange}
          exchanges={exchanges}
          market={market}
          status={status}
          timeframe={timeframe}
        />
        <LastTrade trade={trades[0]} isWaiting={isWaiting} market={market} decimals={decimals} />
        <DayFigures exchange={exchange} market={market} decimals={decimals} />
      </div>
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      {problem === undefined || trades.length === 0 ? null : <Old readAt={readAt} />}
      {problem !== undefined && trades.length === 0 ? null : (
        <div className={`market ${problem === undefined ? "" : "old"}`}>
          <Card
            className="candles"
            title="Candles"
            aside={
              <Choice
                label="Timeframe"
                choices={timeframes}
                value={timeframe}
                onChoose={(choice) => window.location.replace(marketHref(exchange, market, choice))}
              />
            }
          >
            <CandleChart
              bars={bars}
              length={timeframeSeconds[timeframe]}
              decimals={decimals}
              label={`${bars.length} candles of ${market} of ${timeframe} each`}
              onBeginning={charting.wantOlder}
              over={(chart) => <ChartGaps chart={chart} gaps={gaps} length={timeframeSeconds[timeframe]} bars={bars} />}
            />
            {bars.length === 0 ? null : <p className="quiet note">{toNote(bars)}</p>}
            <GapList gaps={gaps} />
          </Card>
          <Card className="trades" title="Trades" aside={<Proof coverage={feed.coverage} />}>
            {trades.length > 0 ? (
              <Tape trades={trades} gaps={gaps} decimals={decimals} />
            ) : isWaiting ? (
              <p className="quiet waiting">The trades are being read.</p>
            ) : (
              <p className="quiet">There is no trade yet.</p>
            )}
          </Card>
        </div>
      )}
    </>
  )
}
