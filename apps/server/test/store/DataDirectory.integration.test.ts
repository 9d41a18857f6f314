import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { mayMount, smallDisk } from "../faults/world/SmallDisk.ts"
import { Workshop } from "../faults/world/Workshop.ts"
import { prepareDatabase } from "../OwnDatabase.ts"

const newFolder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const open = (dataDir: string) => Layer.build(Database.layer({ url: undefined, dataDir }))
const refusal = (dataDir: string) => Effect.map(Effect.flip(Effect.scoped(open(dataDir))), ({ message }) => message)

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** Parts of a database without which it cannot be opened. */
const parts = ["PG_VERSION", "global/pg_control", "global/1262"]

describe("the data directory", { timeout: 120_000 }, () => {
  it.live("may have spaces and any letters in its path, and parents that do not exist", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* newFolder, "not there", "döner 💾 'quoted'", "database")
      const rows = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table if not exists written (number int)`
        yield* sql`insert into written values (1)`
        return (yield* sql`select * from written`).length
      }).pipe(Effect.provide(Database.connection({ url: undefined, dataDir })))
      assert.strictEqual(yield* rows, 1)
      assert.strictEqual(yield* rows, 2)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("with a damaged file is refused with a sentence that says what to do", () =>
    Effect.gen(function* () {
      for (const part of parts) {
        const dataDir = join(yield* newFolder, "database")
        prepareDatabase(dataDir)
        writeFileSync(join(dataDir, part), "damaged".repeat(1200))
        const message = yield* refusal(dataDir)
        assert.include(message, `PostgreSQL cannot use the files in "${dataDir}"`, part)
        assert.include(message, "make every file writable for the user of the service", part)
        assert.include(message, "chaintape restore FILE --force", part)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("that is a file is refused", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* newFolder, "database")
      writeFileSync(dataDir, "")
      assert.include(yield* refusal(dataDir), `"${dataDir}" cannot be written`)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live.skipIf(process.platform !== "linux")("below a place where the system makes no directory is refused", () =>
    Effect.sync(() => {
      for (const place of ["/proc", "/proc/nothing/below", "/dev/null/below"]) {
        const dataDir = join(place, "database")
        // A process of its own, which can be ended: the runtime's recursive `mkdir` never returns there.
        const { status, stderr } = spawnSync(
          process.execPath,
          ["--conditions=chaintape-source", main, "keys", "list"],
          {
            env: { PATH: process.env["PATH"], CHAINTAPE_DATA_DIR: place },
            timeout: 30_000,
            killSignal: "SIGKILL",
            encoding: "utf8"
          }
        )
        assert.strictEqual(status, 1, stderr)
        assert.include(stderr, `"${dataDir}" cannot be written: make it writable for the user of the service`)
        assert.include(stderr, "set CHAINTAPE_DATA_DIR to another directory")
      }
    })
  )

  it.live.skipIf(!mayMount)("that is read-only is refused, with a database in it and without (root)", () =>
    Effect.gen(function* () {
      const { atTheEnd, directory } = yield* Workshop
      const disk = join(directory, "disk")
      mkdirSync(disk)
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=120m", "tmpfs", disk])
      atTheEnd(`umount -l ${disk}`)
      prepareDatabase(join(disk, "database"))
      execFileSync("mount", ["-o", "remount,ro", disk])
      for (const dataDir of [join(disk, "database"), join(disk, "new", "database")]) {
        const message = yield* refusal(dataDir)
        assert.include(message, `"${dataDir}" cannot be written: make it writable`)
        assert.include(message, "EROFS")
      }
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(Workshop.layer, NodeServices.layer)))
  )

  it.live("whose lock cannot be opened is refused with the name of the lock", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* newFolder, "database")
      mkdirSync(`${dataDir}.lock`)
      assert.include(
        yield* refusal(dataDir),
        `"${dataDir}" cannot be locked: free space if its disk is full, and make "${dataDir}.lock" writable for the user of the service`
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live.skipIf(!mayMount)("on a disk that is too small is refused, and nothing stays on the disk (root)", () =>
    Effect.gen(function* () {
      const { path } = yield* smallDisk(8)
      const dataDir = join(path, "database")
      const message = yield* refusal(dataDir)
      assert.include(message, `A database cannot be made in "${dataDir}": free space if its disk is full`)
      assert.include(message, "ENOSPC")
      assert.deepStrictEqual(readdirSync(path), ["database.lock"])
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(Workshop.layer, NodeServices.layer)))
  )
})
