import type { Market, Timeframe } from "@chaintape/core"
import { timeframeSeconds } from "@chaintape/core"
import type { ExchangeSummary } from "@chaintape/core"
import * as Operations from "@chaintape/core/api/CexOperations"
import { useEffect, useMemo, useState } from "react"
import { Card } from "../parts/Card.tsx"
import { Choice } from "../parts/Choice.tsx"
import { Old, Problem } from "../parts/Loaded.tsx"
import { marketHref } from "../Route.ts"
import { toShownRequest, useShow } from "../service/Shown.ts"
import type { Status } from "../service/Status.ts"
import { CandleChart } from "./chart/CandleChart.tsx"
import type { SeenGap } from "./feed/Gaps.ts"
import { seenGaps } from "./feed/Gaps.ts"
import { toLongerBars } from "./feed/MinuteBars.ts"
import { minutesIn, newestIn } from "./feed/TradeFeed.ts"
import { useFeed } from "./feed/useFeed.ts"
import { useLastCandle } from "./feed/useLastCandle.ts"
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
  const { feed, problem, readAt, wantOlder } = useFeed(exchange, market)
  const gaps = useGaps(exchange, market, status)
  const length = timeframeSeconds[timeframe]
  const built = useMemo(() => toLongerBars(minutesIn(feed), length), [feed, length])
  const bars = useLastCandle({ exchange, market, timeframe }, built)
  const listing = { exchange, market }
  useShow([
    toShownRequest(Operations.trades, { ...listing, limit: 200 }),
    toShownRequest(Operations.lastTrade, listing),
    toShownRequest(Operations.lastCandle, { ...listing, timeframe })
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
              gaps={gaps}
              length={length}
              label={`${bars.length} candles of ${market} of ${timeframe} each`}
              onBeginning={wantOlder}
            />
            {bars.length === 0 ? null : (
              <p className="quiet note">
                Made here from the trades that the service gives
                {feed.isWhole ? ", from the first one it has" : "; scroll back for older ones"}. The newest is the
                service’s own.
              </p>
            )}
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
