import { type Market, Timeframe, timeframeSeconds } from "@chaintape/core"
import { useCallback } from "react"
import { CandleChart } from "../chart/CandleChart.tsx"
import type { ChartCandle, ChartCandles } from "../chart/ChartCandle.ts"
import { Card } from "../parts/Card.tsx"
import { Choice } from "../parts/choice/Choice.tsx"
import { marketHref, replaceHref } from "../route/Route.ts"
import { CandleNote, NoCandles } from "./CandleNote.tsx"
import { toCandleClaim } from "./claims/MarketClaims.ts"
import type { SeenGap } from "./feed/Gaps.ts"
import { findRecordingStart } from "./feed/RecordingStart.ts"
import { ChartGaps } from "./gaps/ChartGaps.tsx"
import { RecordingMark } from "./gaps/RecordingMark.tsx"
import { TapeGaps } from "./gaps/TapeGaps.tsx"

interface MarketCandlesProps {
  readonly exchange: string
  readonly market: Market
  readonly timeframe: Timeframe
  readonly candles: ChartCandles
  readonly gaps: ReadonlyArray<SeenGap>
  readonly decimals: number
  /** Whether trades of the tape are missing. */
  readonly isIncomplete: boolean
  /** Whether neither candles nor a problem have come yet. */
  readonly isWaiting: boolean
  /** Whether the page says why candles are missing. */
  readonly hasProblem: boolean
  /** When the recording began, in Unix milliseconds. */
  readonly recordedFrom: number | undefined
  /** The user has scrolled to the oldest candle. */
  readonly onBeginning: () => void
}

/** The candles of a market, with what proves them and the gaps in their time. */
export const MarketCandles = ({
  candles,
  decimals,
  exchange,
  gaps,
  hasProblem,
  isIncomplete,
  isWaiting,
  market,
  onBeginning,
  recordedFrom,
  timeframe
}: MarketCandlesProps) => {
  const toClaim = useCallback(
    (candle: ChartCandle) => toCandleClaim({ exchange, market }, timeframe, candle),
    [exchange, market, timeframe]
  )
  const first = findRecordingStart(candles, recordedFrom, timeframeSeconds[timeframe])
  return (
    <Card
      className="candles"
      title="Candles"
      aside={
        <Choice
          label="Timeframe"
          choices={Timeframe.literals}
          value={timeframe}
          onChoose={(choice) => replaceHref(marketHref(exchange, market, choice))}
        />
      }
    >
      <CandleChart
        candles={candles}
        length={timeframeSeconds[timeframe]}
        decimals={decimals}
        priceAs="grouped"
        label={`${candles.length} candles of ${market} of ${timeframe} each`}
        onBeginning={onBeginning}
        toClaim={toClaim}
        volumeUnit={market.split("/")[0] ?? ""}
        over={(chart) => (
          <>
            <ChartGaps chart={chart} gaps={gaps} length={timeframeSeconds[timeframe]} candles={candles} />
            {first === undefined || recordedFrom === undefined ? null : (
              <RecordingMark chart={chart} candles={candles} candle={first} from={recordedFrom} />
            )}
          </>
        )}
      />
      {candles.length === 0 ? (
        <NoCandles isWaiting={isWaiting} hasProblem={hasProblem} />
      ) : (
        <CandleNote
          candles={candles}
          isIncomplete={isIncomplete}
          recordedFrom={first === undefined ? undefined : recordedFrom}
        />
      )}
      <TapeGaps gaps={gaps} />
    </Card>
  )
}
