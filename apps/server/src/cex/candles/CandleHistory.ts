import { Effect, Result } from "effect"
import type { Completeness } from "../Completeness.ts"
import type { CandlesWanted, SourceCandle } from "../ExchangeSource.ts"
import { isUpstreamProblem } from "../MarketReadProblem.ts"
import type { MarketReadProblem } from "../MarketReadProblem.ts"
import { joinRanges, toUnproven } from "../tape/CandlePage.ts"
import type { CandlePage, StartRange } from "../tape/CandlePage.ts"
import { minuteMs } from "../tape/ledger/Minutes.ts"
import { toOrigins } from "../trades/JoinedTrades.ts"
import type { Origin } from "../trades/JoinedTrades.ts"
import type { RecordedMarket } from "../trades/RecordedMarkets.ts"
import { type Part, toExchangePart, toParts, toUnprovenPart } from "./CandleParts.ts"

/** Reads candles from the exchange. */
export type ReadExchangeCandles = (
  wanted: CandlesWanted
) => Effect.Effect<ReadonlyArray<SourceCandle>, MarketReadProblem>

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

/** Requests to the exchange for one response. After them, and after a failed one, only the tape is read. */
const maxRequests = 5
/** A page of only the tape covers at least so many minutes. */
const minTapeMinutes = 1000
/** A page of only the tape holds at least so many candles, if there are as many. */
const minTapeCandles = 100
/** Pages of only the tape for one response, so that no response reads an unproven tape to its end. */
const maxTapePages = 50
/** Pages of only the tape in a row that add no candle to the response. */
const maxFruitlessPages = 10

/** All starts that were selected from, or those up to the last candle of a full page. */
const toScope = (ends: CandlePage["ends"], isFull: boolean, { from, take, to }: CandlesWanted): StartRange => {
  if (ends === undefined || !isFull) return { from, to }
  return take === "first" ? { from, to: ends[1].start } : { from: ends[0].start, to }
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
  const open = all.filter(({ isProven }) => !isProven)
  const unproven = joinRanges(clip(open, scope), frame)
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

/** The parts that were read so far, and the selection that is left to read. */
interface Reading {
  /** In the order in which they were read. */
  readonly parts: ReadonlyArray<Part>
  readonly left: CandlesWanted
  /** Sent to the exchange. */
  readonly requests: number
  /** Why the last of them failed. */
  readonly problem: MarketReadProblem | undefined
  readonly tapePages: number
  /** The last ones, in a row. */
  readonly fruitlessPages: number
}

/** Whether only the tape is read from here on. */
const isTapeOnly = ({ problem, requests }: Pick<Reading, "problem" | "requests">): boolean =>
  requests >= maxRequests || problem !== undefined

const isComplete = ({ left: { from, limit, to } }: Reading): boolean => limit <= 0 || from > to

const isExhausted = ({ fruitlessPages, tapePages }: Reading): boolean =>
  fruitlessPages >= maxFruitlessPages || tapePages >= maxTapePages

/** Candles of the next page of the tape. */
const getPageLimit = (reading: Reading, frame: number): number =>
  isTapeOnly(reading)
    ? Math.max(reading.left.limit, minTapeCandles, Math.floor(minTapeMinutes / (frame / minuteMs)))
    : reading.left.limit

/** Adds the parts of a page, those of unproven ranges with the exchange's candles, until there are enough. */
const addParts = Effect.fnUntraced(function* (
  reading: Reading,
  found: ReadonlyArray<Part>,
  readExchange: ReadExchangeCandles
) {
  const parts = [...reading.parts]
  let { left, problem, requests } = reading
  for (const part of found) {
    if (left.limit === 0) break
    let next = part
    if (!part.isProven && !isTapeOnly({ problem, requests })) {
      requests += 1
      const result = yield* Effect.result(readExchange({ ...left, from: part.from, to: part.to }))
      if (Result.isSuccess(result)) next = toExchangePart(part, result.success)
      else problem = result.failure
    }
    parts.push(next)
    left = { ...left, limit: left.limit - next.count }
  }
  return { ...reading, parts, left, problem, requests }
})

/** Continues after a page with these starts, and counts it if it was of only the tape. */
const finishPage = (before: Reading, after: Reading, { from, to }: StartRange, frame: number): Reading => {
  const left = after.left.take === "first" ? { ...after.left, from: to + frame } : { ...after.left, to: from - frame }
  if (!isTapeOnly(before)) return { ...after, left }
  const isFruitless = left.limit === before.left.limit
  return {
    ...after,
    left,
    tapePages: before.tapePages + 1,
    fruitlessPages: isFruitless ? before.fruitlessPages + 1 : 0
  }
}

const readPage = Effect.fnUntraced(function* (
  tape: CandleTape,
  reading: Reading,
  readExchange: ReadExchangeCandles,
  frame: number
) {
  const { left } = reading
  const edges = { firstId: tape.firstId ?? 0, newestId: tape.isLive ? tape.coverage.at(-1)?.to : undefined }
  const limit = getPageLimit(reading, frame)
  const page = yield* tape.candlePage({ ...left, limit })
  const scope = toScope(page.ends, page.count >= limit, left)
  const found = toParts(page, toUnproven(page, edges, scope, frame), left.limit)
  const read = yield* addParts(reading, left.take === "first" ? found : found.toReversed(), readExchange)
  return finishPage(reading, read, scope, frame)
})

/** The candles of the tape, and those of the exchange at the starts that the tape does not prove. */
export const readHistory = Effect.fnUntraced(function* (
  tape: CandleTape | undefined,
  readExchange: ReadExchangeCandles,
  wanted: CandlesWanted,
  frame: number
): Effect.fn.Return<CandleHistory, MarketReadProblem> {
  if (tape === undefined) {
    // Even if no candle starts in the window: only the exchange knows whether it lists the market.
    const candles = yield* readExchange(wanted)
    const parts = wanted.from > wanted.to ? [] : [toExchangePart(toUnprovenPart(wanted), candles)]
    return { ...toHistory(parts, wanted, candles.length === wanted.limit, frame), origins: ["exchange"] }
  }
  const isEndedBy = (problem: MarketReadProblem) => wanted.take === "first" && isUpstreamProblem(problem)
  let reading: Reading = {
    parts: [],
    left: wanted,
    requests: 0,
    problem: undefined,
    tapePages: 0,
    fruitlessPages: 0
  }
  while (!isComplete(reading)) {
    reading = yield* readPage(tape, reading, readExchange, frame)
    if (reading.problem !== undefined && isEndedBy(reading.problem)) break
    if (!isExhausted(reading) || isComplete(reading)) continue
    // Of what is left, no candle is proven, and none is read.
    reading = { ...reading, parts: [...reading.parts, toUnprovenPart(reading.left)] }
    break
  }
  const { left, parts, problem } = reading
  const history = toHistory(wanted.take === "first" ? parts : parts.toReversed(), wanted, left.limit === 0, frame)
  if (problem !== undefined && (history.completeness === "unverifiable" || isEndedBy(problem))) {
    return yield* Effect.fail(problem)
  }
  return history
})
