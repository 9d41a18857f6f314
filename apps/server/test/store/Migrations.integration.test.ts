import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it, vi } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { migrations } from "../../src/store/migrations/migrations.ts"
import { ownDatabase } from "../ownership/Instances.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const url = process.env["DATABASE_URL"] ?? ""

const clientAt = (address: string) =>
  Effect.map(Layer.build(PgClient.layer({ url: Redacted.make(address), maxConnections: 1 })), (built) =>
    Context.get(built, SqlClient.SqlClient)
  )

const storeAt = (address: string) => Database.layer({ url: Redacted.make(address), dataDir: "" })

const newest = Object.keys(migrations).length

/** A new database with tables, dropped at the end: its address, its start, and a session that is running on it. */
const ownStore = Effect.gen(function* () {
  const address = yield* ownDatabase(url)
  const open = Effect.scoped(Layer.build(storeAt(address)))
  yield* open
  return { address, open, running: yield* clientAt(address) }
})

describe.skipIf(url === "")("the start of another instance (DATABASE_URL)", () => {
  it.live("gives up soon where a running statement holds the table of a migration", () =>
    Effect.gen(function* () {
      const { open, running } = yield* ownStore
      // A store of before the migration that makes these indexes.
      yield* running`delete from effect_sql_migrations where migration_id >= 10`
      yield* running`drop index audit_event_attempt, audit_event_attempt_address, audit_event_sign_in`
      yield* running`begin`
      yield* running`lock table audit_event in row exclusive mode`
      const begun = yield* Clock.currentTimeMillis
      const error = yield* Effect.flip(open)
      assert.include(error.message, "another session, such as a backup, holds a table that the start has to change")
      assert.isBelow((yield* Clock.currentTimeMillis) - begun, 60_000)
      yield* running`rollback`
    }).pipe(Effect.scoped)
  )

  it.live("waits for no backup, which reads every table, if no migration is missing", () =>
    Effect.gen(function* () {
      const { open, running } = yield* ownStore
      yield* running`begin`
      yield* running`lock table effect_sql_migrations, api_key, tape_trade in access share mode`
      // A start that waits ends with the server's timeout of statements, 120 s.
      yield* Effect.timeout(open, "60 seconds")
      yield* running`rollback`
    }).pipe(Effect.scoped)
  )

  it.live("fails with a message where the connection is lost within a migration", () =>
    Effect.gen(function* () {
      const { address, open, running } = yield* ownStore
      yield* running`delete from effect_sql_migrations where migration_id >= 17`
      yield* running`begin`
      yield* running`lock table effect_sql_migrations in access share mode`
      const other = yield* clientAt(address)
      const end = other`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      const ended = end.pipe(Effect.delay("100 millis"), Effect.repeat({ until: (rows) => rows.length > 0 }))
      const [error] = yield* Effect.all([Effect.flip(open), ended], { concurrency: 2 })
      assert.match(error.message, /^The PostgreSQL server of DATABASE_URL cannot be used: /)
      yield* running`rollback`
    }).pipe(Effect.scoped)
  )

  it.live("says why a migration fails, such as in the database of another program", () =>
    Effect.gen(function* () {
      const address = yield* ownDatabase(url)
      yield* Effect.flatMap(clientAt(address), (sql) => sql`create table api_key (id int)`)
      const error = yield* Effect.flip(Effect.scoped(Layer.build(storeAt(address))))
      assert.strictEqual(
        error.message,
        'The PostgreSQL server of DATABASE_URL cannot be used: Migration "1_initial" failed: relation "api_key" already exists'
      )
    }).pipe(Effect.scoped)
  )

  it.live("warns of tables that a newer version has changed", () =>
    Effect.gen(function* () {
      const { address, running } = yield* ownStore
      const warnings: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => void warnings.push([logLevel, message].flat()))
      const check = Database.warnOfNewerTables.pipe(Effect.provide([storeAt(address), Logger.layer([logger])]))
      yield* check
      assert.deepStrictEqual(warnings, [])
      yield* running`insert into effect_sql_migrations (migration_id, name) values (1000, 'future')`
      yield* check
      assert.deepStrictEqual(warnings, [
        [
          "Warn",
          `The tables are of a newer version of Chaintape, with migration 1000; this one has migrations up to ${newest}. What it reads may have moved: start that version, or restore a backup from before its first start.`
        ]
      ])
    }).pipe(Effect.scoped)
  )
})
