import { isCandleClosed, type NoData, OperationNotSupported, type Timeframe, timeframeSeconds } from "@chaintape/core"
import { Clock, Context, DateTime, Effect, Layer, Option } from "effect"
import { dayMs } from "../../internal/day.ts"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { candleRowJson } from "../CexJson.ts"
import type { Completeness } from "../Completeness.ts"
import { Exchanges } from "../Exchanges.ts"
import { ExchangeSource, parseMarket } from "../ExchangeSource.ts"
import type { CandlesWanted } from "../ExchangeSource.ts"
import { makeCallExchange, noTradeYet } from "../MarketReadProblem.ts"
import type { MarketReadProblem } from "../MarketReadProblem.ts"
import type { CandleMark } from "../tape/CandlePage.ts"
import { contains, maxDisorderMs } from "../tape/ledger/Coverage.ts"
import type { JoinedTrades } from "../trades/JoinedTrades.ts"
import { RecordedMarkets } from "../trades/RecordedMarkets.ts"
import type { RecordedMarket } from "../trades/RecordedMarkets.ts"
import { readHistory } from "./CandleHistory.ts"
import type { CandleHistory } from "./CandleHistory.ts"

export interface LastCandle extends Pick<JoinedTrades, "completeness" | "origins"> {
  /** Unix milliseconds. */
  readonly start: number
  /** As an element of a list of candles. */
  readonly row: string
  readonly closed: boolean
}

/** Starts of candles in Unix milliseconds, both inclusive. */
export interface CandlesRequest {
  readonly since: Option.Option<number>
  readonly until: Option.Option<number>
  readonly limit: number
}

export interface ReadCandles extends CandleHistory {
  /** Whether the last candle is closed. */
  readonly closed: boolean
  /** Whether a repetition of the request returns the same. */
  readonly isImmutable: boolean
}

/**
 * Whether the newest candle contains all of its trades: the trade before it is known, or there is none, and none is
 * missing within or after it.
 */
const isWhole = (
  { coverage, firstId }: RecordedMarket,
  { closeSequence, openSequence, trades }: CandleMark
): boolean => {
  const newest = coverage.at(-1)
  return (
    newest !== undefined &&
    closeSequence >= newest.to &&
    trades === closeSequence - openSequence + 1 &&
    (openSequence <= (firstId ?? 0) || contains([newest], openSequence - 1))
  )
}

/** The last day of all. A candle of any timeframe could start there. */
const lastDay = 100_000_000 * dayMs

const fromExchange = { completeness: "unverifiable", origins: ["exchange"] } as const satisfies Partial<LastCandle>
const fromTape = { completeness: "complete" satisfies Completeness, origins: ["tape"] } as const

/** The selection of a request; candles start at multiples of the timeframe. */
const toWanted = (timeframe: Timeframe, { limit, since, until }: CandlesRequest, now: number): CandlesWanted => {
  const frame = timeframeSeconds[timeframe] * 1000
  const last = Math.min(
    Option.getOrElse(until, () => now),
    now
  )
  return {
    timeframe,
    limit,
    from: Math.ceil(Option.getOrElse(since, () => 0) / frame) * frame,
    to: Math.floor(last / frame) * frame,
    take: Option.isSome(since) ? "first" : "latest"
  }
}

/** The candles of a market, `BASE/QUOTE`: from the tape if proven complete, from the exchange otherwise. */
export class Candles extends Context.Service<
  Candles,
  {
    /** The newest candle with a trade. */
    readonly last: (
      exchange: string,
      market: string,
      timeframe: Timeframe
    ) => Effect.Effect<LastCandle, MarketReadProblem | NoData>
    /** The latest `limit` up to a start, or the first `limit` from a start on; oldest first. */
    readonly read: (
      exchange: string,
      market: string,
      timeframe: Timeframe,
      request: CandlesRequest
    ) => Effect.Effect<ReadCandles, MarketReadProblem>
  }
>()("@chaintape/server/cex/candles/Candles") {
  static readonly layer = Layer.effect(
    Candles,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const source = yield* ExchangeSource
      const recorded = yield* RecordedMarkets
      const callExchange = makeCallExchange(yield* SourceHealth)

      const findTapeCandle = Effect.fnUntraced(function* (exchange: string, market: string, timeframe: Timeframe) {
        const tape = Option.getOrUndefined(yield* recorded.find(exchange, market))
        if (tape === undefined || !tape.isLive || tape.continuity !== "sequence") return Option.none()
        const { ends, rows } = yield* tape.candlePage({ timeframe, from: 0, to: lastDay, limit: 1, take: "latest" })
        return ends === undefined || !isWhole(tape, ends[1])
          ? Option.none()
          : Option.some({ start: ends[1].start, row: rows, ...fromTape })
      })

      const requireTimeframe = Effect.fnUntraced(function* (exchange: string, timeframe: Timeframe) {
        const { aggregateTimeframes, hasAggregates } = yield* exchanges.get(exchange)
        if (!hasAggregates || aggregateTimeframes[timeframe] === undefined) {
          return yield* new OperationNotSupported({
            exchange,
            timeframe,
            detail: `The exchange "${exchange}" offers no candles of ${timeframe}, nor any to derive them from.`
          })
        }
      })

      const ofSource = Effect.fnUntraced(function* (exchange: string, market: string, timeframe: Timeframe) {
        yield* requireTimeframe(exchange, timeframe)
        const found = yield* callExchange(exchange, market, source.lastCandle(exchange, parseMarket(market), timeframe))
        if (Option.isSome(found)) return { start: found.value.start, row: candleRowJson(found.value), ...fromExchange }
        return yield* noTradeYet(exchange, market)
      })

      return Candles.of({
        last: Effect.fn("Candles.last")(function* (exchange, market, timeframe) {
          yield* exchanges.get(exchange)
          const own = Option.getOrUndefined(yield* findTapeCandle(exchange, market, timeframe))
          const candle = own ?? (yield* ofSource(exchange, market, timeframe))
          const openTime = DateTime.makeUnsafe(candle.start)
          return { ...candle, closed: isCandleClosed({ openTime, timeframe }, yield* DateTime.now) }
        }),
        read: Effect.fn("Candles.read")(function* (exchange, market, timeframe, request) {
          yield* exchanges.get(exchange)
          const now = yield* Clock.currentTimeMillis
          const frame = timeframeSeconds[timeframe] * 1000
          const found = Option.getOrUndefined(yield* recorded.find(exchange, market))
          const history = yield* readHistory(
            found?.continuity === "sequence" ? found : undefined,
            (wanted) =>
              Effect.andThen(
                requireTimeframe(exchange, timeframe),
                callExchange(exchange, market, source.candles(exchange, parseMarket(market), wanted))
              ),
            toWanted(timeframe, request, now),
            frame
          )
          return {
            ...history,
            closed:
              history.last === undefined ||
              isCandleClosed({ openTime: DateTime.makeUnsafe(history.last), timeframe }, DateTime.makeUnsafe(now)),
            isImmutable: history.completeness === "complete" && history.scope.to + frame + maxDisorderMs <= now
          }
        })
      })
    })
  )
}
