import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join, relative } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, FileSystem, Stream } from "effect"
import { Tar } from "effect/encoding"
import { SqlClient } from "effect/sql"
import { backUp } from "../../src/store/Backup.ts"
import * as Database from "../../src/store/Database.ts"
import { readEngineVersion } from "../../src/store/embedded/ClusterDirectory.ts"
import { lockDirectory } from "../../src/store/embedded/DirectoryLock.ts"
import { restore } from "../../src/store/Restore.ts"
import { mayMount, smallDisk } from "../faults/world/SmallDisk.ts"
import { Workshop } from "../faults/world/Workshop.ts"
import { prepareDatabase } from "../OwnDatabase.ts"

const inStore = <A, E>(dataDir: string, use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(use, Database.layer({ url: undefined, dataDir }))

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select count(*)::int as count, md5(string_agg(id || digest || name, ',' order by id)) as sum from api_key`
})

const filled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`insert into api_key (id, digest, name)
    select 'k' || n, md5(n::text), 'name ' || n from generate_series(1, 500) n`
  return yield* rows
})

const getMessage = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const engineVersion = await readEngineVersion()

/** A folder that looks like a database to the archiver: the markers of a cluster, and files of many sizes. */
const writeFolder = (dataDir: string) => {
  for (const inner of ["base/1", "base/5", "global", "pg_wal", "pg_notify"])
    mkdirSync(join(dataDir, inner), { recursive: true })
  writeFileSync(join(dataDir, "PG_VERSION"), `${engineVersion}\n`, { mode: 0o600 })
  for (const [at, size] of [0, 1, 511, 512, 513, 8192, 70_000, 2_000_000].entries())
    writeFileSync(join(dataDir, `base/${at % 2 === 0 ? 1 : 5}/${at}`), randomBytes(size), { mode: 0o600 })
}

const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const dataDir = join(folder, "database")
  writeFolder(dataDir)
  return { folder, dataDir, file: join(folder, "backup.tar.gz"), before: digests(dataDir) }
})

/** Every file and directory below, with its content. */
const digests = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const content = entry.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : ""
      return `${relative(folder, path)} ${content}`
    })
    .toSorted()

/** Nothing is left over beside the database, its lock and the archive. */
const namesIn = (folder: string) => readdirSync(folder).toSorted()

describe("the backup of the embedded store", () => {
  layer(NodeServices.layer, { excludeTestServices: true })((it) => {
    it.effect.skipIf(!mayMount)("says what to do when a disk is full, and leaves nothing on it (root)", () =>
      Effect.gen(function* () {
        const { dataDir, file } = yield* world
        const { path } = yield* smallDisk(1)
        const target = join(path, "backup.tar.gz")
        const advice =
          "the disk is full: free space, and give the command again (ENOSPC: no space left on device, write)"
        assert.strictEqual(yield* getMessage(backUp(dataDir, target, false)), `The backup was not made: ${advice}.`)
        assert.deepStrictEqual(namesIn(path), [])
        yield* backUp(dataDir, file, false)
        const refused = yield* getMessage(restore(file, join(path, "database"), false))
        assert.strictEqual(refused, `Nothing was restored: ${advice}. What was there before is untouched.`)
        assert.deepStrictEqual(namesIn(path), ["database", "database.lock"])
      }).pipe(Effect.scoped, Effect.provide(Workshop.layer))
    )

    it.effect("is readable only by its owner, also if a file exists at its path", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        writeFileSync(join(folder, "other"), "", { mode: 0o644 })
        for (const plant of [
          () => writeFileSync(`${file}.part`, "", { mode: 0o644 }),
          () => symlinkSync(join(folder, "other"), `${file}.part`)
        ]) {
          plant()
          yield* backUp(dataDir, file, true)
          const { mode } = lstatSync(file)
          assert.strictEqual(mode & 0o7777, 0o600)
        }
        assert.strictEqual(readFileSync(join(folder, "other"), "utf8"), "")
      }).pipe(Effect.scoped)
    )

    it.effect("restores the data, also after a crash between the two steps of the swap", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        rmSync(dataDir, { recursive: true })
        prepareDatabase(dataDir)
        const before = yield* inStore(dataDir, filled)
        const made = yield* backUp(dataDir, file, false)
        rmSync(dataDir, { recursive: true })
        const restored = yield* restore(file, dataDir, false)
        assert.deepStrictEqual(restored, made)
        assert.isAbove(made.files, 500)
        assert.isAbove(made.bytes, 10_000_000)
        assert.deepStrictEqual(namesIn(folder), ["backup.tar.gz", "database", "database.lock"])
        renameSync(dataDir, `${dataDir}.displaced`)
        yield* inStore(
          dataDir,
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* rows, before)
            // It continues from there.
            const sql = yield* SqlClient.SqlClient
            yield* sql`insert into api_key (id, digest, name) values ('new', '', '')`
          })
        )
        assert.deepStrictEqual(namesIn(folder), ["backup.tar.gz", "database", "database.lock"])
      })
    )

    it.effect("is an archive that tar reads, readable only by its owner", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        const { files } = yield* backUp(dataDir, file, false)
        assert.strictEqual(execFileSync("stat", ["-c", "%a", file], { encoding: "utf8" }).trim(), "600")
        const listed = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).trim().split("\n")
        assert.strictEqual(listed[0], "chaintape-backup.json")
        assert.strictEqual(listed.at(-1), "checksums.json")
        assert.strictEqual(listed.filter((name) => !name.endsWith("/")).length, files + 2)
        const out = join(folder, "out")
        mkdirSync(out)
        execFileSync("tar", ["-xzf", file, "-C", out])
        assert.deepStrictEqual(digests(join(out, "database")), digests(dataDir))
      })
    )

    it.effect("is not restored under another major version of PostgreSQL, and what was there stays", () =>
      Effect.gen(function* () {
        const { before, dataDir, file, folder } = yield* world
        const other = join(folder, "other")
        writeFolder(other)
        writeFileSync(join(other, "PG_VERSION"), "16\n")
        yield* backUp(other, file, false)
        assert.match(
          yield* getMessage(restore(file, dataDir, true)),
          /^Nothing was restored: The backup is of PostgreSQL 16, and this version of Chaintape has PostgreSQL \d+: restore it with the version that wrote it\. What was there before is untouched\.$/
        )
        assert.deepStrictEqual(digests(dataDir), before)
      }).pipe(Effect.scoped)
    )

    it.effect("replaces an archive only with --force", () =>
      Effect.gen(function* () {
        const { dataDir, file } = yield* world
        yield* backUp(dataDir, file, false)
        assert.match(
          yield* getMessage(backUp(dataDir, file, false)),
          /is there already: give another name, or --force\.$/
        )
        yield* backUp(dataDir, file, true)
      })
    )

    it.effect("replaces no folder, also with --force", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        mkdirSync(file)
        for (const force of [false, true]) {
          assert.match(
            yield* getMessage(backUp(dataDir, file, force)),
            /backup\.tar\.gz" is a folder, which is never replaced: give another name\.$/
          )
        }
        assert.notInclude(namesIn(folder), "backup.tar.gz.part")
        mkdirSync(`${file}2.part`)
        assert.match(
          yield* getMessage(backUp(dataDir, `${file}2`, false)),
          /backup\.tar\.gz2\.part" is a folder: remove it, or give another name\.$/
        )
      })
    )

    it.effect("replaces a database only with --force", () =>
      Effect.gen(function* () {
        const { before, dataDir, file } = yield* world
        yield* backUp(dataDir, file, false)
        assert.match(yield* getMessage(restore(file, dataDir, false)), /holds a database: give --force to replace it/)
        rmSync(join(dataDir, "base/1/0"))
        writeFileSync(join(dataDir, "base/1/later"), "later")
        yield* restore(file, dataDir, true)
        assert.deepStrictEqual(digests(dataDir), before)
      })
    )

    it.effect("replaces no symbolic link, and leaves the database to which it points", () =>
      Effect.gen(function* () {
        const { before, dataDir, file, folder } = yield* world
        yield* backUp(dataDir, file, false)
        const target = join(folder, "target")
        renameSync(dataDir, target)
        symlinkSync(target, dataDir)
        assert.strictEqual(
          yield* getMessage(restore(file, dataDir, true)),
          `Nothing was restored: "${dataDir}" is a symbolic link, and its target would stay as it is: put the target in place of the link, or set CHAINTAPE_DATA_DIR to another directory.`
        )
        assert.isTrue(lstatSync(dataDir).isSymbolicLink())
        assert.deepStrictEqual(digests(target), before)
        assert.deepStrictEqual(namesIn(folder), ["backup.tar.gz", "database", "database.lock", "target"])
      }).pipe(Effect.scoped)
    )

    it.effect("does not wait: a database that is in use stays unchanged", () =>
      Effect.gen(function* () {
        const { dataDir, file } = yield* world
        yield* backUp(dataDir, file, false)
        const lock = lockDirectory(dataDir)
        const inUse = /is open in another process: stop that one, or set CHAINTAPE_DATA_DIR/
        assert.match(yield* getMessage(backUp(dataDir, `${file}2`, false)), inUse)
        assert.match(yield* getMessage(restore(file, dataDir, true)), inUse)
        lock.release()
        assert.isFalse(existsSync(`${file}2`))
      })
    )

    it.effect("says where there is none", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        assert.match(
          yield* getMessage(backUp(join(folder, "nowhere"), file, false)),
          /There is no embedded database in/
        )
        const absent = join(folder, "absent")
        const advice = "give a file that `chaintape backup` has written. What was there before is untouched."
        assert.strictEqual(
          yield* getMessage(restore(absent, dataDir, true)),
          `Nothing was restored: There is no file "${absent}": ${advice}`
        )
        assert.strictEqual(
          yield* getMessage(restore(folder, dataDir, true)),
          `Nothing was restored: "${folder}" is a folder: ${advice}`
        )
      })
    )

    it.effect("that is cut off, changed, or none at all leaves the old database", () =>
      Effect.gen(function* () {
        const { dataDir, file, folder } = yield* world
        yield* backUp(dataDir, file, false)
        writeFileSync(join(dataDir, "base/1/later"), "later")
        const after = digests(dataDir)
        const archive = readFileSync(file)
        const tar = gunzipSync(archive)
        const changed = Buffer.from(tar)
        changed.writeUInt8(changed.readUInt8(tar.length >> 1) ^ 1, tar.length >> 1)
        const damaged = Buffer.from(archive)
        damaged.fill(0xff, archive.length >> 1, (archive.length >> 1) + 64)
        const header = Buffer.from(tar)
        header.write("../../etc/passwd\0", tar.indexOf("database/"))
        const head = tar.subarray(512, tar.indexOf(0, 512)).toString("utf8")
        const pathOutside = yield* Stream.make(
          Tar.file("chaintape-backup.json", head),
          Tar.file("database/../../outside", "x")
        ).pipe(Stream.pipeThroughChannel(Tar.encode()), Stream.runCollect, Effect.map(Buffer.concat))
        const bad: ReadonlyArray<readonly [string, Buffer, RegExp]> = [
          [
            "cut off in gzip",
            archive.subarray(0, archive.length / 2),
            /: The archive is cut off: give a whole copy of it\./
          ],
          [
            "cut off in tar",
            gzipSync(tar.subarray(0, tar.length / 2), { level: 1 }),
            /: The archive is cut off: give a whole copy of it\./
          ],
          ["changed in gzip", damaged, /: The archive is damaged: give another copy of it \(/],
          ["changed", gzipSync(changed, { level: 1 }), /The archive is damaged|is not what was put into it/],
          ["a changed header", gzipSync(header, { level: 1 }), /The archive is damaged: header checksum mismatch/],
          [
            "a path outside",
            gzipSync(pathOutside),
            /The archive holds "database\/..\/..\/outside", which no backup does/
          ],
          [
            "noise",
            Buffer.from("noise"),
            /: The file is no backup of Chaintape: give a file that `chaintape backup` has written\./
          ],
          ["empty", Buffer.alloc(0), /: The archive is cut off: give a whole copy of it\./],
          ["another archive", gzipSync(Buffer.alloc(4096)), /The file is no backup of Chaintape/],
          [
            "a later form",
            gzipSync(Buffer.from(tar.toString("latin1").replace('Backup":1', 'Backup":2'), "latin1"), { level: 1 }),
            /has a form that this version does not read/
          ]
        ]
        for (const [what, bytes, message] of bad) {
          writeFileSync(file, bytes)
          const said = yield* getMessage(restore(file, dataDir, true))
          assert.match(said, message, what)
          assert.match(said, /What was there before is untouched\.$/)
          assert.deepStrictEqual(namesIn(folder), ["backup.tar.gz", "database", "database.lock"], what)
        }
        assert.deepStrictEqual(digests(dataDir), after)
      })
    )

    it.effect("leaves the old database where it is interrupted, at any moment", () =>
      Effect.gen(function* () {
        const { before, dataDir, file, folder } = yield* world
        yield* backUp(dataDir, file, false)
        for (const ms of [0, 1, 2, 5, 10, 20]) {
          const fiber = yield* Effect.forkChild(restore(file, dataDir, true))
          yield* Effect.sleep(ms)
          yield* Fiber.interrupt(fiber)
          assert.isTrue(Exit.isExit(yield* Fiber.await(fiber)))
          assert.deepStrictEqual(
            namesIn(folder).filter((name) => name !== "database.lock"),
            ["backup.tar.gz", "database"],
            `${ms} ms`
          )
        }
        assert.deepStrictEqual(digests(dataDir), before)
      })
    )

    it.effect("that cannot be written leaves nothing", () =>
      Effect.gen(function* () {
        const { dataDir, folder } = yield* world
        const said = yield* getMessage(backUp(dataDir, join(folder, "absent", "backup"), false))
        assert.strictEqual(said, `"${join(folder, "absent")}" is no folder: make it, or give another name.`)
        assert.deepStrictEqual(namesIn(folder), ["database"])
      })
    )
  })
})
