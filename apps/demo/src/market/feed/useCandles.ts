import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { useCallback, useMemo, useRef } from "react"
import type { ChartCandles } from "../../chart/ChartCandle.ts"
import type { Listing } from "../../proof/Claim.ts"
import { useStream } from "../../service/useStream.ts"
import { readHistory } from "./History.ts"
import { toLonger } from "./Minutes.ts"
import type { TradeFeed } from "./TradeFeed.ts"

/**
 * The candles of a market: read once for each `run`, and continued by the trades of the feed. `limit` is the number in a
 * page.
 */
export const useCandles = (
  { exchange, market }: Listing,
  timeframe: Timeframe,
  feed: TradeFeed | undefined,
  run: number,
  limit: number
) => {
  const resume = useRef<() => void>(undefined)
  const wanted = Effect.callback<void>((done) => {
    resume.current = () => done(Effect.void)
  })
  const { isStale, problem, value } = useStream(
    `candles ${exchange} ${market} ${timeframe} ${run} ${feed?.start}`,
    feed === undefined
      ? () => Stream.empty
      : readHistory({ exchange, market, timeframe, before: feed.start, limit }, wanted)
  )
  const drawn = useRef<{ readonly timeframe: Timeframe; readonly candles: ChartCandles }>({ timeframe, candles: [] })
  const candles = useMemo(() => {
    // Until its history is read, the candles of another feed stay.
    if (isStale || value === undefined || feed === undefined)
      return drawn.current.timeframe === timeframe ? drawn.current.candles : []
    return [...value.candles, ...toLonger([...value.minutes, ...feed.minutes], timeframeSeconds[timeframe])]
  }, [isStale, value, feed, timeframe])
  drawn.current = { timeframe, candles }
  const wantOlder = useCallback(() => resume.current?.(), [])
  const isWaiting = problem === undefined && (isStale || value === undefined)
  return { candles, isWaiting, problem, wantOlder }
}
