import { SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { provided, world } from "./FaultyMarket.ts"
import { readStatus, readTrades, recordingKey, waitFor } from "./RecordingService.ts"

const decodeIds = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ trades: Schema.Array(Schema.Struct({ id: Schema.String })) }))
)

const readSince = Effect.fnUntraced(function* (origin: string, since: number) {
  const address = `${origin}/v2/cex/sandbox/BTC-USD/trades?limit=5000&since=${since}`
  const response = yield* Effect.promise(() => fetch(address, { headers: { "api-key": recordingKey } }))
  const ids = decodeIds(yield* Effect.promise(() => response.text())).trades.map(({ id }) => Number(id))
  return { ids: new Set(ids), coverage: response.headers.get("chaintape-coverage") ?? "" }
})

/** Longer than an exchange may be silent before the tape is not up to date, with the time of a request. */
const knownMs = 4000

describe("a service whose exchange falls silent over an open socket", () => {
  it.live("proves no absence of trades that the exchange has executed", () =>
    Effect.gen(function* () {
      const { begin, end } = yield* world
      const exchange = yield* SandboxExchange
      const origin = yield* Effect.flatten(begin)
      const isOfTape = Effect.map(readTrades(origin, 1), (answer) => (answer?.source === "record" ? true : undefined))
      yield* waitFor("a live tape", isOfTape, 60_000)
      yield* exchange.faults.set({ faults: [{ kind: "socket-drop", mode: "silence", endpoint: "stream", count: 1 }] })
      const begun = yield* Clock.currentTimeMillis
      const claims = { proven: 0, wrong: new Array<string>() }
      for (let now = begun; now < begun + 10_000; now = yield* Clock.currentTimeMillis) {
        const since = now - knownMs
        const { coverage, ids } = yield* readSince(origin, since)
        if (coverage.includes("complete=?1")) {
          claims.proven++
          const journal = yield* Effect.orDie(exchange.journal("BTC-USD"))
          const known = journal.filter(({ time }) => Date.parse(time) >= since && Date.parse(time) < now - 3000)
          const absent = known.filter(({ trade_id }) => !ids.has(trade_id))
          if (absent.length > 0) claims.wrong.push(`${now - begun} ms: ${coverage}, ${absent.length} are missing`)
        }
        yield* Effect.sleep("100 millis")
      }
      assert.deepStrictEqual(claims.wrong, [])
      assert.isAbove(claims.proven, 10)
      const { state } = yield* readStatus(origin)
      assert.strictEqual(state, "catching-up")
      yield* end("SIGTERM")
    }).pipe(provided({ tradesPerSecond: 20, history: "20 seconds", historyTradesPerSecond: 20 }))
  )
})
