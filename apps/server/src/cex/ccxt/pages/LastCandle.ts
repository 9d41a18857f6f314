import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Effect, Option } from "effect"
import type { SourceCandle } from "../../ExchangeSource.ts"
import { candlePage, combineCandles, hasTrade, noCandles, toSources } from "./CandleReads.ts"
import type { CandleReads, FrameSource } from "./CandleReads.ts"

/** Rows to request: below the smallest page size of any exchange, above twice the parts of any derived candle. */
const recentRows = 100

/** The newest candle with a trade, of the exchange's own timeframe or aggregated from a shorter one. */
export const lastCandle = Effect.fnUntraced(function* (reads: CandleReads, timeframe: Timeframe) {
  const frame = timeframeSeconds[timeframe] * 1000
  for (const source of toSources(reads, timeframe)) {
    const { part } = source
    if (frame / part > recentRows / 2) break
    const { newest, rows: recent } = yield* newestWithTrade(reads, source)
    // The exchange's candles may start at a time of its own, such as local midnight.
    if (recent.some(({ start }) => start % part !== 0)) continue
    if (newest === undefined || part === frame) return Option.fromUndefinedOr(newest)
    const start = Math.floor(newest.start / frame) * frame
    const rows = recent.some((row) => row.start <= start)
      ? recent
      : [...recent, ...(yield* candlePage(reads, source, recentRows, start))]
    return Option.fromUndefinedOr(combineCandles(start, toParts(rows, start, frame)))
  }
  return yield* noCandles(reads, timeframe)
})

const newestWithTrade = Effect.fnUntraced(function* (reads: CandleReads, source: FrameSource) {
  const { part } = source
  const recent = yield* candlePage(reads, source, recentRows)
  const newest = recent.findLast(hasTrade)
  const traded = newest === undefined ? yield* reads.lastTradeTime : Option.none()
  if (Option.isNone(traded)) return { rows: recent, newest }
  // One part earlier than a UTC candle needs, because the exchange's own may start at another time.
  const rows = yield* candlePage(reads, source, recentRows, Math.floor(traded.value / part) * part - part)
  const found = rows.findLast(hasTrade)
  if (found === undefined) {
    return yield* reads.upstream.fail(
      "BadResponse",
      `The exchange "${reads.upstream.id}" lists a trade at ${traded.value} but no candle that holds it.`
    )
  }
  return { rows, newest: found }
})

/** The parts of a candle in order, each once, without the empty ones that an exchange adds if nothing was traded. */
const toParts = (rows: ReadonlyArray<SourceCandle>, start: number, frame: number): ReadonlyArray<SourceCandle> => {
  const inside = rows.filter((row) => row.start >= start && row.start < start + frame && hasTrade(row))
  return [...new Map(inside.map((row) => [row.start, row])).values()].sort((left, right) => left.start - right.start)
}
