import { readFileSync, truncateSync, watch, writeFileSync } from "node:fs"
import { kill } from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Console, Effect, FileSystem, Random } from "effect"
import { begin } from "../cli/CommandRun.ts"
import type { Running } from "../cli/CommandRun.ts"
import { makeDumpWorld } from "../cli/import/DumpWorld.ts"
import { assertTape, findConflicts, record, toRuns } from "../cli/import/StoredImport.ts"

const trades = Number(process.env["CHAINTAPE_IMPORT_TRADES"] ?? 100_000)
const seed = "imported"
const kills = 10
const maxMb = 500
/** Bytes that the process writes for each imported trade, to the log and to tables: observed. */
const bytesOfTrade = 600
/** On average the killed imports store this part of the trades. */
const killedPart = 0.5

/** The highest resident memory of a process so far. */
const peakMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

/** The bytes that a process has written to files so far. */
const writtenBytes = (pid: number): number =>
  Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0)

/**
 * Resolves when a process has written a number of bytes since the first change of a folder, and calls `look` at each
 * change. Changes are not counted: the kernel joins those that are not read in time.
 */
const bytesWritten = ({ isRunning, pid }: Running, folder: string, bytes: number, look: () => void) =>
  Effect.callback<void>((resume) => {
    let first: number | undefined
    const watcher = watch(folder, () => {
      if (!isRunning()) return
      look()
      first ??= writtenBytes(pid)
      if (writtenBytes(pid) - first >= bytes) resume(Effect.void)
    })
    return Effect.sync(() => watcher.close())
  })

const world = makeDumpWorld({ trades })
const first = Number(world.toTrade(0).id)
const runs = toRuns(first, first + trades - 1, world.holes)

describe("an import of published files", () => {
  it.live(
    `gives the journal of ${trades} trades after ${kills} kills at moments of the seed "${seed}"`,
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const cwd = yield* files.makeTempDirectoryScoped()
        yield* files.makeDirectory(`${cwd}/dumps`)
        const paths = world.writeFiles(`${cwd}/dumps`)
        const dataDir = `${cwd}/data`
        yield* record(dataDir, world)
        const peaks: Array<number> = []
        /** Imports until the end, or until a number of bytes is written. */
        const run = (bytes: number) =>
          Effect.scoped(
            Effect.gen(function* () {
              const words = ["import", "binance", "BTC-USDT", ...paths]
              const running: Running = yield* begin(words, { cwd, environment: { CHAINTAPE_DATA_DIR: dataDir } })
              let peak = 0
              const look = () => (peak = peakMb(running.pid))
              const isWritten = bytesWritten(running, `${dataDir}/database/pg_wal`, bytes, look)
              yield* Effect.raceFirst(isWritten, running.ended)
              if (running.isRunning()) kill(running.pid, "SIGKILL")
              peaks.push(peak)
              return yield* running.ended
            })
          )

        const [damaged = "", truncated = ""] = paths
        const originals = [readFileSync(damaged), readFileSync(truncated)] as const
        writeFileSync(damaged, Buffer.concat([originals[0], Buffer.from("\n")]))
        truncateSync(truncated, originals[1].length >> 1)
        yield* files.remove(`${truncated}.CHECKSUM`)
        const refused = yield* run(Infinity)
        assert.include(refused.stderr, `"${damaged}" cannot be imported: its checksum is `)
        assert.include(refused.stderr, `"${truncated}" cannot be imported: `)
        assert.include(refused.stderr, "Nothing was imported.")
        writeFileSync(damaged, originals[0])
        writeFileSync(truncated, originals[1])

        const begun = yield* Clock.currentTimeMillis
        for (let killed = 0; killed < kills; killed++) {
          const maxBytes = Math.ceil((2 * killedPart * trades * bytesOfTrade) / kills)
          const { code, stderr } = yield* run(yield* Random.nextIntBetween(1, maxBytes))
          assert.strictEqual(code, "SIGKILL", stderr)
        }
        const done = yield* run(Infinity)
        const seconds = ((yield* Clock.currentTimeMillis) - begun) / 1000
        // The run that reads the altered trade reports it: a killed one may have.
        assert.include([3, 4], done.code, done.stderr)
        assert.deepStrictEqual(yield* findConflicts(dataDir), [world.alteredId])
        for (const { from, to } of world.holes)
          assert.include(done.stderr, `Missing: ${from === to ? from : `${from} to ${to}`}, between `)
        yield* Console.log(
          `import: ${trades} trades, ${kills} kills, ${seconds.toFixed(1)} s with all starts, ` +
            `peak ${Math.max(...peaks).toFixed(0)} MB; ${done.stdout.trim()}`
        )
        assert.isBelow(Math.max(...peaks), maxMb)
        yield* assertTape(dataDir, world.expected(), runs)
      }).pipe(Effect.scoped, Random.withSeed(seed), Effect.provide(NodeServices.layer)),
    1_200_000
  )
})
