import { Clock, Effect, Option } from "effect"
import type { SourceTrade, SourceTrades, TradesWanted } from "../ExchangeSource.ts"
import { tryExchange } from "../MarketReadProblem.ts"
import type { MarketReadProblem } from "../MarketReadProblem.ts"
import { contains, getInterval, maxDisorderMs } from "../tape/ledger/Coverage.ts"
import type { Coverage } from "../tape/ledger/Coverage.ts"
import type { SequenceRange, TapeTrade } from "../tape/Tape.ts"
import { parseDigits } from "../TradeSequence.ts"
import {
  completenessWithoutGap,
  followsKnown,
  mergeTrades,
  toCompleteness,
  toGaps,
  toJoinedTrades,
  toOrigins
} from "./JoinedTrades.ts"
import type { JoinedTrades } from "./JoinedTrades.ts"
import type { RecordedMarket } from "./RecordedMarkets.ts"

/** Reads trades from the exchange. */
export type ReadExchangeTrades = (request: TradesWanted) => Effect.Effect<SourceTrades, MarketReadProblem>

interface SinceWanted {
  /** Unix milliseconds, inclusive. */
  readonly since: number
  readonly limit: number
}

/** The time limit for filling all gaps of one response. */
const fillMs = 10_000
const maxGaps = 5
const maxTrades = 50_000

/** The result so far. */
interface Draft {
  readonly trades: ReadonlyArray<SourceTrade>
  readonly fromExchange: number
  /** Whether a trade is missing, or may be. */
  readonly isMissing: boolean
}

const intersectCoverage = (before: Coverage, after: Coverage): Coverage =>
  before.flatMap((interval) =>
    after
      .map(({ from, to }) => ({ ...interval, from: Math.max(interval.from, from), to: Math.min(interval.to, to) }))
      .filter(({ from, to }) => from <= to)
  )

const addTrades = (market: RecordedMarket, draft: Draft, trades: ReadonlyArray<SourceTrade>, limit: number): Draft => {
  const known = new Set(draft.trades.map(({ id }) => id))
  const fresh = trades.filter(({ id }) => !known.has(id))
  return {
    ...draft,
    trades: mergeTrades(market.continuity, draft.trades, fresh).slice(0, limit),
    fromExchange: draft.fromExchange + fresh.length
  }
}

/** Requests the trades of a gap between two known ones. */
const fillGap = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  draft: Draft,
  gap: SequenceRange,
  limit: number
) {
  const following = draft.trades.find(({ id }) => parseDigits(id) === gap.to + 1)
  const preceding = draft.trades.find(({ id }) => parseDigits(id) === gap.from - 1)
  if (preceding === undefined || following === undefined) return Option.none<Draft>()
  // Times may decrease over the gap.
  const since = Math.min(preceding.timestamp, following.timestamp)
  const known = draft.trades.filter(({ timestamp }) => timestamp >= since && timestamp <= preceding.timestamp).length
  const wanted = {
    since: Option.some(since),
    before: Option.some(following),
    limit: Math.min(gap.to - gap.from + 1 + known, maxTrades)
  }
  const found = yield* tryExchange(readExchange(wanted))
  return Option.map(found, ({ trades }) =>
    addTrades(
      market,
      draft,
      trades.filter(({ id }) => parseDigits(id) >= gap.from && parseDigits(id) <= gap.to),
      limit
    )
  )
})

/** Requests the missing trades from the exchange; those that it cannot return in time stay missing. */
const withGapsFilled = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  start: Draft,
  coverage: Coverage,
  limit: number
) {
  let draft = start
  const fill = Effect.gen(function* () {
    for (let calls = 0; calls < maxGaps; calls++) {
      const [gap] = toGaps(draft.trades, coverage)
      if (gap === undefined) return
      const next = yield* fillGap(market, readExchange, draft, gap, limit)
      if (Option.isNone(next)) return
      const { trades } = next.value
      // A full response may keep its length while a gap in it is closed.
      if (trades.length === draft.trades.length && toGaps(trades, coverage)[0]?.from === gap.from) return
      draft = next.value
    }
  })
  yield* Effect.timeoutOption(fill, fillMs)
  return draft
})

