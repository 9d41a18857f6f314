import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Console, Effect, Schedule } from "effect"
import * as Database from "../../src/store/Database.ts"
import { waitFor } from "../cex/tape/record/RecordingService.ts"
import { call } from "../HttpCall.ts"
import { differencesOfStore } from "./proof/StoreProof.ts"
import { freePort } from "./world/FreePort.ts"
import { startOutside } from "./world/Outside.ts"
import { mayMount, smallDisk } from "./world/SmallDisk.ts"
import { Workshop } from "./world/Workshop.ts"
import { configOf, startInstance } from "./world/World.ts"

const fullSeconds = 20

const isAnswered = (port: number, path: string) =>
  call(`http://127.0.0.1:${port}`, { path, patienceMs: 3000 }).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.catch(() => Effect.succeed(false))
  )

describe("an instance with the embedded store", () => {
  it.live.skipIf(!mayMount)(
    "recovers by itself after its disk was full (root)",
    () =>
      Effect.gen(function* () {
        const { directory } = yield* Workshop
        const disk = yield* smallDisk(512)
        const outside = yield* startOutside
        writeFileSync(join(directory, "chaintape.config.json"), JSON.stringify(configOf(outside)))
        const port = yield* freePort
        const instance = yield* startInstance("embedded", port, { CHAINTAPE_DATA_DIR: join(disk.path, "data") })
        const ready = waitFor(
          "the instance",
          Effect.map(isAnswered(port, "/health/ready"), (is) => is || undefined),
          90_000
        )
        yield* ready
        yield* disk.fill
        const alive: Array<boolean> = []
        yield* Effect.andThen(disk.fill, isAnswered(port, "/health/live")).pipe(
          Effect.map((is) => void alive.push(is)),
          Effect.repeat(Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: fullSeconds * 2 }))),
          Effect.ensuring(disk.empty)
        )
        const begun = yield* Clock.currentTimeMillis
        const target = yield* Effect.forEach(outside.products, (product) =>
          Effect.map(outside.newest(product), (trade) => [product, trade] as const)
        )
        yield* ready
        // The recordings backfill what they missed, and the index catches up.
        yield* Effect.sleep("15 seconds")
        yield* instance.again.close
        yield* instance.signal("SIGTERM")
        yield* instance.child()?.ended ?? Effect.void
        const { block, found } = yield* differencesOfStore(outside, target).pipe(
          Effect.provide(Database.connection({ url: undefined, dataDir: join(disk.path, "data", "database") })),
          Effect.scoped
        )
        const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
        yield* Console.log(
          `disk full: ${fullSeconds} s without a byte; alive in ${alive.filter(Boolean).length} of ${alive.length} looks, ` +
            `${instance.starts()} starts; tape and index (block ${block}) compared ${seconds.toFixed(1)} s after: ` +
            `${found.length} differences`
        )
        assert.deepStrictEqual(found, [])
      }).pipe(Effect.scoped, Effect.provide([Workshop.layer, NodeServices.layer])),
    420_000
  )
})
