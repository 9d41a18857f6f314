// Every trade of a market since a time, then the new ones: none missing, none twice.
// #region stream-trades
import { Cex, CexStream } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { Console, DateTime, Effect, Stream } from "effect"

const program = Effect.gen(function* () {
  const since = DateTime.subtract(yield* DateTime.now, { minutes: 10 })
  const trades = CexStream.trades({ exchange: "sandbox", market: Market.make("BTC/USD"), since, live: true })
  const count = yield* trades.pipe(
    Stream.interruptWhen(Effect.sleep("4 seconds")), // without this it never ends
    Stream.runFold(
      () => 0,
      (count) => count + 1
    )
  )
  yield* Console.log(`${count} trades since ${DateTime.formatIso(since)}`)
})

await Effect.runPromise(Effect.provide(program, Cex.layerConfig()))
// #endregion
