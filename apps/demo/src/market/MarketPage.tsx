import { type ExchangeSummary, type Market, Timeframe, timeframeSeconds } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import { useCallback, useMemo, useReducer } from "react"
import type { Bar, Bars } from "../chart/Bars.ts"
import { CandleChart } from "../chart/CandleChart.tsx"
import { Card } from "../parts/Card.tsx"
import { Choice } from "../parts/choice/Choice.tsx"
import { Outdated } from "../parts/Loaded.tsx"
import { Time } from "../parts/time/Time.tsx"
import { marketHref } from "../route/Route.ts"
import { toShownRequest, useShow } from "../service/Shown.ts"
import type { Status } from "../service/Status.ts"
import { useStream } from "../service/useStream.ts"
import { toBarClaim } from "./claims/MarketClaims.ts"
import { CoverageBadge } from "./CoverageBadge.tsx"
import { withoutProof } from "./feed/Gaps.ts"
import { findRecordingStart } from "./feed/RecordingStart.ts"
import { followTrades, tapeRows } from "./feed/TradeFeed.ts"
import { useBars } from "./feed/useBars.ts"
import { DayFigures } from "./figures/DayFigures.tsx"
import { LastTrade } from "./figures/LastTrade.tsx"
import { ChartGaps } from "./gaps/ChartGaps.tsx"
import { GapList } from "./gaps/GapList.tsx"
import { RecordingMark } from "./gaps/RecordingMark.tsx"
import { MarketPickers } from "./MarketPickers.tsx"
import { RecordedMarkets } from "./RecordedMarkets.tsx"
import { Tape } from "./tape/Tape.tsx"
import { useDecimals } from "./useDecimals.ts"
import { useGaps } from "./useGaps.ts"
import "./market.css"

/** Candles in a page. */
const candles = 500

const toNote = (bars: Bars, isIncomplete: boolean): string => {
  const unproven = bars.filter(({ isProven }) => !isProven).length
  if (unproven === 0 && isIncomplete) return "Trades are missing: the candles of that time are not proven, or absent."
  if (unproven === 0)
    return "Recorded trades prove every candle of this chart: none is missing. A hollow candle is still open."
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
  const [run, startOver] = useReducer((count: number) => count + 1, 0)
  const trading = useStream(`trades ${run}`, followTrades(listing))
  const feed = trading.value
  const { bars: read, problem: chartProblem, wantOlder } = useBars(listing, timeframe, feed, candles)
  const problem = trading.problem ?? chartProblem
  // A stream does not send the trades of a gap that is closed later: they are read from the start.
  const gaps = useGaps(listing, feed?.coverage, startOver)
  const missing = gaps.filter(({ state }) => state !== "healed")
  const bars = useMemo(
    () => withoutProof(read, missing, timeframeSeconds[timeframe]),
    [read, timeframe, JSON.stringify(missing)]
  )
  const toClaim = useCallback(
    (bar: Bar) => toBarClaim({ exchange, market }, timeframe, bar),
    [exchange, market, timeframe]
  )
  useShow([
    toShownRequest(Operations.trades, { ...listing, limit: tapeRows }),
    toShownRequest(Operations.candles, { ...listing, timeframe, limit: candles })
  ])
  const trades = feed?.trades ?? []
  const recording = status?.recordings.find((one) => one.exchange === exchange && one.market === market)
  const isIncomplete = missing.length > 0 || feed?.coverage === "incomplete"
  const since = isIncomplete ? undefined : (recording?.from ?? undefined)
  const recordedFrom = recording?.from ?? undefined
  const first = findRecordingStart(bars, recordedFrom, timeframeSeconds[timeframe])
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
        <DayFigures listing={listing} feed={feed} decimals={decimals} />
      </div>
      {problem === undefined ? null : <Outdated problem={problem} readAt={trading.readAt} />}
      {problem !== undefined && trades.length === 0 ? null : (
        <div className={`market ${problem === undefined ? "" : "old"}`}>
          <Card
            className="candles"
            title="Candles"
            aside={
              <Choice
                label="Timeframe"
                choices={Timeframe.literals}
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
              onBeginning={wantOlder}
              toClaim={toClaim}
              volumeUnit={market.split("/")[0] ?? ""}
              over={(chart) => (
                <>
                  <ChartGaps chart={chart} gaps={gaps} length={timeframeSeconds[timeframe]} bars={bars} />
                  {first === undefined || recordedFrom === undefined ? null : (
                    <RecordingMark chart={chart} bars={bars} bar={first} from={recordedFrom} />
                  )}
                </>
              )}
            />
            {bars.length === 0 ? null : (
              <p className="quiet note">
                {toNote(bars, isIncomplete)}
                {first === undefined || recordedFrom === undefined ? null : (
                  <>
                    {" "}
                    Recorded from <Time millis={recordedFrom} withDate />: the candle of that time is not recorded
                    whole.
                  </>
                )}
              </p>
            )}
            <GapList gaps={gaps} />
          </Card>
          <Card
            className="trades"
            title="Trades"
            aside={<CoverageBadge listing={listing} state={feed?.coverage} trades={trades} since={since} />}
          >
            {trades.length > 0 ? (
              <Tape listing={listing} trades={trades} gaps={gaps} decimals={decimals} />
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
