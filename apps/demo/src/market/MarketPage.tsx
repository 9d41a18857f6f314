import { type ExchangeSummary, type Market, type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import { useMemo, useReducer } from "react"
import { Outdated } from "../parts/Loaded.tsx"
import { toShownRequest, useShowRequests } from "../service/ShownRequests.ts"
import type { Status } from "../service/Status.ts"
import { useStream } from "../service/useStream.ts"
import { markUnproven } from "./feed/Gaps.ts"
import { followTrades, tapeRows } from "./feed/TradeFeed.ts"
import { useCandles } from "./feed/useCandles.ts"
import { DayFigures } from "./figures/DayFigures.tsx"
import { LastTrade } from "./figures/LastTrade.tsx"
import { MarketCandles } from "./MarketCandles.tsx"
import { MarketPickers } from "./MarketPickers.tsx"
import { MarketTrades } from "./MarketTrades.tsx"
import { RecordedMarkets } from "./RecordedMarkets.tsx"
import { useDecimals } from "./useDecimals.ts"
import { useGaps } from "./useGaps.ts"
import "./market.css"

/** Candles in a page. */
const pageSize = 500

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
  const [run, startOver] = useReducer((count: number) => count + 1, 0)
  const trading = useStream(`trades ${exchange} ${market} ${run}`, followTrades(listing))
  const feed = trading.value
  const history = useCandles(listing, timeframe, feed, run, pageSize)
  const { candles: read, problem: chartProblem, wantOlder } = history
  const problem = trading.problem ?? chartProblem
  // A stream does not send the trades of a gap that is closed later: they are read from the start.
  const gaps = useGaps(listing, feed?.coverage, startOver)
  const missing = gaps.filter(({ state }) => state !== "filled")
  const candles = useMemo(
    () => markUnproven(read, missing, timeframeSeconds[timeframe]),
    [read, timeframe, JSON.stringify(missing)]
  )
  useShowRequests([
    toShownRequest(Operations.trades, { ...listing, limit: tapeRows }),
    toShownRequest(Operations.candles, { ...listing, timeframe, limit: pageSize })
  ])
  const trades = feed?.trades ?? []
  const recording = status?.recordings.find((one) => one.exchange === exchange && one.market === market)
  const isIncomplete = missing.length > 0 || feed?.coverage === "incomplete"
  const recordedFrom = recording?.from ?? undefined
  const decimals = useDecimals(trades)
  const isWaiting = feed === undefined && problem === undefined
  return (
    <>
      <h1 className="hidden">
        {market} on {exchange}
      </h1>
      <RecordedMarkets coverage={feed?.coverage} exchange={exchange} market={market} />
      <div className="bar">
        <MarketPickers
          exchange={exchange}
          exchanges={exchanges}
          market={market}
          status={status}
          timeframe={timeframe}
        />
        <LastTrade trade={trades[0]} isWaiting={isWaiting} listing={listing} decimals={decimals} />
        <DayFigures listing={listing} feed={feed} run={run} decimals={decimals} />
      </div>
      {problem === undefined ? null : <Outdated problem={problem} readAt={trading.readAt} />}
      {problem !== undefined && trades.length === 0 ? null : (
        <div className={`market ${problem === undefined ? "" : "old"}`}>
          <MarketCandles
            exchange={exchange}
            market={market}
            timeframe={timeframe}
            candles={candles}
            gaps={gaps}
            decimals={decimals}
            isIncomplete={isIncomplete}
            isWaiting={history.isWaiting}
            hasProblem={problem !== undefined}
            recordedFrom={recordedFrom}
            onBeginning={wantOlder}
          />
          <MarketTrades
            listing={listing}
            feed={feed}
            gaps={gaps}
            decimals={decimals}
            isWaiting={isWaiting}
            since={isIncomplete ? undefined : recordedFrom}
          />
        </div>
      )}
    </>
  )
}
