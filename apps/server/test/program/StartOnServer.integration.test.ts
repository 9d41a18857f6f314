import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { ownDatabase } from "../ownership/Instances.ts"
import { start } from "../StartedProgram.ts"

const server = process.env["DATABASE_URL"]

const clientAt = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(PgClient.layer({ url, maxConnections: 1 })), (built) =>
    Context.get(built, SqlClient.SqlClient)
  )

/** A start on a store whose keys another session writes, and a further session. */
const startBesideWriter = Effect.gen(function* () {
  const database = yield* ownDatabase(server ?? "")
  const url = Redacted.make(database)
  yield* Effect.scoped(Layer.build(Database.layer({ url, dataDir: "" })))
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const config = `${folder}/chaintape.config.json`
  yield* files.writeFileString(config, "{}")
  const [holder, other] = [yield* clientAt(url), yield* clientAt(url)]
  yield* holder`begin`
  yield* holder`lock table api_key in row exclusive mode`
  const started = yield* start({
    DATABASE_URL: database,
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_DATA_DIR: `${folder}/data`
  })
  return { started, other }
})

describe.skipIf(server === undefined)("a start on a PostgreSQL server (DATABASE_URL)", () => {
  it.live(
    "that loses its connection while it installs its key ends with a message",
    () =>
      Effect.gen(function* () {
        const { other, started } = yield* startBesideWriter
        const end = other`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        yield* end.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (rows) => rows.length > 0 }))
        assert.strictEqual(yield* started.ended, 1)
        assert.match(
          started.output(),
          /^Chaintape has stopped\. The PostgreSQL server of DATABASE_URL cannot be used: .+$/m
        )
        assert.notMatch(started.output(), /\bat \S+ \(/)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    120_000
  )

  it.live(
    "that cannot install its key for long names the start, and no version, as what changes a table",
    () =>
      Effect.gen(function* () {
        const { started } = yield* startBesideWriter
        assert.strictEqual(yield* started.ended, 1)
        assert.include(
          started.output(),
          "another session, such as a backup, holds a table that the start has to change. Start again when"
        )
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    120_000
  )
})
