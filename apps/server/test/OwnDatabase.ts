import { randomUUID } from "node:crypto"
import { constants, cpSync, existsSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as PgClient from "@effect/sql-pg/PgClient"
import { inject } from "@effect/vitest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../src/store/Database.ts"

/** Makes `dataDir` a copy of the prepared database, unless it exists. */
export const prepareDatabase = (dataDir: string): void => {
  if (existsSync(dataDir)) return
  // On a file system that supports it, the copy shares its blocks until one of them changes.
  cpSync(inject("preparedDatabase"), dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

/** The embedded database in `dataDir`, initially a copy of the prepared one. */
export const embeddedIn = (dataDir: string): Layer.Layer<SqlClient.SqlClient, unknown> =>
  Layer.unwrap(
    Effect.sync(() => {
      prepareDatabase(dataDir)
      return Database.layer({ url: undefined, dataDir })
    })
  )

/** The directory of a new embedded database, which is removed at the end. */
export const ownDirectory = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const dataDir = `${yield* files.makeTempDirectoryScoped()}/database`
  prepareDatabase(dataDir)
  const options: Database.DatabaseOptions = { url: undefined, dataDir }
  return options
})

/** A new embedded database, which is removed at the end. */
export const embeddedDatabase: Layer.Layer<SqlClient.SqlClient, unknown> = Layer.unwrap(
  Effect.map(ownDirectory, Database.layer)
).pipe(Layer.provide(NodeServices.layer))

/** A new database on the server, which is dropped at the end. */
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
