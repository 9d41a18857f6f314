import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgMigrator from "@effect/sql-pg/PgMigrator"
import { Data, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { lockDirectory } from "./embedded/DirectoryLock.ts"
import { duplexTo } from "./embedded/Duplex.ts"
import { openEngine } from "./embedded/Engine.ts"
import { migrations } from "./migrations/migrations.ts"

class DatabaseError extends Data.TaggedError("DatabaseError")<{ readonly message: string; readonly cause: unknown }> {}

export interface DatabaseOptions {
  /** A PostgreSQL server; without it the embedded database in `dataDir`. */
  readonly url: Redacted.Redacted | undefined
  readonly dataDir: string
}

const failure = (what: string) => (cause: unknown) =>
  new DatabaseError({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })

const embedded = (dataDir: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.try({ try: () => lockDirectory(dataDir), catch: failure("The embedded database cannot be opened") }),
        (lock) => Effect.sync(lock.release)
      )
      const engine = yield* Effect.acquireRelease(
        Effect.tryPromise({ try: () => openEngine(dataDir), catch: failure("The embedded database cannot be opened") }),
        (opened) => Effect.promise(() => opened.close())
      )
      const client = PgClient.layer({
        stream: duplexTo(engine),
        maxConnections: 1,
        username: "postgres",
        password: Redacted.make("unused"),
        database: "postgres"
      })
      // One session: long-running work must take leases in tables, not advisory locks, and reads the driver's name.
      const marked = Layer.effectDiscard(
        Effect.map(SqlClient.SqlClient, (sql) => Object.assign(sql, { driver: "pglite" }))
      )
      return marked.pipe(Layer.provideMerge(client))
    })
  )

const client = (options: DatabaseOptions) =>
  options.url === undefined ? embedded(options.dataDir) : PgClient.layer({ url: options.url, maxConnections: 10 })

/** The store of the service, with its tables. */
export const layer = (options: DatabaseOptions) =>
  PgMigrator.layer({ loader: PgMigrator.fromRecord(migrations) }).pipe(
    Layer.provideMerge(client(options)),
    Layer.provide(NodeServices.layer)
  )
