import { closeSync, existsSync, openSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../src/auth/keys/ApiKeyStore.ts"
import { lockDirectory } from "../../src/store/embedded/DirectoryLock.ts"
import { isWellFormed } from "../auth/keys/KeyForm.ts"
import { embeddedIn, prepareDatabase } from "../OwnDatabase.ts"
import { chaintape, chaintapeAlone } from "./CommandRun.ts"

const world = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const cwd = yield* files.makeTempDirectoryScoped()
  const surroundings = { cwd, environment: { CHAINTAPE_DATA_DIR: join(cwd, "data") } }
  const run = (words: string) => chaintape(words.split(" "), surroundings)
  const runAlone = (words: string) => chaintapeAlone(words.split(" "), surroundings)
  const dataDir = join(cwd, "data", "database")
  prepareDatabase(dataDir)
  return { cwd, run, runAlone, dataDir }
})

const inStore = <A, E>(dataDir: string, use: Effect.Effect<A, E, SqlClient.SqlClient | ApiKeys>) =>
  Effect.provide(
    use,
    ApiKeys.layer.pipe(
      Layer.provide(ApiKeyStore.layer),
      Layer.provide(AuditLog.layer),
      Layer.provideMerge(embeddedIn(dataDir))
    )
  )

describe("the keys of operators", () => {
  layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect.skipIf(!existsSync("/dev/full"))("fail to be made where they cannot be written", () =>
      Effect.gen(function* () {
        const { cwd } = yield* world
        const stdout = openSync("/dev/full", "w")
        const environment = { CHAINTAPE_DATA_DIR: join(cwd, "data") }
        const made = yield* chaintapeAlone(["keys", "create", "--name", "lost"], { cwd, environment, stdout })
        closeSync(stdout)
        assert.strictEqual(made.code, 1)
        assert.match(
          made.stderr,
          /^The standard output cannot be written: the key \w{10} is lost\. Revoke it, and create another one\.\n$/
        )
      }).pipe(Effect.scoped)
    )

    it.effect.skipIf(!existsSync("/dev/full"))("are not listed where the list cannot be written", () =>
      Effect.gen(function* () {
        const { cwd } = yield* world
        const stdout = openSync("/dev/full", "w")
        const environment = { CHAINTAPE_DATA_DIR: join(cwd, "data") }
        const { code, stderr } = yield* chaintapeAlone(["keys", "list"], { cwd, environment, stdout })
        closeSync(stdout)
        assert.deepStrictEqual(
          { code, stderr },
          {
            code: 1,
            stderr:
              "The command is done, but its result cannot be written to the standard output: ENOSPC: no space left on device, write.\n"
          }
        )
      }).pipe(Effect.scoped)
    )

    it.effect("are refused with one sentence where the data directory is a file", () =>
      Effect.gen(function* () {
        const { cwd } = yield* world
        const file = join(cwd, "file")
        closeSync(openSync(file, "w"))
        const environment = { CHAINTAPE_DATA_DIR: file }
        for (const words of ["keys list", "import kraken BTC-USD none.zip"]) {
          const { code, stderr } = yield* chaintapeAlone(words.split(" "), { cwd, environment })
          assert.strictEqual(code, 1)
          assert.match(stderr, /^The store does not answer\. [^\n]+\/file\/database" cannot be written: [^\n]+\n$/)
        }
      }).pipe(Effect.scoped)
    )

    it.effect(
      "are made, listed and revoked",
      () =>
        Effect.gen(function* () {
          const { dataDir, run, runAlone } = yield* world
          const made = yield* runAlone("keys create --name nightly --scopes cex,dex --expires 90d")
          assert.deepStrictEqual([made.code, made.stdout.split("\n").length], [0, 2], made.stderr)
          const key = made.stdout.trim()
          assert.isTrue(isWellFormed(key))
          const id = key.slice("chaintape_".length, "chaintape_".length + 10)
          assert.strictEqual(
            made.stderr,
            `The key ${id} ("nightly") is valid from now on. It is shown this once: keep it.\n`
          )
          const listed = yield* run("keys list")
          assert.strictEqual(listed.code, 0)
          assert.match(listed.stdout, /^ID +STATE +CREATED +EXPIRES +LAST USED +SCOPES +PLAN +ACCOUNT +NAME\n/)
          assert.match(
            listed.stdout,
            new RegExp(
              `^${id}  valid  \\d{4}-\\d\\d-\\d\\d  \\d{4}-\\d\\d-\\d\\d  - +cex,dex +default +- +nightly$`,
              "m"
            )
          )
          assert.notInclude(listed.stdout, key)
          const verified = yield* inStore(
            dataDir,
            Effect.flatMap(ApiKeys, ({ verify }) => verify(key))
          )
          assert.deepInclude(verified, { _tag: "Some" })
          const revoked = yield* run(`keys revoke ${id}`)
          assert.deepStrictEqual([revoked.code, revoked.stderr], [0, ""])
          assert.match(revoked.stdout, /is revoked\. A running service stops accepting it within a second\.$/m)
          const after = yield* inStore(
            dataDir,
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              const audit = yield* sql`select kind, actor, key, detail from audit_event order by id`
              return { audit, found: yield* Effect.flatMap(ApiKeys, ({ verify }) => verify(key)) }
            })
          )
          assert.deepInclude(after.found, { _tag: "None" })
          assert.deepStrictEqual(
            after.audit.map((row) => ({ ...row })),
            ["key-created", "key-revoked"].map((kind) => ({ kind, actor: "operator", key: id, detail: "nightly" }))
          )
          assert.match((yield* run(`keys revoke ${id}`)).stdout, /was revoked before, on \d{4}-/)
          // As a holder of an account may name it.
          const rename = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`update api_key set name = ${"a\u202eb"}`)
          yield* inStore(dataDir, rename)
          for (const words of ["keys list", `keys revoke ${id}`]) assert.match((yield* run(words)).stdout, /a\\u202eb/)
        }),
      90_000
    )

    it.effect(
      "get a plan, which the service reads with the key",
      () =>
        Effect.gen(function* () {
          const { dataDir, run } = yield* world
          const made = yield* run("keys create --name nightly")
          const key = made.stdout.trim()
          const id = key.slice("chaintape_".length, "chaintape_".length + 10)
          assert.match(
            (yield* run("keys list")).stdout,
            /^ID .* SCOPES +PLAN +ACCOUNT +NAME\n.* all +default +- +nightly$/m
          )
          const given = yield* run(`keys plan ${id} large`)
          assert.deepStrictEqual([given.code, given.stderr], [0, ""])
          assert.include(given.stdout, `The key ${id} ("nightly") has the plan "large" from now on.`)
          assert.match((yield* run("keys list")).stdout, / all +large +- +nightly$/m)
          const [found, events] = yield* inStore(
            dataDir,
            Effect.all([
              Effect.flatMap(ApiKeys, ({ verify }) => verify(key)),
              Effect.flatMap(
                SqlClient.SqlClient,
                (sql) => sql`select actor, key, detail from audit_event where kind = 'key-plan-changed'`
              )
            ])
          )
          assert.deepInclude(Option.getOrThrow(found), { id, plan: "large" })
          assert.deepStrictEqual(
            events.map((row) => ({ ...row })),
            [{ actor: "operator", key: id, detail: "large: nightly" }]
          )
          const unknown = yield* run("keys plan missing123 large")
          assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
          assert.match(unknown.stderr, /There is no key with the id "missing123": `chaintape keys list` lists them\./)
          const malformed = yield* run(`keys plan ${id} Large`)
          assert.strictEqual(malformed.code, 2)
          assert.match(malformed.stderr, /The plan is "Large": it must be the name of one under limits\.plans/)
        }),
      90_000
    )

    it.effect(
      "are refused in sentences",
      () =>
        Effect.gen(function* () {
          const { dataDir, run } = yield* world
          for (const [words, sentence] of [
            [
              "keys create --name x --scopes cex,stocks",
              /--scopes is "cex,stocks": it must be some of cex,dex,blocks\./
            ],
            ["keys create --name x --expires tomorrow", /--expires is "tomorrow": it must be a duration such as 90d/],
            ["keys create --name x --expires 2001-01-01", /which is past\./],
            ["keys create --name bootstrap", /--name must not be "bootstrap"/],
            [`keys create --name ${"x".repeat(101)}`, /--name must have 1 to 100 printable characters\./],
            ["keys create", /Missing required flag: --name/]
          ] as const) {
            const { code, stderr, stdout } = yield* run(words)
            assert.deepStrictEqual([code, stdout], [2, ""], words)
            assert.match(stderr, sentence)
          }
          const unknown = yield* run("keys revoke nobody")
          assert.strictEqual(unknown.code, 1)
          assert.match(unknown.stderr, /There is no key with the id "nobody": `chaintape keys list` lists them\./)
          const lock = lockDirectory(dataDir)
          const refused = yield* run("keys list")
          lock.release()
          assert.strictEqual(refused.code, 1)
          assert.match(
            refused.stderr,
            /^The service has its embedded store open, .* stop the service, give the command again/
          )
        }),
      90_000
    )

    it.effect(
      "are in the backup of the store, and come back with it",
      () =>
        Effect.gen(function* () {
          const { cwd, dataDir, run } = yield* world
          const { stdout } = yield* run("keys create --name kept")
          const made = yield* run("backup store.tar.gz")
          assert.match(made.stdout, /^The embedded store, [\d,]+ files with [\d,]+ MB, is in store\.tar\.gz\.\n$/)
          const again = yield* run("backup store.tar.gz")
          assert.deepStrictEqual(
            [again.code, again.stderr],
            [1, '"store.tar.gz" is there already: give another name, or --force.\n']
          )
          assert.match((yield* run("restore store.tar.gz")).stderr, /holds a database: give --force to replace it/)
          rmSync(dataDir, { recursive: true })
          const restored = yield* run("restore store.tar.gz")
          assert.match(restored.stdout, /^Restored the backup of \d{4}-.*, whose checksums match\.\n$/)
          const found = yield* inStore(
            dataDir,
            Effect.flatMap(ApiKeys, ({ verify }) => verify(stdout.trim()))
          )
          assert.deepInclude(found, { _tag: "Some" })
          assert.deepStrictEqual(readdirSync(cwd).toSorted(), ["data", "store.tar.gz"])
          const lock = lockDirectory(dataDir)
          for (const words of ["backup other.tar.gz", "restore store.tar.gz --force"]) {
            assert.match((yield* run(words)).stderr, /^The service has its embedded store open/)
          }
          lock.release()
        }),
      90_000
    )
  })
})
