import { Cex } from "@chaintape/cex"
import { CexTest } from "@chaintape/cex/testing"
import { Client, MarketNotFound, RateLimited } from "@chaintape/core"
import { Faults, Script } from "@chaintape/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Valuation } from "../Valuation.ts"

const worth = (holdings: Readonly<Record<string, number>>) =>
  Effect.flatMap(Valuation, (valuation) => valuation.worth(holdings))

const over = <E>(cex: Layer.Layer<Cex, E>) => Layer.provide(Valuation.layerNoDeps, cex)

// #region values
const prices: Readonly<Record<string, number>> = { "BTC/USD": 60_000, "ETH/USD": 2000 }

/** A Cex from plain values: an operation without a value is a defect with a message. */
const trading = CexTest.layer({
  lastTrade: ({ exchange, market }) => {
    const price = prices[market]
    return price === undefined
      ? new MarketNotFound({ exchange, market, detail: `There is no "${market}".` })
      : CexTest.trade({ price })
  }
})
// #endregion

const busy = CexTest.layer({ lastTrade: new RateLimited({ detail: "Wait.", retryAfterMs: 10 }) })

// #region faults
/** The same values over the real client, and a service that limits the first three requests. */
const stormy = Cex.layerNoDeps.pipe(
  Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
  Layer.provide(Faults.rateLimited({ first: 3, retryAfter: "2 seconds" })),
  Layer.provide(CexTest.layerHttp({ lastTrade: CexTest.trade({ price: 60_000 }) }))
)
// #endregion

const down = Cex.layerNoDeps.pipe(
  Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
  Layer.provide(Faults.outage({ until: "10 minutes" })),
  Layer.provide(CexTest.layerHttp({}))
)

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

  it.effect("bears a storm of rate limits, as the client waits for it", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(worth({ BTC: 2 }))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), 120_000)
    }).pipe(Effect.provide(over(stormy)))
  )

  it.effect("fails while the service is down, by the deadline of the client", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(Effect.flip(worth({ BTC: 2 })))
      yield* TestClock.adjust("45 seconds")
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "TransportError")
    }).pipe(Effect.provide(over(down)))
  )

  it.effect("asks for nothing but the last trade", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(worth({ BTC: 1 }))
      const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(defect, Script.WrongScript)
      assert.include(String(defect), 'calls "cex.lastTrade", and the test does not say what it answers')
    }).pipe(Effect.provide(over(CexTest.layer({ exchanges: [] }))))
  )
})
