import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, FileSystem, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { duplexTo } from "../../src/store/embedded/Duplex.ts"
import { openEngine, startEngineThread } from "../../src/store/embedded/Engine.ts"

/** Linux has a directory of each thread here. */
const tasks = "/proc/self/task"
const countThreads = () => readdirSync(tasks).length

/** An engine in an empty directory. Its promises complete when it is open again, and when that has failed. */
const openObserved = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const dataDir = join(yield* files.makeTempDirectoryScoped(), "database")
  const thread = startEngineThread()
  const opened = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<string>()
  const onEnd = (reason: string | undefined) => {
    if (reason === undefined) opened.resolve()
  }
  const engine = yield* Effect.acquireRelease(
    Effect.promise(() => openEngine(dataDir, thread, onEnd, failed.resolve)),
    (open) => Effect.promise(() => open.close())
  )
  return { dataDir, engine, failed, opened, thread }
})

describe("the embedded engine that ends within a transaction", () => {
  layer(NodeServices.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "fails the transaction, also if its next statement comes after the engine was opened again",
      () =>
        Effect.gen(function* () {
          const { engine, opened, thread } = yield* openObserved
          const client = yield* Layer.build(
            PgClient.layer({
              stream: duplexTo(engine),
              maxConnections: 1,
              username: "postgres",
              password: Redacted.make("unused"),
              database: "postgres"
            })
          )
          yield* Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`CREATE TABLE written (part text)`
            const transaction = Effect.gen(function* () {
              yield* sql`INSERT INTO written VALUES ('first')`
              yield* Effect.promise(() => thread.terminate())
              yield* Effect.promise(() => opened.promise)
              yield* sql`INSERT INTO written VALUES ('second')`
            })
            const exit = yield* Effect.exit(sql.withTransaction(transaction))
            assert.isTrue(Exit.isFailure(exit))
            assert.deepStrictEqual(yield* sql`SELECT part FROM written`, [])
            yield* sql`INSERT INTO written VALUES ('later')`
            assert.deepStrictEqual(yield* sql`SELECT part FROM written`, [{ part: "later" }])
          }).pipe(Effect.provide(client))
        }),
      120_000
    )

    it.effect(
      "reports why it cannot be opened again, and opens once it can",
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem
          const { dataDir, failed, opened, thread } = yield* openObserved
          yield* files.rename(join(dataDir, "global"), join(dataDir, "moved"))
          yield* Effect.promise(() => thread.terminate())
          assert.isNotEmpty(yield* Effect.promise(() => failed.promise))
          yield* files.rename(join(dataDir, "moved"), join(dataDir, "global"))
          yield* Effect.promise(() => opened.promise)
        }),
      120_000
    )

    it.effect.skipIf(!existsSync(tasks))(
      "is not opened again once the service stops: another process may open the directory (/proc not installed)",
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem
          const dataDir = join(yield* files.makeTempDirectoryScoped(), "database")
          const thread = startEngineThread()
          const reasons: Array<string | undefined> = []
          const ended = Promise.withResolvers<void>()
          const engine = yield* Effect.promise(() =>
            openEngine(dataDir, thread, (reason) => {
              reasons.push(reason)
              ended.resolve()
            })
          )
          yield* Effect.promise(() => thread.terminate())
          yield* Effect.promise(() => ended.promise)
          const starting = countThreads()
          yield* Effect.promise(() => engine.close())
          assert.isBelow(countThreads(), starting)
          assert.strictEqual(reasons.length, 1)
        }),
      120_000
    )
  })
})
