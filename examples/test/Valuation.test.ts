import { Cex } from "@chaintape/cex"
import { MarketNotFound, RateLimited } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Valuation } from "../Valuation.ts"

const prices: Readonly<Record<string, number>> = { "BTC/USD": 60_000, "ETH/USD": 2000 }

type LastTrade = Cex["Service"]["lastTrade"]

// #region stub
const unused = () => Effect.die(new Error("The service under test calls lastTrade only."))

/** A Cex that answers `lastTrade` as told; anything else is a defect. */
const stub = (lastTrade: LastTrade) =>
  Layer.mock(Cex, {
    lastTrade,
    answer: { exchanges: unused, exchange: unused, trades: unused, lastTrade: unused, lastCandle: unused }
  })
// #endregion

const trading = stub(({ exchange, market }) => {
  const price = prices[market]
  if (price === undefined) {
    return Effect.fail(new MarketNotFound({ exchange, market, detail: `There is no "${market}".` }))
  }
  const timestamp = DateTime.makeUnsafe("2026-01-02T03:04:05Z")
  return Effect.succeed({ exchange, market, id: "1", timestamp, price, size: 1, cost: price, side: "buy" })
})

const busy = stub(() => Effect.fail(new RateLimited({ detail: "Wait.", retryAfterMs: 10 })))

const worth = (holdings: Readonly<Record<string, number>>) =>
  Effect.flatMap(Valuation, (valuation) => valuation.worth(holdings))

const over = (cex: Layer.Layer<Cex>) => Layer.provide(Valuation.layerNoDeps, cex)

describe("Valuation", () => {
  it.effect("adds up what each coin is worth at its latest price", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* worth({ BTC: 0.5, ETH: 2 }), 34_000)
    }).pipe(Effect.provide(over(trading)))
  )

  it.effect("counts nothing for a coin that is not listed", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* worth({ ETH: 1, XYZ: 1000 }), 2000)
    }).pipe(Effect.provide(over(trading)))
  )

  it.effect("fails with any other problem", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(worth({ BTC: 1 }))
      assert.strictEqual(error._tag, "RateLimited")
    }).pipe(Effect.provide(over(busy)))
  )
})
