import { Effect, Result } from "effect"
import { candleRowJson, splitCandleRows } from "../CexJson.ts"
import type { Completeness } from "../Completeness.ts"
import type { CandlesWanted, SourceCandle } from "../ExchangeSource.ts"
import type { MarketReadProblem } from "../SourceProblem.ts"
import { joinRanges, toUnproven } from "../tape/CandlePage.ts"
import type { CandlePage, StartRange } from "../tape/CandlePage.ts"
import { toOrigins } from "../trades/JoinedTrades.ts"
import type { Origin } from "../trades/JoinedTrades.ts"
import type { RecordedMarket } from "../trades/RecordedMarkets.ts"

/** Reads from the exchange. */
export type AskCandles = (wanted: CandlesWanted) => Effect.Effect<ReadonlyArray<SourceCandle>, MarketReadProblem>

/** The tape of a market whose ids are a sequence. */
export type CandleTape = Pick<RecordedMarket, "candlePage" | "coverage" | "firstId" | "isLive">

/** Candles of the tape, of the exchange, or of both. */
export interface CandleHistory {
  /** The elements of a JSON list, oldest first. */
  readonly rows: string
  readonly count: number
  /** Start of the last candle (Unix ms). */
  readonly last: number | undefined
  readonly completeness: Completeness
  /** The ranges of starts that the tape does not prove, if it proves others. */
  readonly unproven: ReadonlyArray<StartRange>
  readonly origins: ReadonlyArray<Origin>
  /** The candles of all starts from here to there are in the response, as far as they are proven. */
  readonly scope: StartRange
}

const minuteMs = 60_000

/** Requests to the exchange for one response: what is left is absent, and its range unproven. */
const maxAsked = 5

/**
 * Then pages of the tape have at least so many minutes and candles, and this many may follow, of which so many in a row give
 * no candle: a response of one candle would else read an unproven tape to its end, page by page.
 */
const minutesWithoutExchange = 1000
const candlesWithoutExchange = 100
const maxPagesWithoutExchange = 50
const maxPagesWithoutCandle = 10

/** Consecutive candles, or a range of starts that the tape does not prove, with the exchange's candles. */
interface Part extends StartRange {
  /** Elements of a JSON list; a text may hold several. */
  readonly rows: ReadonlyArray<string>
  readonly count: number
  readonly isProven: boolean
  /** The starts of the first and the last candle. */
  readonly ends: readonly [first: number, last: number] | undefined
}

const toTapePart = (rows: string, count: number, from: number, to: number): Part => ({
  rows: [rows],
  count,
  from,
  to,
  isProven: true,
  ends: [from, to]
})

/** A range with the exchange's candles, oldest first. */
const toExchangePart = (range: Part, candles: ReadonlyArray<SourceCandle>): Part => {
  const [first, last] = [candles[0], candles.at(-1)]
  return {
    ...range,
    rows: candles.map(candleRowJson),
    count: candles.length,
    ends: first === undefined || last === undefined ? undefined : [first.start, last.start]
  }
}

/** The parts of a page, ascending; none with more than `max` candles. */
const toParts = (page: CandlePage, unproven: ReadonlyArray<StartRange>, max: number): ReadonlyArray<Part> => {
  const ranges = unproven.map((range): Part => ({ ...range, rows: [], count: 0, isProven: false, ends: undefined }))
  if (page.ends === undefined) return ranges
  const [first, last] = page.ends
  if (ranges.length === 0 && page.count <= max) return [toTapePart(page.rows, page.count, first.start, last.start)]
  const parts: Array<Part> = []
  let at = 0
  for (const { json, start } of splitCandleRows(page.rows)) {
    for (let range = ranges[at]; range !== undefined && range.to < start; range = ranges[++at]) parts.push(range)
    const range = ranges[at]
    if (range === undefined || start < range.from) parts.push(toTapePart(json, 1, start, start))
  }
  return [...parts, ...ranges.slice(at)]
}

/** All starts that were selected from, or those up to the last candle of a full page. */
const toScope = (ends: CandlePage["ends"], isFull: boolean, { from, take, to }: CandlesWanted): StartRange => {
  if (ends === undefined || !isFull) return { from, to }
  return take === "first" ? { from, to: ends[1].start } : { from: ends[0].start, to }
}

const isTransient = ({ _tag }: MarketReadProblem): boolean =>
  _tag === "UpstreamFailed" || _tag === "UpstreamBusy" || _tag === "UpstreamTimeout"

const noPage: CandlePage = {
  count: 0,
  rows: "",
  ends: undefined,
  breaks: undefined,
  before: undefined,
  after: undefined
}

