import { NoData, OperationNotSupported } from "@chaintape/core/cex/CexProblem"
import { type Timeframe, timeframeSeconds } from "@chaintape/core/cex/Timeframe"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { Exchanges } from "./Exchanges.ts"
import { ExchangeSource } from "./ExchangeSource.ts"
import type { SourceCandle } from "./ExchangeSource.ts"
import { pairOf } from "./Pair.ts"
import { askingWith } from "./SourceProblem.ts"
import type { MarketReadProblem } from "./Trades.ts"

/** An exchange may still add a late trade this long after the end of a candle. */
const graceMs = 10_000

/** The candles of a market, `BASE/QUOTE`. */
export class Candles extends Context.Service<
  Candles,
  {
    /** The newest candle that holds a trade, and whether it can still change. */
    readonly last: (
      exchange: string,
      market: string,
      timeframe: Timeframe
    ) => Effect.Effect<{ readonly candle: SourceCandle; readonly closed: boolean }, MarketReadProblem | NoData>
  }
>()("@chaintape/server/cex/Candles") {
  static readonly layer = Layer.effect(
    Candles,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const source = yield* ExchangeSource
      const asking = askingWith(yield* SourceHealth)
      return Candles.of({
        last: Effect.fn("Candles.last")(function* (exchange, market, timeframe) {
          const { aggregateTimeframes, hasAggregates } = yield* exchanges.get(exchange)
          if (!hasAggregates || aggregateTimeframes[timeframe] === undefined) {
            return yield* new OperationNotSupported({
              exchange,
              timeframe,
              detail: `The exchange "${exchange}" offers no candles of ${timeframe}, nor any to derive them from.`
            })
          }
          const found = yield* asking(exchange, market, source.lastCandle(exchange, pairOf(market), timeframe))
          if (Option.isNone(found)) {
            return yield* new NoData({
              exchange,
              market,
              detail: `The market "${market}" of "${exchange}" has no trade yet.`
            })
          }
          const candle = found.value
          const end = candle.start + timeframeSeconds[timeframe] * 1000
          return { candle, closed: end + graceMs <= (yield* Clock.currentTimeMillis) }
        })
      })
    })
  )
}
