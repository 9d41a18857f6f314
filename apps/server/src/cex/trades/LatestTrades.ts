import { Effect, Option } from "effect"
import { newestPage } from "../ExchangeSource.ts"
import type { SourceTrade, SourceTrades, TradesWanted } from "../ExchangeSource.ts"
import { isUpstreamProblem } from "../SourceProblem.ts"
import type { MarketReadProblem } from "../SourceProblem.ts"
import type { Interval } from "../tape/Tape.ts"
import { parseDigits } from "../TradeSequence.ts"
import { mergeTrades, toOrigins, toCompleteness } from "./JoinedTrades.ts"
import type { JoinedTrades } from "./JoinedTrades.ts"
import type { RecordedMarket } from "./RecordedMarkets.ts"

/** Reads from the exchange. */
export type AskExchange = (request: TradesWanted) => Effect.Effect<SourceTrades, MarketReadProblem>

/** A response of the exchange alone. */
export const toJoinedTrades = ({ completeness, trades }: SourceTrades): JoinedTrades => ({
  trades,
  completeness,
  origins: ["exchange"],
  isImmutable: false
})

/** The exchange's trades, or none if it fails; a market that it does not list stays a problem. */
export const tryExchange = (
  ask: Effect.Effect<SourceTrades, MarketReadProblem>
): Effect.Effect<Option.Option<SourceTrades>, MarketReadProblem> =>
  ask.pipe(
    Effect.asSome,
    // The response's headers report the gap; the health of the source is recorded elsewhere.
    Effect.catchIf(isUpstreamProblem, () => Effect.succeedNone)
  )

interface Part {
  readonly trades: ReadonlyArray<SourceTrade>
  readonly fromExchange: number
  /** The run of the tape whose newest trades are among them. */
  readonly run: Interval | undefined
}

/** Of a market whose ids are sequences. */
const getLowest = (trades: ReadonlyArray<SourceTrade>): number =>
  trades.reduce((least, { id }) => Math.min(least, parseDigits(id)), Number.POSITIVE_INFINITY)

/** Adds earlier trades, as far as the exchange, and behind it the older runs of the tape, have them. */
const withOlder = Effect.fnUntraced(function* (
  market: RecordedMarket,
  ask: AskExchange,
  { fromExchange, run, trades }: Part,
  limit: number
): Effect.fn.Return<JoinedTrades, MarketReadProblem> {
  const { continuity, coverage } = market
  const [first] = trades
  // Only trades that were read are proven.
  const readRuns = run === undefined ? [] : [run]
  const completeness = toCompleteness(continuity, trades, readRuns)
  const found = {
    trades,
    completeness,
    origins: toOrigins(trades.length - fromExchange, fromExchange),
    isImmutable: false
  }
  if (trades.length >= limit || first === undefined) return found
  const wanted = { limit: limit - trades.length, since: Option.none(), before: Option.some(first) }
  const earlier = Option.getOrUndefined(yield* tryExchange(ask(wanted)))
  const joined = mergeTrades(continuity, trades, earlier?.trades ?? [])
  const isTooLittle = joined.length < limit || toCompleteness(continuity, joined, readRuns) === "incomplete"
  const unread = isTooLittle ? getUnread(market, joined, run) : undefined
  const held = unread === undefined ? [] : yield* market.latest(unread, limit)
  const all = mergeTrades(continuity, joined, held).slice(-limit)
  const isShort = all.length < limit && earlier?.completeness !== "complete"
  const isKnownToMiss = held.length > 0 || (earlier?.completeness === "incomplete" && continuity === "overlap")
  const ofTape = trades.length - fromExchange + all.length - joined.length
  return {
    trades: all,
    completeness: toCompleteness(
      continuity,
      all,
      unread === undefined ? readRuns : coverage,
      isShort || (isKnownToMiss && continuity === "overlap")
    ),
    origins: toOrigins(ofTape, fromExchange + (earlier?.trades.length ?? 0)),
    isImmutable: false
  }
})

/**
 * The sequences of the tape that may continue these trades, apart from those of `run`. Of a tape that ends before they
 * begin, none: what is missing between is not known.
 */
const getUnread = ({ coverage }: RecordedMarket, trades: ReadonlyArray<SourceTrade>, run: Interval | undefined) => {
  const [oldest, newest] = [coverage[0], coverage.at(-1)]
  if (oldest === undefined || newest === undefined) return undefined
  if (run !== undefined) return run.from > oldest.from ? { from: oldest.from, to: run.from - 1 } : undefined
  return getLowest(trades) <= newest.to + 1 ? { from: oldest.from, to: newest.to } : undefined
}

/** The tape's trades, if the exchange does not answer: newer trades may be missing. */
const readTapeOnly = Effect.fnUntraced(function* (market: RecordedMarket, problem: MarketReadProblem, limit: number) {
  const newest = market.coverage.at(-1)
  const trades = newest === undefined ? [] : yield* market.latest(newest, limit)
  if (trades.length === 0) return yield* Effect.fail(problem)
  const found: JoinedTrades = { trades, completeness: "incomplete", origins: ["tape"], isImmutable: false }
  return found
})

/** The newest trades of a market whose tape lags: the exchange's, and the tape's trades before them. */
const readBehindTape = Effect.fnUntraced(function* (market: RecordedMarket, ask: AskExchange, limit: number) {
  const { continuity, coverage } = market
  const isJoined = continuity === "sequence" && limit > newestPage
  const page = yield* ask({ limit: isJoined ? newestPage : limit, since: Option.none(), before: Option.none() })
  if (!isJoined || page.trades.length === 0) return toJoinedTrades(page)
  const newest = coverage.at(-1)
  const run = newest !== undefined && getLowest(page.trades) <= newest.to + 1 ? newest : undefined
  // A page from a cache of the exchange may end before the tape does.
  const held = run === undefined ? [] : yield* market.latest(run, limit)
  const trades = mergeTrades(continuity, held, page.trades).slice(-limit)
  const known = new Set(held.map(({ id }) => id))
  const fromExchange = trades.filter(({ id }) => !known.has(id)).length
  const joined = yield* withOlder(market, ask, { trades, fromExchange, run }, limit)
  return page.completeness === "incomplete" ? { ...joined, completeness: page.completeness } : joined
})

/** The newest `limit` trades. */
export const latestTrades = Effect.fnUntraced(function* (
  market: RecordedMarket,
  ask: AskExchange,
  limit: number
): Effect.fn.Return<JoinedTrades, MarketReadProblem> {
  const newest = market.coverage.at(-1)
  if (market.isLive && newest !== undefined) {
    const trades = yield* market.latest(newest, limit)
    if (trades.length > 0) return yield* withOlder(market, ask, { trades, fromExchange: 0, run: newest }, limit)
  }
  return yield* readBehindTape(market, ask, limit).pipe(
    Effect.catchIf(isUpstreamProblem, (problem) => readTapeOnly(market, problem, limit))
  )
})
