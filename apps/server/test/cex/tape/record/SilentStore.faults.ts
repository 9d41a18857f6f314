import { SandboxExchange } from "@chaintape/sandbox"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { cutLink } from "../../../auth/limits/CutLink.ts"
import { differencesOfTape, readTape } from "../../../faults/proof/TapeProof.ts"
import { assertProblem } from "../../../http/response/Problem.ts"
import { call } from "../../../HttpCall.ts"
import { ownDatabase } from "../../../ownership/Instances.ts"
import { start } from "../../../StartedProgram.ts"
import { caughtUp, provided } from "./FaultyMarket.ts"
import { configured, readStatus, readTrades, recordingKey, signal, toOrigin, waitFor } from "./RecordingService.ts"

const server = process.env["DATABASE_URL"]
/** Shorter than it takes to notice the silence, and longer. */
const silences = [4000, 14_000]
/** As docs/operations.md says, with room for a busy machine. */
const maxMs = 20_000
const headers = { "api-key": recordingKey }

const ask = (origin: string, path: string) =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    const reply = yield* call(origin, { path, headers, patienceMs: 60_000 })
    assert.isBelow((yield* Clock.currentTimeMillis) - begun, maxMs, path)
    if (reply.status !== 200) assertProblem(reply, 503, "not-ready")
    return reply.status
  })

describe.skipIf(server === undefined)("a service whose PostgreSQL server becomes silent (DATABASE_URL)", () => {
  it.live(
    "responds with problems, and recovers by itself after its connections are lost, without a missing trade",
    () =>
      Effect.gen(function* () {
        const link = yield* cutLink(new URL(yield* ownDatabase(server ?? "")))
        const { environment } = yield* configured(yield* SandboxExchange)
        const started = yield* start({ ...environment, DATABASE_URL: link.url.href })
        const origin = yield* toOrigin(started)
        yield* waitFor(
          "trades",
          Effect.map(readStatus(origin), ({ state, stored }) => (state === "live" && stored > 500) || undefined),
          60_000
        )
        for (const silence of silences) {
          yield* link.turn("silent")
          const asked = Effect.all(
            [
              "/health/ready",
              "/v2/cex/sandbox",
              ...Array.from({ length: 40 }, () => "/v2/cex/sandbox/BTC-USD/trades?limit=500")
            ].map((path) => ask(origin, path)),
            { concurrency: "unbounded" }
          )
          yield* Effect.all([asked, Effect.sleep(silence)], { concurrency: "unbounded" })
          assert.strictEqual((yield* readStatus(origin)).state, "catching-up")
          assert.strictEqual((yield* call(origin, { path: "/health/live" })).status, 200)
          yield* link.turn("half-open")
          yield* waitFor(
            "the store",
            Effect.map(call(origin, { path: "/health/ready" }), ({ status }) => status === 200 || undefined).pipe(
              Effect.orDie
            ),
            maxMs
          )
          yield* caughtUp(origin)
          assert.include((yield* readTrades(origin, 500))?.coverage, "complete=?1")
        }
        const target = yield* caughtUp(origin)
        assert.strictEqual(yield* signal(started, "SIGTERM"), 130)
        const journal = (yield* Effect.flatMap(SandboxExchange, (exchange) => exchange.journal("BTC-USD"))).filter(
          ({ trade_id }) => trade_id <= target
        )
        yield* link.turn("open")
        const tape = yield* readTape("BTC/USD", target).pipe(
          Effect.provide(PgClient.layer({ url: Redacted.make(link.url.href), maxConnections: 1 }))
        )
        assert.deepStrictEqual(differencesOfTape(tape, journal), [])
      }).pipe(provided({ tradesPerSecond: 100, history: "20 seconds", historyTradesPerSecond: 50 }))
  )
})
