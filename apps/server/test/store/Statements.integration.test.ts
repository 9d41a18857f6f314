import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const url = process.env["DATABASE_URL"] ?? ""

describe("statements on a PostgreSQL server", () => {
  it.effect.skipIf(url === "")("end by themselves (DATABASE_URL)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const limits = yield* sql`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`
      assert.deepStrictEqual({ ...limits[0] }, { statement: "2min", idle: "1min" })
    }).pipe(Effect.provide(Database.connection({ url: Redacted.make(url), dataDir: "" })))
  )
})
