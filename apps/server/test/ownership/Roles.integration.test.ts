import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { configured, readStatus, waitFor } from "../cex/tape/record/RecordingService.ts"
import { call } from "../HttpCall.ts"
import { readMetrics, ready, start } from "../StartedProgram.ts"
import { toStatus } from "./Instances.ts"

const exchange = SandboxExchange.layer({ tradesPerSecond: 5, history: "1 minute", rateLimit: "none" })

const decodeBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ detail: Schema.String })))

describe("an instance with some of the roles", () => {
  it.live(
    "records, serves its status, and serves no API without the role 'api'",
    () =>
      Effect.gen(function* () {
        const { environment } = yield* configured(yield* SandboxExchange)
        const started = yield* start({ ...environment, CHAINTAPE_ROLES: "recorder" })
        const { origin } = yield* ready(started, 180_000)
        yield* waitFor(
          "a live recording",
          Effect.map(readStatus(origin), ({ state }) => (state === "live" ? true : undefined)),
          400_000
        )
        const { owns, roles } = (yield* toStatus({ started, origin }))?.instance ?? {}
        assert.deepStrictEqual({ owns, roles }, { owns: ["recording:sandbox/BTC/USD"], roles: ["recorder"] })
        for (const path of ["/health/live", "/health/ready"]) {
          assert.strictEqual((yield* call(origin, { path })).status, 200, path)
        }
        assert.include(yield* readMetrics(started), "chaintape_recorder_trades_total")
        const key = environment.CHAINTAPE_BOOTSTRAP_KEY
        const refused = ["/v2/cex/sandbox/BTC-USD/trades", "/v2/blocks", "/", "/docs", "/sign-in", "/live/blocks/x"]
        for (const path of refused) {
          const { body, headers, status } = yield* call(origin, { path, headers: { "api-key": key } })
          assert.deepStrictEqual([status, headers["content-type"]], [503, "application/problem+json"], path)
          assert.strictEqual(
            decodeBody(body).detail,
            'This instance has the roles "recorder" and answers no callers: ask one with the role "api".'
          )
        }
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    400_000
  )

  it.live(
    "takes no work without the role for it, and reports the work as unowned",
    () =>
      Effect.gen(function* () {
        const { environment } = yield* configured(yield* SandboxExchange)
        const started = yield* start({ ...environment, CHAINTAPE_ROLES: "api,indexer" })
        const { origin } = yield* ready(started, 180_000)
        yield* Effect.sleep("1 second")
        const { lastError, state, stored } = yield* readStatus(origin)
        assert.deepStrictEqual([state, stored, lastError], ["starting", 0, "No instance does this work at the moment."])
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    400_000
  )
})
