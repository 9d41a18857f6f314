// Several groups share one client: one address, one key, one retry budget.
// #region one-client
import { Blocks } from "@chaintape/blocks"
import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import { Console, Effect, Layer, Option } from "effect"

const layer = Layer.mergeAll(Cex.layerNoDeps, Blocks.layerNoDeps).pipe(Layer.provide(Client.layerConfig()))

const program = Effect.gen(function* () {
  const cex = yield* Cex
  const blocks = yield* Blocks
  const market = Market.make("ETH/USD")
  const candle = yield* cex.withResponse.lastCandle({ exchange: "sandbox", market, timeframe: "1m" })
  const head = yield* blocks.withResponse.blocks({ blockchain: "devnet", limit: 1 })
  const isClosed = Option.getOrElse(candle.candleClosed, () => false)
  yield* Console.log(`${market} is at ${candle.value.close}, and the minute is ${isClosed ? "over" : "open"}`)
  yield* Option.match(head.asOf, {
    onNone: () => Console.log("the chain is empty"),
    onSome: ({ finalized, number }) => Console.log(`devnet is at block ${number}, final: ${finalized}`)
  })
})

await Effect.runPromise(Effect.provide(program, layer))
// #endregion
