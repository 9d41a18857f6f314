import { readFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { ApiKeyStore } from "../../src/auth/keys/ApiKeyStore.ts"
import * as Database from "../../src/store/Database.ts"
import { migrations } from "../../src/store/migrations/migrations.ts"
import { embeddedDatabase, ownDirectory } from "../OwnDatabase.ts"

const statements = readFileSync(new URL("./fixtures/first-store.sql", import.meta.url), "utf8")
  .split(/;\s*$/m)
  .filter((statement) => statement.trim() !== "")

const schema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql`select table_name, column_name, data_type, is_nullable, column_default
    from information_schema.columns where table_schema = 'public' order by 1, 2`
  const indexes = yield* sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`
  return { columns, indexes }
})

describe("a store of the first version", () => {
  it.live("gets the tables of this one, and loses no key", () =>
    Effect.gen(function* () {
      const options = yield* ownDirectory
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`drop schema public cascade`
        yield* sql`create schema public`
        yield* Effect.forEach(statements, (statement) => sql.unsafe(statement))
      }).pipe(Effect.provide(Database.connection(options)))
      const found = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ran = yield* sql`select name from effect_sql_migrations order by migration_id`
        assert.deepStrictEqual(
          ran.map(({ name }) => name),
          Object.keys(migrations).map((name) => name.replace(/^\d+_/, ""))
        )
        const { find } = yield* ApiKeyStore
        const [good, revoked] = [yield* find("0123456789"), yield* find("abcdefghij")]
        assert.deepStrictEqual(
          [good, revoked].map((row) => Option.map(row, ({ digest, isActive }) => [digest, isActive])),
          [Option.some(["a-digest", true]), Option.some(["another-digest", false])]
        )
        return yield* schema
      }).pipe(
        Effect.provide(
          ApiKeyStore.layer.pipe(Layer.provide(AuditLog.layer), Layer.provideMerge(Database.layer(options)))
        )
      )
      assert.deepStrictEqual(found, yield* Effect.provide(schema, embeddedDatabase))
      assert.isAbove(found.columns.length, 100)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
