import { readFileSync, writeFileSync } from "node:fs"
import { kill } from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Random } from "effect"
import { begin, chaintape } from "../CommandRun.ts"
import { makeDumpWorld } from "./DumpWorld.ts"
import { assertTape, record, toRuns } from "./StoredImport.ts"

const world = makeDumpWorld({ trades: 200_000 })
const first = Number(world.toTrade(0).id)
const runs = toRuns(first, first + world.total - 1, world.holes)
const words = ["import", "binance", "BTC-USDT"]

/** A folder with the daily files and a data directory. */
const folders = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const cwd = yield* files.makeTempDirectoryScoped()
  yield* files.makeDirectory(`${cwd}/dumps`)
  return { cwd, dataDir: `${cwd}/data`, environment: { CHAINTAPE_DATA_DIR: `${cwd}/data` } }
})

describe("chaintape import", () => {
  it.live(
    "of daily files over a recording gives the journal without the holes of both, and states what differs",
    () =>
      Effect.gen(function* () {
        const { cwd, dataDir, environment } = yield* folders
        const files = world.writeFiles(`${cwd}/dumps`)
        yield* record(dataDir, world)
        const [damaged = "", truncated = ""] = files
        const originals = [readFileSync(damaged), readFileSync(truncated)] as const
        writeFileSync(damaged, Buffer.concat([originals[0], Buffer.from("\n")]))
        writeFileSync(truncated, originals[1].subarray(0, originals[1].length / 2))
        yield* Effect.promise(async () => (await import("node:fs/promises")).rm(`${truncated}.CHECKSUM`))
        const refused = yield* chaintape([...words, ...files], { cwd, environment })
        assert.strictEqual(refused.code, 5, refused.stderr)
        assert.include(refused.stderr, `"${damaged}" cannot be imported: its checksum is `)
        assert.include(refused.stderr, `"${truncated}" cannot be imported: `)
        assert.include(refused.stderr, "Nothing was imported.")
        yield* assertTape(dataDir, world.recording, [
          [Number(world.recording[0]?.id), Number(world.recording.at(-1)?.id)]
        ])
        writeFileSync(damaged, originals[0])
        writeFileSync(truncated, originals[1])
        const done = yield* chaintape([...words, ...files], { cwd, environment })
        assert.strictEqual(done.code, 4, done.stderr)
        assert.include(done.stderr, `Different: trade ${world.alteredId} is `)
        for (const { from, to } of world.holes)
          assert.include(done.stderr, `Missing: ${from === to ? from : `${from} to ${to}`}, between `)
        assert.include(done.stdout, "9 of 10 files agree with a published checksum.")
        assert.include(done.stdout, "1 different")
        assert.include(done.stdout, `142 ids are missing in 3 gaps.`)
        yield* assertTape(dataDir, world.expected(), runs)
        const again = yield* chaintape([...words, ...files], { cwd, environment })
        assert.strictEqual(again.code, 4, again.stderr)
        assert.include(again.stderr, `Different: trade ${world.alteredId} is `)
        assert.include(again.stdout, "1 different")
        assert.include(again.stdout, "10 files had been imported before.")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    240_000
  )

  it.live(
    "continues after it was killed at random moments, without a trade lost or doubled",
    () =>
      Effect.gen(function* () {
        const { cwd, dataDir, environment } = yield* folders
        const files = world.writeFiles(`${cwd}/dumps`)
        yield* record(dataDir, world)
        for (let killed = 0; killed < 3; killed++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const running = yield* begin([...words, ...files], { cwd, environment })
              yield* Effect.raceFirst(Effect.sleep(yield* Random.nextIntBetween(1500, 6000)), running.ended)
              if (running.isRunning()) kill(running.pid, "SIGKILL")
              yield* running.ended
            })
          )
        }
        const done = yield* chaintape([...words, ...files], { cwd, environment })
        assert.include([3, 4], done.code, done.stderr)
        yield* assertTape(dataDir, world.expected(), runs)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    240_000
  )
})