/** The trades after the end of the tape. */
const withNewer = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  draft: Draft,
  limit: number
): Effect.fn.Return<Draft, MarketReadProblem> {
  const last = draft.trades.at(-1)
  if (market.isLive || draft.trades.length >= limit || last === undefined) return draft
  const known = draft.trades.filter(({ timestamp }) => timestamp === last.timestamp).length
  const found = yield* tryExchange(
    readExchange({
      since: Option.some(last.timestamp),
      limit: limit - draft.trades.length + known,
      before: Option.none()
    })
  )
  if (Option.isNone(found)) return { ...draft, isMissing: true }
  const { completeness, trades } = found.value
  const isMissing = draft.isMissing || (completeness === "incomplete" && market.continuity === "overlap")
  return { ...addTrades(market, draft, trades, limit), isMissing }
})

/**
 * The first trades at or after a time, up to the tape's own; none of the exchange's if the tape begins early enough.
 */
const withEarlier = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  held: ReadonlyArray<TapeTrade>,
  coverage: Coverage,
  { limit, since }: SinceWanted
): Effect.fn.Return<Draft, MarketReadProblem> {
  const draft: Draft = { trades: held, fromExchange: 0, isMissing: false }
  const [first] = held
  if (first === undefined || followsKnown(held, coverage, market.firstId)) return draft
  const { completeness, trades } = yield* readExchange({ since: Option.some(since), limit, before: Option.some(first) })
  if (trades.length === 0) return { ...draft, isMissing: completeness === "incomplete" }
  const isFull = trades.length >= limit
  return {
    trades: mergeTrades(market.continuity, held, trades).slice(0, limit),
    fromExchange: isFull ? limit : trades.length,
    isMissing: completeness === "incomplete"
  }
})

/** Whether the tape has a gap between its first and its last trade. */
const crossesGap = (held: ReadonlyArray<TapeTrade>, coverage: Coverage): boolean => {
  const runs = new Set(held.map(({ sequence }) => getInterval(coverage, sequence)?.from))
  return runs.size > 1
}

/** The first `limit` trades at or after a time. */
export const readTradesSince = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  wanted: SinceWanted
): Effect.fn.Return<JoinedTrades, MarketReadProblem> {
  const { limit, since } = wanted
  const newest = market.coverage.at(-1)
  const held = yield* market.since(since, limit)
  if (held.length === 0) {
    const isKnownToBeNone = market.isLive && newest !== undefined && newest.toTime < since
    if (!isKnownToBeNone) {
      return toJoinedTrades(yield* readExchange({ since: Option.some(since), limit, before: Option.none() }))
    }
    return {
      trades: [],
      completeness: completenessWithoutGap(market.continuity),
      origins: ["tape"],
      isImmutable: false
    }
  }
  const now = yield* market.coverageNow
  // Sequences covered both before and after the read: none of them was dropped in between.
  const coverage = intersectCoverage(market.coverage, now)
  const from = yield* withEarlier(market, readExchange, held, coverage, wanted)
  const whole =
    market.continuity === "sequence" ? yield* withGapsFilled(market, readExchange, from, coverage, limit) : from
  const draft = yield* withNewer(market, readExchange, whole, limit)
  // Only ids that are a sequence show whether the exchange has filled the gap.
  const isMissing = draft.isMissing || (market.continuity === "overlap" && crossesGap(held, now))
  const completeness = toCompleteness(market.continuity, draft.trades, coverage, isMissing)
  const immutableBefore = (yield* Clock.currentTimeMillis) - maxDisorderMs
  const last = draft.trades.at(-1)
  return {
    trades: draft.trades,
    completeness,
    origins: toOrigins(draft.fromExchange >= draft.trades.length ? 0 : 1, draft.fromExchange),
    isImmutable:
      completeness === "complete" &&
      draft.fromExchange === 0 &&
      draft.trades.length === limit &&
      last !== undefined &&
      last.timestamp < immutableBefore &&
      contains(coverage, parseDigits(last.id))
  }
})
