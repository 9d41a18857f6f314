import { execFile } from "node:child_process"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"

const source = (name: string) => new URL(`../../src/store/embedded/${name}.ts`, import.meta.url).href

/** Statements that are all parsed, for long enough that V8's pending optimizations are finished. */
const program = `
import { existsSync, readFileSync } from "node:fs"
import { ensureCluster } from "${source("ClusterDirectory")}"
import { LowMemoryPGlite } from "${source("LowMemoryPGlite")}"
const dataDir = process.argv[1]
await ensureCluster(dataDir)
const database = new LowMemoryPGlite({ dataDir })
await database.waitReady
for (let n = 0; n < 3000; n++) await database.query("select " + n)
await database.close()
// Linux states as maxRSS of a child the peak of its parent, too, as far as that is larger.
const status = "/proc/self/status"
const peakKb = existsSync(status)
  ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, "utf8"))[1])
  : process.resourceUsage().maxRSS
console.log(Math.round(peakKb / 1024))
process.exit()
`

/** 342 at most, quiet and busy; 487 to 525 if V8 may optimize the SQL parser. */
const maxMiB = 420

/** The peak resident memory of a process that opens a new database, in MiB. */
const peakOf = (dataDir: string) =>
  Effect.callback<number, Error>((resume) => {
    execFile(process.execPath, ["--input-type=module", "-e", program, dataDir], (error, stdout) =>
      resume(error === null ? Effect.succeed(Number(stdout)) : Effect.fail(error))
    )
  })

describe("the embedded engine", () => {
  layer(NodeServices.layer, { excludeTestServices: true })((it) => {
    it.effect(
      `makes a database and parses statements in less than ${maxMiB} MiB`,
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem
          const peak = yield* peakOf(join(yield* files.makeTempDirectoryScoped(), "database"))
          assert.isAbove(peak, 50)
          assert.isBelow(peak, maxMiB)
        }),
      240_000
    )
  })
})
