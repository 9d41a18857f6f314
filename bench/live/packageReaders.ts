import { DateTime, Effect, Layer, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import * as CexStream from "../../packages/cex/src/CexStream.ts"
/** Readers of the stream of trades through the package, in their own process: port, number, key. */
import { Cex } from "../../packages/cex/src/index.ts"
import { Market } from "../../packages/core/src/index.ts"
import { newSeen } from "./LineReader.ts"
import { toReport } from "./ReadersReport.ts"

const [port = "", count = "", key = ""] = process.argv.slice(2)
let seen = newSeen()
const newest = Array.from({ length: Number(count) }, () => 0)

const read = (reader: number) =>
  Effect.gen(function* () {
    const since = yield* DateTime.now
    const trades = CexStream.trades({ exchange: "sandbox", market: Market.make("BTC/USD"), since, live: true })
    yield* Stream.runForEach(trades, ({ id, timestamp }) =>
      Effect.sync(() => {
        const before = newest[reader] ?? 0
        if (before > 0 && Number(id) !== before + 1) seen.wrong++
        newest[reader] = Number(id)
        seen.events++
        const late = Date.now() - DateTime.toEpochMillis(timestamp)
        const at = Math.max(0, Math.min(seen.latencies.length - 1, late))
        seen.latencies[at] = (seen.latencies[at] ?? 0) + 1
      })
    )
  })

const report = () => toReport(seen, newest)

process.on("message", (message) => {
  const now = report()
  if (message === "begin") seen = newSeen()
  process.send?.(now)
})
process.once("disconnect", () => process.exit(0))
process.send?.(report())

const client = Cex.layer({ baseUrl: `http://127.0.0.1:${port}`, apiKey: Redacted.make(key) })
await Effect.runPromise(
  Effect.forEach(newest.keys(), read, { concurrency: "unbounded", discard: true }).pipe(
    Effect.provide(client.pipe(Layer.provide(FetchHttpClient.layer)))
  )
)
