import { existsSync, readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, FileSystem, Schema } from "effect"
import { ownDatabase } from "../ownership/Instances.ts"
import { start, until } from "../StartedProgram.ts"
import { signal } from "../StartedWorld.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const server = process.env["DATABASE_URL"]
const hook = new URL("../internal/loadedScripts.ts", import.meta.url).href

const decodeScripts = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(Schema.String)))

/** What an instance loads only for a request that needs it, for another store, or at its very first start. */
const unused = /\/node_modules\/(ccxt|@electric-sql\/pglite|redis|@redis)\/|httpApiScalar|internal\/deps\/amaro/

/**
 * On a quiet machine, 184 MB with the settings of V8 and of the C library alone, and 146 MB without the unused code. On
 * a busy one, where collections come late, 172 MB.
 */
const maxMb = 178

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

describe.skipIf(server === undefined)("an instance that only answers, over PostgreSQL (DATABASE_URL)", () => {
  it.live("loads no code that it does not use", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const config = `${folder}/config.json`
      yield* files.writeFileString(config, JSON.stringify({ exchanges: [{ id: "kraken" }] }))
      const environment = {
        CHAINTAPE_BOOTSTRAP_KEY: "chaintape_key-of-a-small-instance",
        CHAINTAPE_CONFIG: config,
        CHAINTAPE_DATA_DIR: `${folder}/data`,
        CHAINTAPE_ROLES: "api",
        DATABASE_URL: yield* ownDatabase(server ?? ""),
        LOADED_SCRIPTS: `${folder}/scripts.json`,
        NODE_OPTIONS: `--import=${hook}`
      }
      // The first start fills the compile cache when it ends.
      const first = yield* start(environment, { isFirst: true })
      yield* until("the banner", () => first.output().includes("is ready at"))
      yield* signal(first.pid, "SIGTERM")
      yield* first.ended
      const second = yield* start(environment, { isFirst: true })
      yield* until("the banner", () => second.output().includes("is ready at"))
      const resident = residentMb(second.pid)
      yield* signal(second.pid, "SIGUSR2")
      const file = environment.LOADED_SCRIPTS
      yield* until("the scripts", () => existsSync(file) && readFileSync(file, "utf8").endsWith("]"))
      const scripts = decodeScripts(yield* files.readFileString(file))
      assert.isAbove(scripts.length, 500)
      assert.deepStrictEqual(
        scripts.filter((url) => unused.test(url)),
        []
      )
      assert.isBelow(resident, maxMb)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
