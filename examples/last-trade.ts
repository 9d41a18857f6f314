// The newest trade of a market.
// #region last-trade
import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const cex = yield* Cex
  const trade = yield* cex.lastTrade({ exchange: "sandbox", market: Market.make("BTC/USD") })
  yield* Console.log(`${trade.side} ${trade.size} ${trade.market} at ${trade.price}, worth ${trade.cost}`)
})

const layer = Cex.layer({
  baseUrl: process.env.CHAINTAPE_BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: Redacted.make(process.env.CHAINTAPE_API_KEY ?? "")
})

await Effect.runPromise(Effect.provide(program, layer))
// #endregion
