import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import { DateTime, Effect, Redacted } from "effect"

// A client in its own process: prints the trades that it read as one line of JSON.
const [, , baseUrl = "", apiKey = "", since = "0"] = process.argv

const read = Effect.gen(function* () {
  const { trades } = yield* Cex
  const found = yield* trades({
    exchange: "sandbox",
    market: Market.make("BTC/USD"),
    since: DateTime.makeUnsafe(Number(since)),
    limit: 50
  })
  return JSON.stringify(found.trades.map((trade) => ({ ...trade, timestamp: DateTime.toEpochMillis(trade.timestamp) })))
}).pipe(Effect.provide(Cex.layer({ baseUrl, apiKey: Redacted.make(apiKey) })))

process.stdout.write(`${await Effect.runPromise(read)}\n`)
