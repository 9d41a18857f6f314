import { Cex } from "@chaintape/cex"
import { Decimal, type Market, type Timeframe } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { useMemo } from "react"
import { countRequests } from "../../service/Budget.ts"
import { usePolling } from "../../service/usePolling.ts"
import type { Bars } from "./MinuteBars.ts"

/** The bars, with the service's own newest candle instead of the one computed here. */
export const useLastCandle = (
  request: { readonly exchange: string; readonly market: Market; readonly timeframe: Timeframe },
  bars: Bars
): Bars => {
  const { isStale, value } = usePolling(
    JSON.stringify(request),
    Effect.flatMap(Cex, (cex) => countRequests(cex.withResponse.lastCandle(request))),
    "2 seconds"
  )
  return useMemo(() => {
    const last = bars.at(-1)
    if (value === undefined || isStale || last === undefined) return bars
    const { high, low, open, openTime, volume } = value.value
    const start = DateTime.toEpochMillis(openTime) / 1000
    if (start !== last.start) return bars
    // Trades since the candle was read belong to it as well.
    const newest = {
      ...last,
      open: Decimal.toNumber(open),
      high: Math.max(Decimal.toNumber(high), last.high),
      low: Math.min(Decimal.toNumber(low), last.low),
      close: last.close,
      volume: Math.max(Decimal.toNumber(volume), last.volume)
    }
    return [...bars.slice(0, -1), newest]
  }, [bars, isStale, value])
}
