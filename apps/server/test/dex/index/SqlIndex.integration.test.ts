import { randomUUID } from "node:crypto"
import * as PgClient from "@effect/sql-pg/PgClient"
import { describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as SqlDexView from "../../../src/dex/index/SqlDexView.ts"
import * as SqlEntityStore from "../../../src/dex/index/SqlEntityStore.ts"
import * as Database from "../../../src/store/Database.ts"
import { historyLaws } from "./SqlHistoryLaws.ts"
import { readLaws } from "./SqlReadLaws.ts"

const server = process.env["DATABASE_URL"]

/** A database of its own on the server, which is dropped at the end. */
const own = (url: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const name = `dex_index_${randomUUID().replaceAll("-", "")}`
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

const index = Layer.mergeAll(SqlEntityStore.layerWith({ epochSize: 5 }), SqlDexView.layer)

describe.skipIf(server === undefined)("the index in PostgreSQL", () => {
  layer(index.pipe(Layer.provideMerge(own(server ?? ""))), { timeout: "60 seconds" })((it) => {
    historyLaws(it)
    readLaws(it)
  })
})
