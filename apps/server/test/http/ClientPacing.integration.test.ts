import { Client } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, FileSystem, Redacted } from "effect"
import { casesOf } from "../Cases.ts"
import { generous, key, RunningService } from "../RunningService.ts"
import { ready, start } from "../StartedProgram.ts"
import { folder } from "../StartedWorld.ts"
import { stubbedService } from "../StubbedService.ts"

const bucket = { burst: 50, perSecond: 10 }
const calls = 90

/** More than the limits of a service allow at once. */
const burstCalls = 999
const bursts = casesOf("CHAINTAPE_BURSTS", { few: 1, many: 10 })

/** All at once on a new client, each a separate request, for an exchange that does not exist. */
const callAll = Effect.fnUntraced(function* (
  origin: string,
  count: number,
  retry: { readonly attempts: number; readonly paced?: boolean }
) {
  const client = yield* Client.pipe(
    Effect.provide(Client.layer({ baseUrl: origin, apiKey: Redacted.make(key), retry }))
  )
  const begin = yield* Clock.currentTimeMillis
  const tags = yield* Effect.all(
    Array.from({ length: count }, (_, index) =>
      Effect.match(client.call(Operations.exchange, { exchange: `none-${index}` }), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: () => "good"
      })
    ),
    { concurrency: "unbounded" }
  )
  return { tags: [...new Set(tags)], took: (yield* Clock.currentTimeMillis) - begin }
})

describe("90 calls at once on a key that may make 50 and 10 a second", () => {
  layer(stubbedService({ ...generous, plans: { default: bucket } }), { excludeTestServices: true })((it) => {
    it.effect("are all answered by a client that keeps the pace, each in one attempt", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { tags, took } = yield* callAll(origin, calls, { attempts: 1, paced: true })
        assert.deepStrictEqual(tags, ["ExchangeNotFound"])
        // Units beyond the bucket have to be refilled.
        assert.isAtLeast(took, ((calls - bucket.burst) / bucket.perSecond) * 1000)
      })
    )

    it.effect("are refused in part without it", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { tags } = yield* callAll(origin, calls, { attempts: 1, paced: false })
        assert.include(tags, "RateLimited")
      })
    )
  })
})

/** As a program of its own: the processor time of the client must not count as that of the service. */
const startedService = Effect.gen(function* () {
  const { writeFileString } = yield* FileSystem.FileSystem
  const dataDir = yield* folder
  const config = `${dataDir}/chaintape.config.json`
  yield* writeFileString(config, JSON.stringify({ exchanges: [{ id: "kraken" }] }))
  const started = yield* start({
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_DATA_DIR: dataDir,
    CHAINTAPE_BOOTSTRAP_KEY: key
  })
  return yield* ready(started)
})

describe("999 calls at once on a new client", () => {
  it.live(`are all answered, each in one attempt, at the limits that a service has by itself, in ${bursts} runs`, () =>
    Effect.gen(function* () {
      const { origin } = yield* startedService
      for (let run = 0; run < bursts; run++) {
        const { tags } = yield* callAll(origin, burstCalls, { attempts: 1 })
        assert.deepStrictEqual(tags, ["ExchangeNotFound"], `run ${run}`)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
