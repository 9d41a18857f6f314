import type { ExchangeNotFound, NoData, OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { Exchanges } from "../Exchanges.ts"
import { ExchangeSource, newestPage, parseMarket } from "../ExchangeSource.ts"
import type { SourceTrade } from "../ExchangeSource.ts"
import { isUpstreamProblem, makeCallExchange, noTradeYet, tryExchange } from "../MarketReadProblem.ts"
import type { MarketReadProblem } from "../MarketReadProblem.ts"
import type { SerializedTrades } from "../tape/read/TapeSegments.ts"
import type { Interval } from "../tape/Tape.ts"
import { parseDigits } from "../TradeSequence.ts"
import { completenessWithoutGap, mergeTrades, toCompleteness, toJoinedTrades, toOrigins } from "./JoinedTrades.ts"
import type { JoinedTrades } from "./JoinedTrades.ts"
import { RecordedMarkets } from "./RecordedMarkets.ts"
import type { RecordedMarket } from "./RecordedMarkets.ts"
import { readTradesSince } from "./TradesSince.ts"
import type { ReadExchangeTrades } from "./TradesSince.ts"

interface Part {
  readonly trades: ReadonlyArray<SourceTrade>
  readonly fromExchange: number
  /** The run of the tape whose newest trades are among them. */
  readonly run: Interval | undefined
}

/** Of a market whose ids are sequences. */
const getLowest = (trades: ReadonlyArray<SourceTrade>): number =>
  trades.reduce((least, { id }) => Math.min(least, parseDigits(id)), Number.POSITIVE_INFINITY)

/** Adds earlier trades, as far as the exchange, and before its trades the older runs of the tape, have them. */
const withOlder = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  { fromExchange, run, trades }: Part,
  limit: number
): Effect.fn.Return<JoinedTrades, MarketReadProblem> {
  const { continuity, coverage } = market
  const [first] = trades
  // Only trades that were read are proven.
  const readRuns = run === undefined ? [] : [run]
  if (trades.length >= limit || first === undefined) {
    const origins = toOrigins(trades.length - fromExchange, fromExchange)
    return { trades, completeness: toCompleteness(continuity, trades, readRuns), origins, isImmutable: false }
  }
  const wanted = { limit: limit - trades.length, since: Option.none(), before: Option.some(first) }
  const earlier = Option.getOrUndefined(yield* tryExchange(readExchange(wanted)))
  const joined = mergeTrades(continuity, trades, earlier?.trades ?? [])
  const isEnough = joined.length >= limit && toCompleteness(continuity, joined, readRuns) !== "incomplete"
  const unread = isEnough ? undefined : getUnread(market, joined, run)
  const held = unread === undefined ? [] : yield* market.latest(unread, limit)
  const all = mergeTrades(continuity, joined, held).slice(-limit)
  const isShort = all.length < limit && earlier?.completeness !== "complete"
  // Only consecutive ids show a gap within the exchange's trades, or before those of an older run.
  const hasHiddenGap = continuity === "overlap" && (held.length > 0 || earlier?.completeness === "incomplete")
  const ofTape = trades.length - fromExchange + all.length - joined.length
  return {
    trades: all,
    completeness: toCompleteness(continuity, all, unread === undefined ? readRuns : coverage, isShort || hasHiddenGap),
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
  return { trades, completeness: "incomplete", origins: ["tape"], isImmutable: false } satisfies JoinedTrades
})

/** The newest trades of a market whose tape lags: the exchange's, and the tape's trades before them. */
const readBehindTape = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  limit: number
) {
  const { continuity, coverage } = market
  const isJoined = continuity === "sequence" && limit > newestPage
  const page = yield* readExchange({
    limit: isJoined ? newestPage : limit,
    since: Option.none(),
    before: Option.none()
  })
  if (!isJoined || page.trades.length === 0) return toJoinedTrades(page)
  const newest = coverage.at(-1)
  const run = newest !== undefined && getLowest(page.trades) <= newest.to + 1 ? newest : undefined
  // A page from a cache of the exchange may end before the tape does.
  const held = run === undefined ? [] : yield* market.latest(run, limit)
  const trades = mergeTrades(continuity, held, page.trades).slice(-limit)
  const known = new Set(held.map(({ id }) => id))
  const fromExchange = trades.filter(({ id }) => !known.has(id)).length
  const joined = yield* withOlder(market, readExchange, { trades, fromExchange, run }, limit)
  return page.completeness === "incomplete" ? { ...joined, completeness: page.completeness } : joined
})

