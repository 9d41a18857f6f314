import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer, vi } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { Effect, FileSystem } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { ensureCluster } from "../../src/store/embedded/ClusterDirectory.ts"
import { embeddedIn } from "../OwnDatabase.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 600_000 })

const newFolder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** The entries below a directory, with sizes. */
const contents = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((path) => [path, statSync(join(root, path)).isFile() ? statSync(join(root, path)).size : "directory"])

const ensured = (dataDir: string) => Effect.promise(() => ensureCluster(dataDir))

const countKeys = (dataDir: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select count(*)::int as count from api_key`),
    Database.layer({ url: undefined, dataDir })
  )

const module = new URL("../../src/store/embedded/ClusterDirectory.ts", import.meta.url)

/** Creates the directory, and kills itself right after it has called this function for this path. */
const program = `
import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
const [dataDir, call, path] = process.argv.slice(1)
const real = fs[call]
fs[call] = (...given) => {
  real(...given)
  if (given.some((one) => String(one).replace(/[/]$/, "") === path)) process.kill(process.pid, "SIGKILL")
}
syncBuiltinESMExports()
const { ensureCluster } = await import("${module.href}")
await ensureCluster(dataDir)
`

/** How the process that creates the directory ended. */
const killedAfter = (call: "mkdirSync" | "writeFileSync" | "renameSync", path: string, dataDir: string) =>
  Effect.callback<NodeJS.Signals | number | null>((resume) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, dataDir, call, path], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: "inherit"
    })
    child.once("close", (code, signal) => resume(Effect.succeed(signal ?? code)))
  })

/** The content of the catalogs, table by table, and the values that the server checks before it opens a cluster. */
const catalogs = (options: { readonly dataDir: string }) =>
  Effect.acquireUseRelease(
    Effect.promise(() => PGlite.create(options)),
    (database) =>
      Effect.promise(async () => {
        const all = async (text: string) => (await database.query<{ readonly text: string }>(text)).rows
        const names = await all(`select oid::regclass::text as text from pg_class
          where relkind = 'r' and relnamespace = 'pg_catalog'::regnamespace and relname <> 'pg_statistic' order by 1`)
        const tables = names.map(async ({ text: name }) => [
          name,
          await all(`select to_jsonb(t)::text as text from ${name} t order by 1`)
        ])
        return {
          tables: Object.fromEntries(await Promise.all(tables)),
          layout: await all("select to_jsonb(c)::text as text from pg_control_init() c"),
          version: await all("select catalog_version_no::text as text from pg_control_system()")
        }
      }),
    (database) => Effect.promise(() => database.close())
  )

describe("the directory of the embedded database", () => {
  layer(NodeServices.layer, { excludeTestServices: true })((it) => {
    it.effect("is made complete, and only once", () =>
      Effect.gen(function* () {
        const dataDir = join(yield* newFolder, "deep", "database")
        yield* ensured(dataDir)
        assert.isAbove(contents(dataDir).length, 900)
        assert.isFalse(existsSync(`${dataDir}.new`))
        writeFileSync(join(dataDir, "marker"), "kept")
        yield* ensured(dataDir)
        assert.isTrue(existsSync(join(dataDir, "marker")))
      })
    )

    it.effect("is not created in a directory with other files", () =>
      Effect.gen(function* () {
        const dataDir = join(yield* newFolder, "database")
        mkdirSync(dataDir)
        writeFileSync(join(dataDir, "letter.txt"), "")
        const { message } = yield* Effect.flip(countKeys(dataDir))
        assert.strictEqual(
          message,
          `The embedded database cannot be opened: "${dataDir}" holds something else than a database: remove it, or set CHAINTAPE_DATA_DIR to another directory`
        )
        assert.deepStrictEqual(readdirSync(dataDir), ["letter.txt"])
      })
    )

    it.effect("is complete or absent after a kill during its creation, and the next start creates it", () =>
      Effect.gen(function* () {
        const whole = join(yield* newFolder, "database")
        yield* ensured(whole)
        const steps = [
          ["mkdirSync", ".new/base/5"],
          ["writeFileSync", ".new/PG_VERSION"],
          ["renameSync", ""]
        ] as const
        for (const [call, path] of steps) {
          const dataDir = join(yield* newFolder, "database")
          mkdirSync(dataDir)
          assert.strictEqual(yield* killedAfter(call, `${dataDir}${path}`, dataDir), "SIGKILL", path)
          assert.strictEqual(existsSync(`${dataDir}.new`), path !== "", path)
          assert.strictEqual(existsSync(dataDir), path === "", path)
          if (path === "") assert.deepStrictEqual(contents(dataDir), contents(whole))
          yield* ensured(dataDir)
          assert.deepStrictEqual(contents(dataDir), contents(whole))
          assert.isFalse(existsSync(`${dataDir}.new`))
        }
        assert.deepStrictEqual(yield* countKeys(whole), [{ count: 0 }])
      })
    )

    it.effect("has the catalogs that the engine itself would make", () =>
      Effect.gen(function* () {
        const folder = yield* newFolder
        yield* ensured(join(folder, "prepared"))
        const [prepared, own] = [
          yield* catalogs({ dataDir: join(folder, "prepared") }),
          yield* catalogs({ dataDir: join(folder, "own") })
        ]
        assert.isAbove(Object.keys(own.tables).length, 60)
        assert.deepStrictEqual(prepared, own)
      })
    )

    it.effect("gives an answer of many megabytes whole and in order", () =>
      Effect.gen(function* () {
        const dataDir = join(yield* newFolder, "database")
        const rows = yield* Effect.provide(
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`select n, repeat(md5(n::text), 10) as text from generate_series(1, 20000) n`
          ),
          embeddedIn(dataDir)
        )
        assert.strictEqual(rows.length, 20_000)
        assert.isTrue(rows.every(({ n, text }, at) => n === at + 1 && String(text).length === 320))
      })
    )
  })
})
