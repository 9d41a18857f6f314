import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/auth/AuditLog.ts"
import { ApiKeys, getDigest } from "../../../src/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../../src/auth/keys/ApiKeyStore.ts"
import * as Database from "../../../src/store/Database.ts"
import { embeddedDatabase, ownDirectory, serverDatabase } from "../../OwnDatabase.ts"
import { until } from "../../StartedProgram.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"

const writer = fileURLToPath(new URL("../../internal/writeKeys.ts", import.meta.url))

/** A PostgreSQL server. */
const server = process.env["DATABASE_URL"] ?? ""

const keysOver = (options: Database.DatabaseOptions) =>
  ApiKeys.layer.pipe(
    Layer.provideMerge(ApiKeyStore.layer),
    Layer.provide(AuditLog.layer),
    Layer.provideMerge(Database.layer(options))
  )

const on = <A, E>(
  options: Database.DatabaseOptions,
  test: Effect.Effect<A, E, ApiKeys | ApiKeyStore | SqlClient.SqlClient>
) => test.pipe(Effect.provide(keysOver(options)))

/** Runs every case on one database, each with an empty table and an empty cache. */
const all = Effect.gen(function* () {
  for (const [what, test] of cases) {
    yield* Effect.andThen(clean, test).pipe(
      Effect.provide(
        Layer.fresh(ApiKeys.layer).pipe(Layer.provideMerge(ApiKeyStore.layer), Layer.provide(AuditLog.layer))
      ),
      Effect.tapError(() => Effect.logError(what))
    )
  }
})

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const good = "a-key-that-is-good-and-long"
const install = (name: string, key: string) => Effect.flatMap(ApiKeys, (keys) => keys.install(name, Redacted.make(key)))
const verify = (key: string) => Effect.flatMap(ApiKeys, (keys) => keys.verify(key))
const isGood = (key: string) => Effect.map(verify(key), Option.isSome)

const clean = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from api_key`
  yield* sql`delete from audit_event`
})

const cases: ReadonlyArray<
  readonly [string, Effect.Effect<void, unknown, ApiKeys | ApiKeyStore | SqlClient.SqlClient>]
> = [
  [
    "knows an installed key, and no other",
    Effect.gen(function* () {
      yield* install("one", good)
      assert.isTrue(yield* isGood(good))
      for (const other of [
        "",
        " ",
        `${good} `,
        good.toUpperCase(),
        "x",
        "\0",
        "'; drop table api_key; --",
        "x".repeat(10_000),
        "😀"
      ]) {
        assert.isFalse(yield* isGood(other), other.slice(0, 20))
      }
      assert.isTrue(yield* isGood(good))
    })
  ],
  [
    "gives a key an id that says nothing of it",
    Effect.gen(function* () {
      yield* install("one", good)
      const { id } = Option.getOrThrow(yield* verify(good))
      assert.match(id, /^[0-9a-f]{16}$/)
      assert.notInclude(good, id)
    })
  ],
  [
    "restricts a key to the scopes that this version knows, and to nothing if it knows none",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeys
      yield* install("one", good)
      const { id } = Option.getOrThrow(yield* verify(good))
      for (const [stored, scopes] of [
        ["{cex,later}", ["cex"]],
        ["{later}", []],
        ["{}", []]
      ] as const) {
        yield* sql`update api_key set scopes = ${stored}::text::text[] where id = ${id}`
        yield* keys.forget(id)
        assert.deepStrictEqual(Option.getOrThrow(yield* verify(good)).scopes, scopes)
        assert.isTrue(yield* keys.isValid(id))
      }
    })
  ],
  [
    "stores no key",
    Effect.gen(function* () {
      yield* install("one", good)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select * from api_key`
      assert.strictEqual(rows.length, 1)
      assert.notInclude(JSON.stringify(rows), good)
    })
  ],
  [
    "a new key takes the place of the one of the same name at once",
    Effect.gen(function* () {
      yield* install("one", good)
      yield* install("two", "another-key-beside-it")
      assert.isTrue(yield* isGood(good))
      yield* install("one", "the-key-in-its-place")
      assert.deepStrictEqual(yield* Effect.forEach([good, "the-key-in-its-place", "another-key-beside-it"], isGood), [
        false,
        true,
        true
      ])
    })
  ],
  [
    "installing the same key again changes nothing",
    Effect.gen(function* () {
      yield* install("one", good)
      yield* install("one", good)
      yield* install("renamed", good)
      assert.isTrue(yield* isGood(good))
      const { hasName } = yield* ApiKeys
      assert.isTrue(yield* hasName("renamed"))
    })
  ],
  [
    "each change of the operator's keys is written down once, without the key",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const idOf = (key: string) => getDigest(key).id
      const other = "the-key-in-its-place"
      yield* install("one", good)
      yield* install("one", good)
      yield* install("one", other)
      yield* sql`update api_key set revoked_at = now()`
      yield* install("one", other)
      yield* install("renamed", other)
      const rows = yield* sql`select kind, actor, account, key, detail from audit_event order by id`
      const event = { actor: "service", account: null }
      assert.deepStrictEqual(rows, [
        { ...event, kind: "key-installed", key: idOf(good), detail: "one" },
        { ...event, kind: "key-revoked", key: idOf(good), detail: `one, replaced by ${idOf(other)}` },
        { ...event, kind: "key-installed", key: idOf(other), detail: "one" },
        { ...event, kind: "key-installed", key: idOf(other), detail: "one" },
        { ...event, kind: "key-installed", key: idOf(other), detail: "renamed" }
      ])
      assert.notInclude(JSON.stringify(rows), good)
    })
  ],
  [
    "knows the names in use",
    Effect.gen(function* () {
      const { hasName } = yield* ApiKeys
      assert.isFalse(yield* hasName("one"))
      yield* install("one", good)
      assert.isTrue(yield* hasName("one"))
      assert.isFalse(yield* hasName("ONE"))
    })
  ],
  [
    "a revoked or an expired key is refused within a second",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { clock, pass } = yield* makeSteppedClock
      yield* Effect.gen(function* () {
        for (const change of [
          sql`update api_key set revoked_at = now()`,
          sql`update api_key set revoked_at = null, expires_at = now()`
        ]) {
          yield* install("one", good)
          assert.isTrue(yield* isGood(good))
          yield* change
          yield* pass(1000)
          assert.isFalse(yield* isGood(good))
        }
        yield* sql`update api_key set revoked_at = null, expires_at = now() + interval '1 hour'`
        yield* pass(1000)
        assert.isTrue(yield* isGood(good))
      }).pipe(Effect.provide(Layer.fresh(ApiKeys.layer)), Effect.provideService(Clock.Clock, clock))
    })
  ],
  [
    "many verify at once",
    Effect.gen(function* () {
      yield* install("one", good)
      const keys = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? good : `unknown-key-${index}`))
      const found = yield* Effect.forEach(keys, isGood, { concurrency: 50 })
      assert.deepStrictEqual(
        found,
        keys.map((key) => key === good)
      )
    })
  ],
  ["the store answers when it is asked whether it does", Effect.flatMap(ApiKeyStore, ({ check }) => check)]
]

