import { Market, type MarketNotFound, OperationNotSupported } from "@chaintape/core"
import { Context, Effect, Layer, Schema } from "effect"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { Exchanges } from "../Exchanges.ts"
import { ExchangeSource } from "../ExchangeSource.ts"
import type { SourceMarket } from "../ExchangeSource.ts"
import { makeCallExchange } from "../MarketReadProblem.ts"
import type { MarketReadProblem } from "../MarketReadProblem.ts"
import { RecordedMarkets } from "../trades/RecordedMarkets.ts"

/** A market of an exchange. */
export interface MarketListing extends SourceMarket {
  /** `BASE/QUOTE`, as `base` and `quote`. */
  readonly market: Market
  /** Unix milliseconds of the first recorded trade; undefined if none is recorded. */
  readonly recordedSince: number | undefined
}

/** The body of a list of markets. */
export const marketsJson = (listings: ReadonlyArray<MarketListing>): string =>
  JSON.stringify(
    listings.map(({ active, base, market, quote, recordedSince }) => ({
      market,
      base,
      quote,
      active,
      recorded: recordedSince !== undefined,
      recordedSince: recordedSince === undefined ? "" : String(recordedSince)
    }))
  )

/** Names that the path of an operation cannot contain are left out: nothing can be requested of them. */
const isNameable = Schema.is(Market)

/** The markets of an exchange. */
export class Markets extends Context.Service<
  Markets,
  {
    /** By market, ascending by code point. */
    readonly list: (
      exchange: string
    ) => Effect.Effect<ReadonlyArray<MarketListing>, Exclude<MarketReadProblem, MarketNotFound>>
  }
>()("@chaintape/server/cex/markets/Markets") {
  static readonly layer = Layer.effect(
    Markets,
    Effect.gen(function* () {
      const exchanges = yield* Exchanges
      const source = yield* ExchangeSource
      const recorded = yield* RecordedMarkets
      const callExchange = makeCallExchange(yield* SourceHealth)
      return Markets.of({
        list: Effect.fn("Markets.list")(function* (exchange) {
          yield* exchanges.get(exchange)
          const listed = yield* callExchange(exchange, "", source.markets(exchange)).pipe(
            // No market was requested, so that the exchange cannot lack it: it refuses the list itself.
            Effect.catchTag("MarketNotFound", () =>
              Effect.fail(
                new OperationNotSupported({
                  exchange,
                  detail: `The exchange "${exchange}" does not list its markets without an account.`
                })
              )
            )
          )
          const beginnings = yield* recorded.beginnings(exchange)
          return listed
            .flatMap(({ active, base, quote }) => {
              const market = `${base}/${quote}`
              return isNameable(market) ? [{ market, base, quote, active, recordedSince: beginnings.get(market) }] : []
            })
            .sort((left, right) => (left.market < right.market ? -1 : 1))
        })
      })
    })
  )
}
