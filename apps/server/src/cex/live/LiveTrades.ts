import { type ExchangeNotFound, OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import type { LiveFeed } from "../../live/LiveFeed.ts"
import { Exchanges } from "../Exchanges.ts"
import { LiveTapes } from "./LiveTapes.ts"

/** Live streams of the trades of markets. */
export class LiveTrades extends Context.Service<
  LiveTrades,
  {
    /** The live trades of a market, `BASE/QUOTE`. */
    readonly feed: (
      exchange: string,
      market: string
    ) => Effect.Effect<LiveFeed, ExchangeNotFound | OperationNotSupported>
  }
>()("@chaintape/server/cex/live/LiveTrades") {
  static readonly layer = Layer.effect(
    LiveTrades,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const tapes = yield* LiveTapes
      return LiveTrades.of({
        feed: Effect.fn("LiveTrades.feed")(function* (exchange, market) {
          yield* exchanges.withTrades(exchange)
          const feed = yield* tapes.find(exchange, market)
          if (Option.isSome(feed)) return feed.value
          return yield* new OperationNotSupported({
            exchange,
            detail:
              `The market "${market}" of "${exchange}" is not recorded by this service, so that its trades cannot be ` +
              "followed: ask for them with /v2."
          })
        })
      })
    })
  )
}
