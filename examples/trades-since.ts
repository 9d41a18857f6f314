// The first 1,000 trades of the last hour, and their coverage.
import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, DateTime, Effect, Option } from "effect"

// #region trades-since
const program = Effect.gen(function* () {
  const cex = yield* Cex
  const since = DateTime.subtract(yield* DateTime.now, { hours: 1 })
  const answer = yield* cex.withResponse.trades({
    exchange: "sandbox",
    market: Market.make("BTC/USD"),
    since,
    limit: 1000
  })
  const { trades } = answer.value
  const state = Option.match(answer.coverage, { onNone: () => "unknown", onSome: ({ state }) => state })
  yield* Console.log(`${trades.length} trades since ${DateTime.formatIso(since)}: ${state}`)
})
// #endregion

program.pipe(Effect.provide(Cex.layerConfig()), NodeRuntime.runMain)