describe("keys in the embedded database", () => {
  it.live("pass all checks", () => Effect.provide(all, embeddedDatabase), 60_000)

  it.live(
    "survive a restart, and the migrations run once",
    () =>
      provided(
        Effect.gen(function* () {
          const options = yield* ownDirectory
          yield* on(options, install("one", good))
          yield* on(
            options,
            Effect.gen(function* () {
              assert.isTrue(yield* isGood(good))
              const sql = yield* SqlClient.SqlClient
              const migrations = yield* sql`select migration_id from effect_sql_migrations`
              assert.strictEqual(new Set(migrations.map((row) => JSON.stringify(row))).size, migrations.length)
              assert.isAtLeast(migrations.length, 1)
            })
          )
        })
      ),
    60_000
  )

  it.live(
    "make a second program fail to open their directory, with a message",
    () =>
      provided(
        Effect.gen(function* () {
          const options = yield* ownDirectory
          yield* on(
            options,
            Effect.gen(function* () {
              const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(Database.layer(options)))))
              assert.include(String(error), "is open in another process")
              yield* install("one", good)
            })
          )
        })
      ),
    30_000
  )

  it.live(
    "lose nothing that was stored when the program is killed",
    () =>
      provided(
        Effect.gen(function* () {
          const options = yield* ownDirectory
          const child = spawn(process.execPath, ["--conditions=chaintape-source", writer, options.dataDir])
          let told = ""
          let failure = ""
          child.stdout.on("data", (part: Buffer) => {
            told += part.toString()
          })
          child.stderr.on("data", (part: Buffer) => {
            failure += part.toString()
          })
          yield* until("a hundred keys", () => told.split("\n").length > 100 || failure !== "")
          const ended = new Promise((resolve) => child.once("close", resolve))
          child.kill("SIGKILL")
          yield* Effect.promise(() => ended)
          assert.strictEqual(failure, "")
          const stored = told
            .split("\n")
            .filter((line) => line !== "")
            .map(Number)
          yield* on(
            options,
            Effect.gen(function* () {
              for (const number of stored)
                assert.isTrue(yield* isGood(`key-number-${number}-of-the-writer`), `${number} of ${stored.length}`)
            })
          )
        })
      ),
    60_000
  )
})

describe.skipIf(server === "")("keys on a PostgreSQL server (DATABASE_URL)", () => {
  it.live("pass the same checks", () => Effect.provide(all, serverDatabase(server)), 60_000)
})
