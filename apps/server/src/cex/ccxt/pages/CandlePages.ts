import { timeframeSeconds } from "@chaintape/core"
import { Effect, Option } from "effect"
import { dayMs, toDayStart } from "../../../internal/day.ts"
import type { CandlesWanted, ExchangeError, SourceCandle } from "../../ExchangeSource.ts"
import { earliestTrade } from "../../TradeTime.ts"
import { candlePage, combineCandles, hasTrade, noCandles, toSources } from "./CandleReads.ts"
import type { CandleReads, FrameSource } from "./CandleReads.ts"

/** The exchange's candles of one timeframe, in pages of one length. */
interface CandlePages extends CandleReads {
  readonly source: FrameSource
  /** Milliseconds. */
  readonly length: number
}

/** Below the smallest page size of any exchange. */
const defaultRows = 100

/** The candles with a trade of the page that starts at `start`; undefined if the exchange's start at other times. */
const readRows = Effect.fnUntraced(function* (pages: CandlePages, start: number) {
  const { length, source } = pages
  const rows = yield* candlePage(pages, source, Math.round(length / source.part), start)
  return rows.some((row) => row.start % source.part !== 0)
    ? undefined
    : rows.filter((row) => row.start >= start && row.start < start + length && hasTrade(row))
})

/** The candles of a day with a trade. They may start at a time of their own, such as local midnight. */
const readDays = (days: CandlePages, start: number) =>
  Effect.map(candlePage(days, days.source, days.length / dayMs, start), (rows) => rows.filter(hasTrade))

/** The start of the first day with a trade that ends after `time`; if one page of days has none, the end of the page. */
const findDayAfter = Effect.fnUntraced(function* (days: CandlePages, time: number) {
  const start = toDayStart(time) - dayMs
  const rows = yield* readDays(days, start)
  return rows.find((row) => row.start + dayMs > time)?.start ?? start + days.length
})

/** The end of the last day with a trade that starts at or before `time`; none if one page of days has none. */
const findDayBefore = Effect.fnUntraced(function* (days: CandlePages, time: number) {
  const rows = yield* readDays(days, toDayStart(time) + 2 * dayMs - days.length)
  const day = rows.findLast((row) => row.start <= time)
  return Option.map(Option.fromUndefinedOr(day), ({ start }) => start + dayMs - 1)
})

/** The time of the newest trade; none if the exchange has no trades of the market. A failure of the moment decides nothing. */
const findLastTrade = ({ lastTradeTime }: CandlePages) =>
  Effect.catchIf(
    lastTradeTime,
    ({ reason }) => reason === "NotSupported",
    () => Effect.succeedNone
  )

const toFrameStart = (time: number, frame: number): number => Math.floor(time / frame) * frame

/** Aggregates the parts of each candle. */
const toCandles = (rows: ReadonlyArray<SourceCandle>, frame: number): ReadonlyArray<SourceCandle> =>
  [...Map.groupBy(rows, ({ start }) => toFrameStart(start, frame))].flatMap(
    ([start, parts]) => combineCandles(start, parts) ?? []
  )

/** What is read page by page. The days of a market tell where its next trade is; undefined if they cannot be read. */
interface PagedRead {
  readonly pages: CandlePages
  readonly days: CandlePages | undefined
  /** Milliseconds. */
  readonly frame: number
}

/** The starts of the first and the last candle, and the most candles. */
type CandleRange = Pick<CandlesWanted, "from" | "to" | "limit">

/** Reads pages from `from` on. Undefined if the exchange's candles start at other times. */
const readForward = Effect.fnUntraced(function* (
  { days, frame, pages }: PagedRead,
  { from, limit, to }: CandleRange
): Effect.fn.Return<ReadonlyArray<SourceCandle> | undefined, ExchangeError> {
  const candles: Array<SourceCandle> = []
  for (let start = from; candles.length < limit && start <= to;) {
    const rows = yield* readRows(pages, start)
    if (rows === undefined) return undefined
    candles.push(...toCandles(rows, frame).filter((candle) => candle.start >= start && candle.start <= to))
    start += pages.length
    if (rows.length > 0 || start > to || days === undefined) continue
    start = Math.max(start, toFrameStart(yield* findDayAfter(days, start), frame))
  }
  return candles.slice(0, limit)
})

/** Reads pages from `to` backward. Undefined if the exchange's candles start at other times. */
const readBackward = Effect.fnUntraced(function* (
  { days, frame, pages }: PagedRead,
  { from, limit, to }: CandleRange
): Effect.fn.Return<ReadonlyArray<SourceCandle> | undefined, ExchangeError> {
  const candles: Array<SourceCandle> = []
  for (let last = to; candles.length < limit && last >= from;) {
    const rows = yield* readRows(pages, last + frame - pages.length)
    if (rows === undefined) return undefined
    candles.unshift(...toCandles(rows, frame).filter(({ start }) => start >= from && start <= last))
    last -= pages.length
    if (rows.length > 0 || last < from) continue
    const day = days === undefined ? Option.none() : yield* findDayBefore(days, last)
    if (Option.isSome(day)) {
      last = Math.min(last, toFrameStart(day.value, frame))
      continue
    }
    // The end of the candles, except in a market without a recent trade.
    const traded = candles.length === 0 ? yield* findLastTrade(pages) : Option.none()
    if (Option.isNone(traded) || toFrameStart(traded.value, frame) > last) break
    last = toFrameStart(traded.value, frame)
  }
  return candles.slice(-limit)
})

/** A selection of candles, of the exchange's own timeframe or aggregated from a shorter one. */
export const readCandles = Effect.fnUntraced(function* (
  reads: CandleReads,
  wanted: CandlesWanted
): Effect.fn.Return<ReadonlyArray<SourceCandle>, ExchangeError> {
  const frame = timeframeSeconds[wanted.timeframe] * 1000
  const rows = reads.upstream.quirk.candleRows ?? defaultRows
  const [day] = toSources(reads, "1d")
  const days = day?.part === dayMs && frame < dayMs ? { ...reads, source: day, length: rows * dayMs } : undefined
  const range = { ...wanted, from: Math.max(wanted.from, Math.ceil(earliestTrade / frame) * frame) }
  for (const source of toSources(reads, wanted.timeframe)) {
    if (frame / source.part > rows) break
    const length = toFrameStart(rows * source.part, frame)
    const read = { pages: { ...reads, source, length }, days, frame }
    const found = yield* wanted.take === "first" ? readForward(read, range) : readBackward(read, range)
    if (found !== undefined) return found
  }
  return yield* noCandles(reads, wanted.timeframe)
})
