// The newest trade of a market, in a bundle without any other operation.
// #region last-trade-function
import { lastTrade } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const trade = yield* lastTrade({ exchange: "sandbox", market: Market.make("BTC/USD") })
  yield* Console.log(`${trade.side} ${trade.size} ${trade.market} at ${trade.price}, worth ${trade.cost}`)
})

const client = Client.layer({
  baseUrl: process.env.CHAINTAPE_BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: Redacted.make(process.env.CHAINTAPE_API_KEY ?? "")
})

await Effect.runPromise(Effect.provide(program, client))
// #endregion
