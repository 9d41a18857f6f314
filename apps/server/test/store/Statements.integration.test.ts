import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted, Schema } from "effect"
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

const Plan = Schema.Array(Schema.Struct({ "QUERY PLAN": Schema.String }))
const decodePlan = Schema.decodeUnknownEffect(Plan)

const embedded = Layer.unwrap(
  Effect.gen(function* () {
    const dataDir = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())
    return Database.layer({ url: undefined, dataDir: `${dataDir}/database` })
  })
).pipe(Layer.provide(NodeServices.layer))

describe("statements on the embedded database", () => {
  it.live("read a page from the index, whose tables have no statistics, and not all rows behind its bound", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into tape_minute
        select 1, n * 60000, 1, n, n, 1, 1, 1, n, n, 1, 1 from generate_series(1::bigint, 50000) n`
      const rows = yield* sql`explain (analyze, costs off, timing off, summary off, buffers off)
        select open from tape_minute where series = 1 and start >= ${60_000}::bigint order by start limit 1000`
      const plan = (yield* decodePlan(rows)).map((row) => row["QUERY PLAN"]).join("\n")
      assert.match(plan, /Index Scan .* \(actual rows=1000/)
      assert.notMatch(plan, /Sort|Bitmap/)
    }).pipe(Effect.provide(embedded))
  )
})
