import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { key } from "../RunningService.ts"
import { ready, start } from "../StartedProgram.ts"
import { folder } from "../StartedWorld.ts"
import { callAll } from "./ManyCalls.ts"

/** More than the limits of a service allow at once. */
const burstCalls = 999
const bursts = 10

/**
 * As a program of its own: the processor time of the client must not count as that of the service, which rejects by it. That
 * of other programs counts too, so this needs the machine for itself.
 */
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
