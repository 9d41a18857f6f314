// Several groups share one client: one address, one key, one budget of retries.
import { Blocks } from "@chaintape/blocks"
import { Cex } from "@chaintape/cex"
import { Client, Market } from "@chaintape/core"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Layer, Option } from "effect"

const program = Effect.gen(function* () {
  const cex = yield* Cex
  const blocks = yield* Blocks
  const [candle, head] = yield* Effect.all(
    [
      cex.answer.lastCandle({ exchange: "sandbox", market: Market.make("ETH/USD"), timeframe: "1m" }),
      blocks.answer.blocks({ blockchain: "devnet", limit: 1 })
    ],
    { concurrency: "unbounded" }
  )
  const isClosed = Option.getOrElse(candle.candleClosed, () => false)
  yield* Console.log(`ETH/USD ${candle.value.c}, the minute is ${isClosed ? "over" : "still open"}`)
  yield* Option.match(head.asOf, {
    onNone: () => Console.log("The chain has no block."),
    onSome: ({ finalized, hash, number }) =>
      Console.log(`devnet is at ${number} ${hash}, ${finalized ? "final" : "not final yet"}`)
  })
})

// #region one-client
const layer = Layer.mergeAll(Cex.layerNoDeps, Blocks.layerNoDeps).pipe(Layer.provide(Client.layerConfig()))
// #endregion

program.pipe(Effect.provide(layer), NodeRuntime.runMain)
