import { type ExchangeNotFound, NoData, type OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { Exchanges } from "../Exchanges.ts"
import { ExchangeSource, parseMarket } from "../ExchangeSource.ts"
import type { SourceTrade } from "../ExchangeSource.ts"
import { makeAsk } from "../SourceProblem.ts"
import type { MarketReadProblem } from "../SourceProblem.ts"
import type { SerializedTrades } from "../tape/read/TapeSegments.ts"
import { completenessWithoutGap } from "./JoinedTrades.ts"
import type { JoinedTrades } from "./JoinedTrades.ts"
import { latestTrades, toJoinedTrades } from "./LatestTrades.ts"
import type { AskExchange } from "./LatestTrades.ts"
import { RecordedMarkets } from "./RecordedMarkets.ts"
import { tradesSince } from "./TradesSince.ts"

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
    /** Opens a check whether responses from the tape alone are still current; undefined if unknown. */
    readonly watchUnchanged: (exchange: string, market: string) => Effect.Effect<(() => boolean) | undefined>
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
      const askSource = makeAsk(yield* SourceHealth)

      const askExchange =
        (exchange: string, market: string): AskExchange =>
        (request) =>
          askSource(exchange, market, source.trades(exchange, parseMarket(market), request))

      return Trades.of({
        watchUnchanged: recorded.watchUnchanged,
        read: Effect.fn("Trades.read")(function* (exchange, market, request) {
          yield* exchanges.withTrades(exchange)
          const ask = askExchange(exchange, market)
          const found = yield* recorded.find(exchange, market)
          if (Option.isNone(found)) return toJoinedTrades(yield* ask({ ...request, before: Option.none() }))
          const { limit, since } = request
          return yield* Option.match(since, {
            onNone: () => latestTrades(found.value, ask, limit),
            onSome: (time) => tradesSince(found.value, ask, { since: time, limit })
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
          const ask = askExchange(exchange, market)
          const { trades } = yield* ask({ limit: 1, since: Option.none(), before: Option.none() })
          const trade = trades.at(-1)
          if (trade !== undefined) return { trade, origins: ["exchange"] }
          return yield* new NoData({
            exchange,
            market,
            detail: `The market "${market}" of "${exchange}" has no trade yet.`
          })
        })
      })
    })
  )
}