/** The newest `limit` trades. */
const latestTrades = Effect.fnUntraced(function* (
  market: RecordedMarket,
  readExchange: ReadExchangeTrades,
  limit: number
): Effect.fn.Return<JoinedTrades, MarketReadProblem> {
  const newest = market.coverage.at(-1)
  if (market.isLive && newest !== undefined) {
    const trades = yield* market.latest(newest, limit)
    if (trades.length > 0)
      return yield* withOlder(market, readExchange, { trades, fromExchange: 0, run: newest }, limit)
  }
  return yield* readBehindTape(market, readExchange, limit).pipe(
    Effect.catchIf(isUpstreamProblem, (problem) => readTapeOnly(market, problem, limit))
  )
})

interface TradesRequest {
  readonly limit: number
  /** Unix milliseconds, inclusive. */
  readonly since: Option.Option<number>
}

/** The trades of a market, `BASE/QUOTE`: from the tape if it is recorded, from the exchange otherwise. */
export class Trades extends Context.Service<
  Trades,
  {
    /** Oldest first: the latest `limit`, or the first `limit` at or after `since`. */
    readonly read: (
      exchange: string,
      market: string,
      request: TradesRequest
    ) => Effect.Effect<JoinedTrades, MarketReadProblem>
    /** The latest `limit` in serialized form, if the tape has all of them without a known gap. */
    readonly readSerialized: (
      exchange: string,
      market: string,
      limit: number
    ) => Effect.Effect<
      Option.Option<Pick<JoinedTrades, "completeness" | "origins"> & SerializedTrades>,
      ExchangeNotFound | OperationNotSupported
    >
    readonly last: (
      exchange: string,
      market: string
    ) => Effect.Effect<Pick<JoinedTrades, "origins"> & { readonly trade: SourceTrade }, MarketReadProblem | NoData>
  }
>()("@chaintape/server/cex/trades/Trades") {
  static readonly layer = Layer.effect(
    Trades,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const source = yield* ExchangeSource
      const recorded = yield* RecordedMarkets
      const callExchange = makeCallExchange(yield* SourceHealth)

      const toReadExchange =
        (exchange: string, market: string): ReadExchangeTrades =>
        (request) =>
          callExchange(exchange, market, source.trades(exchange, parseMarket(market), request))

      return Trades.of({
        read: Effect.fn("Trades.read")(function* (exchange, market, request) {
          yield* exchanges.withTrades(exchange)
          const readExchange = toReadExchange(exchange, market)
          const found = yield* recorded.find(exchange, market)
          if (Option.isNone(found)) return toJoinedTrades(yield* readExchange({ ...request, before: Option.none() }))
          const { limit, since } = request
          return yield* Option.match(since, {
            onNone: () => latestTrades(found.value, readExchange, limit),
            onSome: (time) => readTradesSince(found.value, readExchange, { since: time, limit })
          })
        }),
        readSerialized: Effect.fn("Trades.readSerialized")(function* (exchange, market, limit) {
          yield* exchanges.withTrades(exchange)
          const found = yield* recorded.find(exchange, market)
          if (Option.isNone(found) || !found.value.isLive) return Option.none()
          const { continuity, coverage, latestSerialized } = found.value
          const newest = coverage.at(-1)
          if (newest === undefined || newest.to - newest.from + 1 < limit) return Option.none()
          const written = yield* latestSerialized(newest, limit)
          if (written === undefined) return Option.none()
          return Option.some({ ...written, completeness: completenessWithoutGap(continuity), origins: ["tape"] })
        }),
        last: Effect.fn("Trades.last")(function* (exchange, market) {
          yield* exchanges.withTrades(exchange)
          const held = yield* recorded.newest(exchange, market)
          if (Option.isSome(held)) return { trade: held.value, origins: ["tape"] }
          const readExchange = toReadExchange(exchange, market)
          const { trades } = yield* readExchange({ limit: 1, since: Option.none(), before: Option.none() })
          const trade = trades.at(-1)
          if (trade !== undefined) return { trade, origins: ["exchange"] }
          return yield* noTradeYet(exchange, market)
        })
      })
    })
  )
}
