import type { Worker } from "node:worker_threads"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgMigrator from "@effect/sql-pg/PgMigrator"
import { Context, Data, Effect, Layer, Predicate, Record, Redacted, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { decodeOnlyRow } from "../internal/sql/decodeRows.ts"
import { toDatabaseCause } from "../internal/StoreError.ts"
import { toMessage } from "../internal/toMessage.ts"
import { lockDirectory } from "./embedded/DirectoryLock.ts"
import { duplexTo } from "./embedded/Duplex.ts"
import { openEngine } from "./embedded/Engine.ts"
import { isLockTimeout, limitLockWaits } from "./LockTimeout.ts"
import { migrations } from "./migrations/migrations.ts"
import { openPostgresLink } from "./PostgresLink.ts"

class DatabaseError extends Data.TaggedError("DatabaseError")<{ readonly message: string; readonly cause: unknown }> {}

export interface DatabaseOptions {
  /** A PostgreSQL server; if absent, the embedded database in `dataDir`. */
  readonly url: Redacted.Redacted | undefined
  readonly dataDir: string
}

/** The thread of the embedded engine, if the entry point has already started it. */
export const StartedEngine = Context.Reference<Worker | undefined>("@chaintape/server/store/StartedEngine", {
  defaultValue: () => undefined
})

const failure = (what: string) => (cause: unknown) =>
  new DatabaseError({ message: `${what}: ${toMessage(cause)}`, cause })

const logEnd = (reason: string | undefined) =>
  reason === undefined
    ? Effect.logInfo("The embedded database is open again.")
    : Effect.logError(`The embedded database ended, and is opened again: ${reason}`)

const logFailedReopen = (reason: string) =>
  Effect.logError(`The embedded database cannot be opened again, and is tried until it can: ${reason}`)

const embedded = (dataDir: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.try({ try: () => lockDirectory(dataDir), catch: failure("The embedded database cannot be opened") }),
        (lock) => Effect.sync(lock.release)
      )
      const thread = yield* StartedEngine
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      const engine = yield* Effect.acquireRelease(
        Effect.tryPromise({
          try: () =>
            openEngine(
              dataDir,
              thread,
              (reason) => runFork(logEnd(reason)),
              (reason) => runFork(logFailedReopen(reason))
            ),
          catch: failure("The embedded database cannot be opened")
        }),
        (opened) => Effect.promise(() => opened.close())
      )
      return PgClient.layer({
        stream: duplexTo(engine),
        maxConnections: 1,
        username: "postgres",
        password: Redacted.make("unused"),
        database: "postgres"
      })
    })
  )

/**
 * The server cancels statements that take longer, and transactions that stay idle. The embedded database has no such
 * timeout: there every statement is bounded by what it may read.
 */
const onServer = { statement_timeout: "120s", idle_in_transaction_session_timeout: "60s" }

const connectToServer = (url: Redacted.Redacted) =>
  Layer.unwrap(
    Effect.map(openPostgresLink(url), (stream) =>
      PgClient.layer({ url, stream, maxConnections: 10, startupParameters: onServer })
    )
  )

/** The store without its tables. */
export const connection = (options: DatabaseOptions) =>
  options.url === undefined ? embedded(options.dataDir) : connectToServer(options.url)

/** Also of a migration: its error has the one of the statement as a cause. */
const waitedForLock = (error: unknown): boolean =>
  isLockTimeout(error) || (Predicate.hasProperty(error, "cause") && waitedForLock(error.cause))

const held = new Error(
  "another session, such as a backup, holds a table that the start has to change. Start again when that session has ended."
)

const isFailedMigration = (error: unknown): error is PgMigrator.MigrationError =>
  error instanceof PgMigrator.MigrationError && error.cause !== undefined

const toDatabaseError =
  ({ dataDir, url }: DatabaseOptions) =>
  (error: unknown) => {
    if (error instanceof DatabaseError) return error
    if (waitedForLock(error)) return failure("The tables of DATABASE_URL cannot be changed")(held)
    const reason = isFailedMigration(error)
      ? `${error.message}: ${toMessage(toDatabaseCause(error.cause))}`
      : toDatabaseCause(error)
    return failure(
      url === undefined
        ? `The embedded database in "${dataDir}" cannot be used`
        : "The PostgreSQL server of DATABASE_URL cannot be used"
    )(reason)
  }

const maxLockWaitMs = 5000

/** A start beside running instances does not make them wait for a table that a backup or a long statement holds. */
const runMigration = Effect.fnUntraced(function* (statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* limitLockWaits(sql, maxLockWaitMs)
  for (const statement of statements) yield* sql.unsafe(statement)
})

const loader = PgMigrator.fromRecord(Record.map(migrations, runMigration))

const newest = Math.max(...Record.keys(migrations).map((name) => Number.parseInt(name)))

const decodeNewest = decodeOnlyRow(Schema.Struct({ made: Schema.Int }))

/** The newest migration that the tables have; 0 if there are none. */
const findNewest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const made = yield* sql`select 1 from pg_class where oid = to_regclass('effect_sql_migrations') limit 1`
  if (made.length === 0) return 0
  return (yield* decodeNewest(
    sql`select coalesce(max(migration_id), 0)::int as made from effect_sql_migrations limit 1`
  )).made
})

/** The migrator locks its table against readers, and so waits for the end of a backup. A newer version has more migrations. */
const migrate = Effect.gen(function* () {
  if ((yield* findNewest) < newest) yield* PgMigrator.run({ loader })
})

/** An instance may start while others are updated, and reads what it can. */
export const warnOfNewerTables = Effect.gen(function* () {
  const made = yield* findNewest
  if (made <= newest) return
  yield* Effect.logWarning(
    `The tables are of a newer version of Chaintape, with migration ${made}; this one has migrations up to ${newest}. ` +
      "What it reads may have moved: start that version, or restore a backup from before its first start."
  )
})

/**
 * Maps every failure of the store at the start to a message. A transaction whose connection is lost cannot be rolled
 * back, and ends with a defect.
 */
export const withDatabaseError =
  (options: DatabaseOptions) =>
  <A, E, R>(use: Effect.Effect<A, E, R>): Effect.Effect<A, DatabaseError, R> =>
    use.pipe(
      Effect.catchDefect((defect) => (SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect))),
      Effect.mapError(toDatabaseError(options))
    )

/** The store of the service, with its tables. */
export const layer = (options: DatabaseOptions) =>
  Layer.effectDiscard(withDatabaseError(options)(migrate)).pipe(
    Layer.provideMerge(connection(options)),
    Layer.provide(NodeServices.layer),
    Layer.catch((error) => Layer.effectContext(Effect.fail(toDatabaseError(options)(error))))
  )
