import { isCandleClosed, type Market, type Timeframe, timeframeSeconds } from "@chaintape/core"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { getMaxLimit } from "../../internal/getMaxLimit.ts"
import { downloadFlags, runDownload } from "../download/DownloadCommand.ts"
import type { DownloadRequest, Subject } from "../download/DownloadRequest.ts"
import { downloadRequest } from "../download/DownloadRequest.ts"
import type { Shape } from "../download/Row.ts"
import { timeframeArgument } from "../download/timeframeArgument.ts"
import { wrongUsage } from "../terminal/CommandError.ts"
import { toIso } from "../terminal/TimeArgument.ts"
import { exchangeArgument, marketArgument } from "./MarketArguments.ts"
import { marketPages } from "./MarketPages.ts"

const unit = "candles"
const maxPage = getMaxLimit("cex.candles")

const shape: Shape = {
  list: "aggregates",
  id: "t",
  columns: [
    { name: "timestamp", member: "t", type: "milliseconds" },
    { name: "open", member: "o", type: "decimal" },
    { name: "high", member: "h", type: "decimal" },
    { name: "low", member: "l", type: "decimal" },
    { name: "close", member: "c", type: "decimal" },
    { name: "volume", member: "v", type: "decimal" }
  ]
}

const toSubject = (exchange: string, market: Market, timeframe: Timeframe): Subject => ({
  unit: `${timeframe} ${unit}`,
  name: `${market} on ${exchange}`,
  shape,
  maxPage,
  hasUniqueTimes: true,
  isBounded: true
})

/** The start of the newest closed candle. */
const getNewestClosed = (timeframe: Timeframe, now: DateTime.Utc): number => {
  const frame = timeframeSeconds[timeframe] * 1000
  const last = (Math.floor(DateTime.toEpochMillis(now) / frame) - 1) * frame
  return isCandleClosed({ openTime: DateTime.makeUnsafe(last), timeframe }, now) ? last : last - frame
}

/** A candle that is still open can change: it is not downloaded. */
const endAtClosedCandle = Effect.fnUntraced(function* ({ range, ...request }: DownloadRequest, timeframe: Timeframe) {
  const until = Math.min(range.until, getNewestClosed(timeframe, yield* DateTime.now))
  if (range._tag === "Between" && range.since > until) {
    return yield* wrongUsage(
      `No candle of ${timeframe} that starts at ${toIso(range.since)} or later is closed yet: give an earlier --since.`
    )
  }
  return { ...request, range: { ...range, until } } satisfies DownloadRequest
})

export const candles = Command.make(
  "candles",
  {
    exchange: exchangeArgument,
    market: marketArgument,
    timeframe: timeframeArgument,
    ...downloadFlags(unit, maxPage)
  },
  Effect.fnUntraced(function* (input) {
    const { exchange, market, timeframe } = input
    const subject = toSubject(exchange, market, timeframe)
    const request = yield* endAtClosedCandle(yield* downloadRequest(input, subject), timeframe)
    yield* runDownload(request, input, marketPages({ exchange, market, timeframe }, subject))
  })
).pipe(
  Command.withShortDescription("Write the candles of a market into a file"),
  Command.withDescription(
    "Writes the closed candles of a market into a file, and says what is proven about them. The same command continues an " +
      "interrupted download."
  ),
  Command.withExamples([
    {
      command: "chaintape candles sandbox BTC-USD 1m --since 30d --out candles.parquet",
      description: "The candles of a month"
    },
    { command: "chaintape candles kraken BTC-USD 1d --last 100 --out days.csv", description: "Those of 100 days" }
  ])
)
