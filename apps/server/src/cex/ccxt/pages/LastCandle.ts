import { type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Clock, Effect, Option } from "effect"
import * as ExactDecimal from "../../../internal/ExactDecimal.ts"
import type { ExchangeError, SourceCandle } from "../../ExchangeSource.ts"
import type { Upstream } from "../upstream/Upstream.ts"

export interface CandleTape {
  readonly upstream: Upstream
  readonly symbol: string
  /** By `monotonicMillis`. */
  readonly deadline: number
  /** Time of the newest trade (Unix ms), requested only if the recent candles contain no trade. */
  readonly lastTradeTime: Effect.Effect<Option.Option<number>, ExchangeError>
}

/** Rows to request: below the smallest page size of any exchange, above twice the parts of any derived candle. */
const recentRows = 100

/** Candles of the exchange: their length in milliseconds, and ccxt's label of it. */
export interface FrameSource {
  readonly part: number
  readonly label: string
}

/** The exchange's timeframes for a candle of this length: its own, then its divisors, the longest first. */
export const toSources = (tape: Pick<CandleTape, "upstream">, timeframe: Timeframe): ReadonlyArray<FrameSource> =>
  Object.entries(tape.upstream.driver.adapter.frames)
    .map(([seconds, label]) => ({ part: Number(seconds) * 1000, label }))
    .filter(({ part }) => (timeframeSeconds[timeframe] * 1000) % part === 0)
    .sort((left, right) => right.part - left.part)

/** The newest candle with a trade, of the exchange's own timeframe or aggregated from a shorter one. */
export const lastCandle = Effect.fnUntraced(function* (tape: CandleTape, timeframe: Timeframe) {
  const frame = timeframeSeconds[timeframe] * 1000
  for (const source of toSources(tape, timeframe)) {
    const { part } = source
    if (frame / part > recentRows / 2) break
    const found = yield* newestWithTrade(tape, source)
    // The exchange's candles may start at a time of its own, such as local midnight.
    if (found.rows.some(({ start }) => start % part !== 0)) continue
    if (Option.isNone(found.newest)) return Option.none<SourceCandle>()
    if (part === frame) return found.newest
    const start = Math.floor(found.newest.value.start / frame) * frame
    const rows = found.rows.some((row) => row.start <= start)
      ? found.rows
      : [...found.rows, ...(yield* candlePage(tape, source, recentRows, start))]
    return Option.some(combine(start, toParts(rows, start, frame)))
  }
  return yield* tape.upstream.fail(
    "NotSupported",
    `The exchange "${tape.upstream.id}" has no candles that give one of ${timeframe}.`
  )
})

/** Up to `rows` candles from a start on (Unix ms), or the newest ones. */
export const candlePage = Effect.fnUntraced(function* (
  tape: Pick<CandleTape, "upstream" | "symbol" | "deadline">,
  { label, part }: FrameSource,
  rows: number,
  since?: number
) {
  const request = { symbol: tape.symbol, label, limit: rows }
  if (tape.upstream.quirk.candlesNeedTimes !== true) {
    return yield* tape.upstream.candles({ ...request, since }, tape.deadline)
  }
  const start = since ?? Math.floor((yield* Clock.currentTimeMillis) / part) * part - (rows - 1) * part
  const until = start + rows * part - 1
  return yield* tape.upstream.candles({ ...request, since: start, until }, tape.deadline)
})

export const hasTrade = ({ volume }: SourceCandle): boolean => volume !== "0"

const newestWithTrade = Effect.fnUntraced(function* (tape: CandleTape, source: FrameSource) {
  const { part } = source
  const recent = yield* candlePage(tape, source, recentRows)
  const newest = recent.findLast(hasTrade)
  if (newest !== undefined) return { rows: recent, newest: Option.some(newest) }
  const traded = yield* tape.lastTradeTime
  if (Option.isNone(traded)) return { rows: recent, newest: Option.none<SourceCandle>() }
  // One part earlier than a UTC candle needs, because the exchange's own may start at another time.
  const rows = yield* candlePage(tape, source, recentRows, Math.floor(traded.value / part) * part - part)
  const found = rows.findLast(hasTrade)
  if (found === undefined) {
    return yield* tape.upstream.fail(
      "BadResponse",
      `The exchange "${tape.upstream.id}" lists a trade at ${traded.value} but no candle that holds it.`
    )
  }
  return { rows, newest: Option.some(found) }
})

/** The parts of a candle in order, each once, without the empty ones that an exchange adds if nothing was traded. */
const toParts = (rows: ReadonlyArray<SourceCandle>, start: number, frame: number): ReadonlyArray<SourceCandle> => {
  const inside = rows.filter((row) => row.start >= start && row.start < start + frame && hasTrade(row))
  return [...new Map(inside.map((row) => [row.start, row])).values()].sort((left, right) => left.start - right.start)
}

export const combine = (start: number, parts: ReadonlyArray<SourceCandle>): SourceCandle => {
  const [first, ...others] = parts
  if (first === undefined) throw new Error("a candle is made of at least one part")
  return others.reduce(
    (whole, part) => ({
      start,
      open: whole.open,
      high: ExactDecimal.compare(part.high, whole.high) > 0 ? part.high : whole.high,
      low: ExactDecimal.compare(part.low, whole.low) < 0 ? part.low : whole.low,
      close: part.close,
      volume: ExactDecimal.add(whole.volume, part.volume)
    }),
    { ...first, start }
  )
}
