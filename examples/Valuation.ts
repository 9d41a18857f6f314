// A service that depends on Cex: the value of holdings at the latest prices.
import { Cex } from "@chaintape/cex"
import { Decimal, Market } from "@chaintape/core"
import { Context, Effect, Layer } from "effect"

type Failure = Effect.Error<ReturnType<Cex["Service"]["lastTrade"]>>

export class Valuation extends Context.Service<
  Valuation,
  {
    /** The value in US dollars. A coin without a market against the dollar counts nothing. */
    readonly worth: (
      holdings: Readonly<Record<string, number>>
    ) => Effect.Effect<number, Exclude<Failure, { readonly _tag: "MarketNotFound" }>>
  }
>()("examples/Valuation") {
  static readonly layerNoDeps = Layer.effect(
    Valuation,
    Effect.gen(function* () {
      const cex = yield* Cex

      const worthOf = Effect.fn("Valuation.worthOf")(
        function* (coin: string, amount: number) {
          const { price } = yield* cex.lastTrade({ exchange: "sandbox", market: Market.make(`${coin}/USD`) })
          return Decimal.toNumber(price) * amount
        },
        Effect.catchTag("MarketNotFound", () => Effect.succeed(0))
      )

      return Valuation.of({
        worth: Effect.fn("Valuation.worth")(function* (holdings) {
          const parts = yield* Effect.forEach(Object.entries(holdings), ([coin, amount]) => worthOf(coin, amount), {
            concurrency: 4
          })
          return parts.reduce((sum, part) => sum + part, 0)
        })
      })
    })
  )

  static readonly layer = Valuation.layerNoDeps.pipe(Layer.provide(Cex.layerConfig()))
}
