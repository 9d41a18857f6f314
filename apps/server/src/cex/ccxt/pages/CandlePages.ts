import { timeframeSeconds } from "@chaintape/core"
import { Effect, Option } from "effect"
import { dayMs, toDayStart } from "../../../internal/day.ts"
import type { CandlesWanted, ExchangeError, SourceCandle } from "../../ExchangeSource.ts"
import { earliestTrade } from "../../TradeTime.ts"
import { candlePage, combineCandles, hasTrade, noCandles, toSources } from "./CandleSource.ts"
import type { CandleReads, FrameSource } from "./CandleSource.ts"

/** The exchange's candles of one length, in windows that fit into a page. */
interface Windows extends CandleReads {
  readonly source: FrameSource
  /** Milliseconds. */
  readonly length: number
}

/** Below the smallest page size of any exchange. */
const defaultRows = 100

/** The candles with a trade in one window, which starts at `start`; undefined if the exchange's start at other times. */
const readWindow = Effect.fnUntraced(function* (windows: Windows, start: number) {
  const { length, source } = windows
  const rows = yield* candlePage(windows, source, Math.round(length / source.part), start)
  return rows.some((row) => row.start % source.part !== 0)
    ? undefined
    : rows.filter((row) => row.start >= start && row.start < start + length && hasTrade(row))
})

/**
 * The time from which a walk continues after a window without a trade, by candles of a day, which may start at a time of
 * their own, such as local midnight: the first day forward, or the end of the last day backward, that has a trade.
 * `isFound` is false if the days of one page have none; forward, `time` is then their end.
 */
const skipDays = Effect.fnUntraced(function* (days: Windows, time: number, isForward: boolean) {
  const first = toDayStart(time)
  const start = isForward ? first - dayMs : first + 2 * dayMs - days.length
  const rows = (yield* candlePage(days, days.source, days.length / dayMs, start)).filter(hasTrade)
  const day = isForward ? rows.find((row) => row.start + dayMs > time) : rows.findLast((row) => row.start <= time)
  if (day === undefined) return { isFound: false, time: start + days.length }
  return { isFound: true, time: isForward ? day.start : day.start + dayMs - 1 }
})

/** The time of the newest trade; none if the exchange has no trades of the market. A failure of the moment decides nothing. */
const findLastTrade = ({ lastTradeTime }: Windows) =>
  Effect.catchIf(
    lastTradeTime,
    ({ reason }) => reason === "NotSupported",
    () => Effect.succeedNone
  )

/** Aggregates the parts of each candle. */
const toCandles = (rows: ReadonlyArray<SourceCandle>, frame: number): ReadonlyArray<SourceCandle> =>
  [...Map.groupBy(rows, ({ start }) => Math.floor(start / frame) * frame)].flatMap(
    ([start, parts]) => combineCandles(start, parts) ?? []
  )

/** Reads window after window, until there are enough candles; undefined if the exchange's start at other times. */
const walk = Effect.fnUntraced(function* (
  windows: Windows,
  days: Windows | undefined,
  { from, limit, take, to }: Omit<CandlesWanted, "timeframe">,
  frame: number
): Effect.fn.Return<ReadonlyArray<SourceCandle> | undefined, ExchangeError> {
  const isForward = take === "first"
  const { length } = windows
  const toStart = (time: number) => Math.floor(time / frame) * frame
  const pages: Array<ReadonlyArray<SourceCandle>> = []
  let count = 0
  let [low, high] = [Math.max(from, Math.ceil(earliestTrade / frame) * frame), to]
  while (count < limit && low <= high) {
    const start = isForward ? low : high + frame - length
    const rows = yield* readWindow(windows, start)
    if (rows === undefined) return undefined
    const found = toCandles(rows, frame).filter((candle) => candle.start >= low && candle.start <= high)
    pages.push(found)
    count += found.length
    if (isForward) low = start + length
    else high = start - frame
    if (rows.length > 0 || low > high) continue
    const skip = days === undefined ? undefined : yield* skipDays(days, isForward ? low : high, isForward)
    if (isForward) {
      if (skip !== undefined) low = Math.max(low, toStart(skip.time))
    } else if (skip?.isFound === true) {
      high = Math.min(high, toStart(skip.time))
    } else {
      // The end of the candles, except in a market without a recent trade.
      const traded = count === 0 ? yield* findLastTrade(windows) : Option.none()
      if (Option.isNone(traded) || toStart(traded.value) > high) break
      high = toStart(traded.value)
    }
  }
  const candles = (isForward ? pages : pages.reverse()).flat()
  return isForward ? candles.slice(0, limit) : candles.slice(-limit)
})

/** A selection of candles, of the exchange's own timeframe or aggregated from a shorter one. */
export const readCandles = Effect.fnUntraced(function* (
  reads: CandleReads,
  wanted: CandlesWanted
): Effect.fn.Return<ReadonlyArray<SourceCandle>, ExchangeError> {
  const frame = timeframeSeconds[wanted.timeframe] * 1000
  const rows = reads.upstream.quirk.candleRows ?? defaultRows
  const toWindows = (source: FrameSource): Windows => ({
    ...reads,
    source,
    length: Math.floor((rows * source.part) / frame) * frame
  })
  const [day] = toSources(reads, "1d")
  const days = day?.part === dayMs && frame < dayMs ? { ...reads, source: day, length: rows * dayMs } : undefined
  for (const source of toSources(reads, wanted.timeframe)) {
    if (frame / source.part > rows) break
    const found = yield* walk(toWindows(source), days, wanted, frame)
    if (found !== undefined) return found
  }
  return yield* noCandles(reads, wanted.timeframe)
})
