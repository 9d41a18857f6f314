import type { ExchangeNotFound, MarketNotFound, OperationNotSupported } from "@chaintape/core/cex/CexProblem"
import { NoData } from "@chaintape/core/cex/CexProblem"
import type { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core/problem/Problem"
import { Context, Effect, Layer, Option } from "effect"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { Exchanges } from "./Exchanges.ts"
import { ExchangeSource } from "./ExchangeSource.ts"
import type { SourceTrade, SourceTrades } from "./ExchangeSource.ts"
import { pairOf } from "./Pair.ts"
import { askingWith } from "./SourceProblem.ts"

export type MarketReadProblem =
  | ExchangeNotFound
  | MarketNotFound
  | OperationNotSupported
  | UpstreamFailed
  | UpstreamBusy
  | UpstreamTimeout

/** The trades of a market, `BASE/QUOTE`. */
export class Trades extends Context.Service<
  Trades,
  {
    /** Oldest first: the latest `limit`, or the first `limit` at or after `since` (Unix milliseconds). */
    readonly read: (
      exchange: string,
      market: string,
      request: { readonly limit: number; readonly since: Option.Option<number> }
    ) => Effect.Effect<SourceTrades, MarketReadProblem>
    readonly last: (exchange: string, market: string) => Effect.Effect<SourceTrade, MarketReadProblem | NoData>
  }
>()("@chaintape/server/cex/Trades") {
  static readonly layer = Layer.effect(
    Trades,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const source = yield* ExchangeSource
      const asking = askingWith(yield* SourceHealth)

      const read: Trades["Service"]["read"] = Effect.fn("Trades.read")(function* (exchange, market, request) {
        yield* exchanges.withTrades(exchange)
        return yield* asking(exchange, market, source.trades(exchange, pairOf(market), request))
      })

      return Trades.of({
        read,
        last: Effect.fn("Trades.last")(function* (exchange, market) {
          const { trades } = yield* read(exchange, market, { limit: 1, since: Option.none() })
          const last = trades.at(-1)
          if (last !== undefined) return last
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
