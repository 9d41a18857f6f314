import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it, vi } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const url = process.env["DATABASE_URL"] ?? ""

const clientAt = (address: string) =>
  Effect.map(Layer.build(PgClient.layer({ url: Redacted.make(address), maxConnections: 1 })), (built) =>
    Context.get(built, SqlClient.SqlClient)
  )

describe("a migration at the start of another instance", () => {
  it.live.skipIf(url === "")("gives up soon where a running statement holds its table (DATABASE_URL)", () =>
    Effect.gen(function* () {
      const admin = yield* clientAt(url)
      const name = `chaintape_${randomUUID().replaceAll("-", "")}`
      yield* Effect.acquireRelease(admin.unsafe(`create database ${name}`), () =>
        Effect.orDie(admin.unsafe(`drop database ${name} with (force)`))
      )
      const address = Object.assign(new URL(url), { pathname: `/${name}` }).href
      const open = Effect.scoped(Layer.build(Database.layer({ url: Redacted.make(address), dataDir: "" })))
      yield* open
      const running = yield* clientAt(address)
      // A store of before the migration that makes these indexes.
      yield* running`delete from effect_sql_migrations where migration_id >= 10`
      yield* running`drop index audit_event_attempt, audit_event_attempt_address, audit_event_sign_in`
      yield* running`begin`
      yield* running`lock table audit_event in row exclusive mode`
      const begun = yield* Clock.currentTimeMillis
      const error = yield* Effect.flip(open)
      assert.include(error.message, "another session, such as a backup, holds a table that this version changes")
      assert.isBelow((yield* Clock.currentTimeMillis) - begun, 60_000)
      yield* running`rollback`
    }).pipe(Effect.scoped)
  )
})
