import { createServer } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { openPostgresLink } from "../../src/store/PostgresLink.ts"
import { cutLink } from "../auth/limits/CutLink.ts"

const server = process.env["DATABASE_URL"] ?? ""

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [(yield* Clock.currentTimeMillis) - started, value] as const
  })

/** More statements than the pool has connections, and a transaction. */
const many = (sql: SqlClient.SqlClient) =>
  Effect.all(
    [
      sql.withTransaction(Effect.andThen(sql`select 1`, sql`select 2`)),
      ...Array.from({ length: 30 }, (_, number) => sql`select ${number}::int`)
    ],
    { concurrency: "unbounded", mode: "result" }
  )

/** A server that accepts connections and never replies. */
const silentServer = (onConnection: (socket: Socket) => void = () => {}) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const listening = createServer((socket) => {
      sockets.add(socket.on("error", () => {}))
      onConnection(socket)
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void listening.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          listening.close()
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = listening.address()
    return address !== null && typeof address === "object" ? address.port : 0
  })

const openAt = (port: number) =>
  Effect.flip(
    Effect.scoped(
      Layer.build(Database.layer({ url: Redacted.make(`postgres://ada:secret@127.0.0.1:${port}/test`), dataDir: "" }))
    )
  )

describe("a PostgreSQL server", { timeout: 120_000 }, () => {
  for (const way of ["half-open", "closed"] as const) {
    it.live.skipIf(server === "")(
      `that becomes silent fails its statements within 15 s and later ones at once, and is used again after its link was ${way} (DATABASE_URL)`,
      () =>
        Effect.gen(function* () {
          const link = yield* cutLink(new URL(server))
          const options = { url: Redacted.make(link.url.href), dataDir: "" }
          yield* Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            assert.isTrue((yield* many(sql)).every(({ _tag }) => _tag === "Success"))
            yield* link.turn("silent")
            const [took, results] = yield* timed(many(sql))
            assert.isBelow(took, 15_000)
            for (const result of results) {
              const failure = result._tag === "Failure" ? result.failure : undefined
              assert.isTrue(SqlError.isSqlError(failure) && failure.reason._tag === "ConnectionError", String(failure))
            }
            const [refused] = yield* timed(Effect.flip(sql`select 1`))
            assert.isBelow(refused, 1000)
            // Connections that were lost stay so, or are reset; new ones are served.
            yield* link.turn(way)
            if (way === "closed") yield* link.turn("open")
            yield* sql`select 1`.pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.timeout("10 seconds"))
            assert.isTrue((yield* many(sql)).every(({ _tag }) => _tag === "Success"))
          }).pipe(Effect.provide(Database.connection(options)))
        }).pipe(Effect.scoped)
    )
  }

  it.live("that ends one connection keeps the others", () =>
    Effect.gen(function* () {
      let connections = 0
      const port = yield* silentServer((socket) => {
        connections++
        // The first one is a statement's, and the second one that of the watch.
        if (connections === 2) socket.destroy()
      })
      const open = yield* openPostgresLink(Redacted.make(`postgres://ada:secret@127.0.0.1:${port}/test`))
      const socket = open()
      yield* Effect.repeat(
        Effect.sync(() => connections),
        { until: (count) => count >= 3, schedule: Schedule.spaced("20 millis") }
      )
      assert.isFalse(socket.destroyed)
      open().destroy()
    }).pipe(Effect.scoped)
  )

  it.live("that never replies, or is not there, ends a start with a sentence", () =>
    Effect.gen(function* () {
      const [took, silent] = yield* timed(openAt(yield* silentServer()))
      assert.isBelow(took, 15_000)
      assert.strictEqual(silent.message, "The PostgreSQL server of DATABASE_URL cannot be used: Connection timed out")
      const absent = yield* openAt(1)
      assert.strictEqual(
        absent.message,
        "The PostgreSQL server of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1"
      )
    }).pipe(Effect.scoped)
  )
})