const clip = (ranges: ReadonlyArray<StartRange>, { from, to }: StartRange): ReadonlyArray<StartRange> =>
  ranges.flatMap((range) => {
    const part = { from: Math.max(range.from, from), to: Math.min(range.to, to) }
    return part.from > part.to ? [] : [part]
  })

const toHistory = (all: ReadonlyArray<Part>, wanted: CandlesWanted, isFull: boolean, frame: number): CandleHistory => {
  const parts = all.filter(({ count }) => count > 0)
  const fromTape = parts.filter(({ isProven }) => isProven).length
  const first = parts[0]?.ends?.[0]
  const last = parts.at(-1)?.ends?.[1]
  const scope = {
    from: isFull && wanted.take === "latest" ? (first ?? wanted.from) : wanted.from,
    to: isFull && wanted.take === "first" ? (last ?? wanted.to) : wanted.to
  }
  const unproven = joinRanges(
    clip(
      all.filter(({ isProven }) => !isProven),
      scope
    ),
    frame
  )
  const [range] = unproven
  const isNothingProven = range !== undefined && range.from <= scope.from && range.to >= scope.to
  return {
    rows: parts.flatMap(({ rows }) => rows).join(","),
    count: parts.reduce((sum, { count }) => sum + count, 0),
    last,
    completeness: range === undefined ? "complete" : isNothingProven ? "unverifiable" : "incomplete",
    unproven: isNothingProven ? [] : unproven,
    origins: toOrigins(fromTape, parts.length - fromTape),
    scope
  }
}

/** The candles of the tape, and those of the exchange at the starts that the tape does not prove. */
export const readHistory = Effect.fnUntraced(function* (
  tape: CandleTape | undefined,
  ask: AskCandles,
  wanted: CandlesWanted,
  frame: number
): Effect.fn.Return<CandleHistory, MarketReadProblem> {
  const isForward = wanted.take === "first"
  const newest = tape?.coverage.at(-1)
  const edges = { firstId: tape?.firstId ?? 0, newestId: tape?.isLive === true ? newest?.to : undefined }
  const parts: Array<Part> = []
  let problem: MarketReadProblem | undefined
  let asked = 0
  let [pagesWithoutExchange, pagesWithoutCandle] = [0, 0]
  let left: CandlesWanted = wanted
  const fillPart = Effect.fnUntraced(function* (range: Part) {
    if (asked >= maxAsked || problem !== undefined) return range
    asked += 1
    const found = yield* Effect.result(ask({ ...left, from: range.from, to: range.to }))
    if (Result.isSuccess(found)) return toExchangePart(range, found.success)
    problem = found.failure
    return range
  })
  // No candle starts in the window, but only the exchange knows whether it lists the market.
  if (tape === undefined && wanted.from > wanted.to) yield* ask(wanted)
  while (left.limit > 0 && left.from <= left.to) {
    const isSpent = asked >= maxAsked || problem !== undefined
    const least = Math.max(candlesWithoutExchange, Math.floor(minutesWithoutExchange / (frame / minuteMs)))
    const limit = isSpent ? Math.max(left.limit, least) : left.limit
    const page = tape === undefined ? noPage : yield* tape.candlePage({ ...left, limit })
    const scope = toScope(page.ends, page.count >= limit, left)
    const found = toParts(page, toUnproven(page, edges, scope, frame), left.limit)
    const before = left.limit
    for (const part of isForward ? found : found.toReversed()) {
      if (left.limit === 0) break
      const next = part.isProven ? part : yield* fillPart(part)
      parts.push(next)
      left = { ...left, limit: left.limit - next.count }
    }
    left = isForward ? { ...left, from: scope.to + frame } : { ...left, to: scope.from - frame }
    if (isForward && problem !== undefined && isTransient(problem)) break
    pagesWithoutExchange += isSpent ? 1 : 0
    pagesWithoutCandle = isSpent && left.limit === before ? pagesWithoutCandle + 1 : 0
    const isOver = pagesWithoutCandle >= maxPagesWithoutCandle || pagesWithoutExchange >= maxPagesWithoutExchange
    if (!isOver || left.limit === 0 || left.from > left.to) continue
    parts.push({ from: left.from, to: left.to, rows: [], count: 0, isProven: false, ends: undefined })
    break
  }
  if (!isForward) parts.reverse()
  const joined = toHistory(parts, wanted, left.limit === 0, frame)
  const history: CandleHistory = tape === undefined ? { ...joined, origins: ["exchange"] } : joined
  if (problem !== undefined && (history.completeness === "unverifiable" || (isForward && isTransient(problem)))) {
    return yield* Effect.fail(problem)
  }
  return history
})
