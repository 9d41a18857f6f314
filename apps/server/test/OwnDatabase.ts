import { randomUUID } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../src/store/Database.ts"

/** Where an embedded database of its own is to be. The directory is gone at the end. */
export const ownDirectory = Effect.map(
  Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped()),
  (directory): Database.DatabaseOptions => ({ url: undefined, dataDir: `${directory}/database` })
)

/** An embedded database of its own, which is gone at the end. */
export const embeddedDatabase: Layer.Layer<SqlClient.SqlClient, unknown> = Layer.unwrap(
  Effect.map(ownDirectory, Database.layer)
).pipe(Layer.provide(NodeServices.layer))

/** A database of its own on the server, which is dropped at the end. */
export const serverDatabase = (url: string): Layer.Layer<SqlClient.SqlClient, unknown> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const name = `chaintape_${randomUUID().replaceAll("-", "")}`
      const admin = PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
      const run = (statement: string) =>
        Effect.provide(
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)),
          admin
        )
      yield* Effect.acquireRelease(run(`create database ${name}`), () =>
        Effect.orDie(run(`drop database ${name} with (force)`))
      )
      const address = new URL(url)
      address.pathname = `/${name}`
      return Database.layer({ url: Redacted.make(address.href), dataDir: "" })
    })
  )
