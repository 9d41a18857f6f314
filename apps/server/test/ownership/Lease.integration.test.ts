import { assert, describe, layer, vi } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { withFence, Lease, take } from "../../src/ownership/Lease.ts"
import { Ownership } from "../../src/ownership/Ownership.ts"
import * as SoleInstance from "../../src/ownership/SoleInstance.ts"
import { embeddedDatabase, serverDatabase } from "../OwnDatabase.ts"
import { leaseLaws } from "./LeaseLaws.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

const server = process.env["DATABASE_URL"]

layer(embeddedDatabase, { timeout: "180 seconds" })("leases in the embedded database", (it) => {
  leaseLaws(it)

  it.effect(
    "of the only instance set no idle timeout for a write, since the end of its session would end the store",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { own } = Context.get(yield* Layer.build(SoleInstance.layer("one", ["recorder"])), Ownership)
        const found = yield* Deferred.make<unknown>()
        const write = withFence(sql, sql`select current_setting('idle_in_transaction_session_timeout') as idle`)
        yield* own({
          name: "alone",
          role: "recorder",
          begin: Effect.succeed({
            run: Effect.flatMap(Effect.orDie(write), (rows) => Effect.asVoid(Deferred.succeed(found, rows))),
            status: Effect.succeed(null)
          })
        })
        assert.deepStrictEqual(yield* Deferred.await(found), [{ idle: "0" }])
      }).pipe(Effect.scoped)
  )
})

describe.skipIf(server === undefined)("leases in PostgreSQL (DATABASE_URL)", () => {
  layer(serverDatabase(server ?? ""), { timeout: "180 seconds", excludeTestServices: true })((it) => {
    leaseLaws(it)

    it.effect("taking one waits for a write that is under way", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const lease = yield* take(sql, "busy", "one")
        const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const order: Array<string> = []
        const writing = yield* Effect.forkChild(
          withFence(
            sql,
            Effect.gen(function* () {
              yield* Deferred.succeed(begun, undefined)
              // The server would end it if it were idle.
              while (!(yield* Deferred.isDone(go))) yield* sql`select pg_sleep(0.02)`
              order.push("written")
            })
          ).pipe(Effect.provideService(Lease, lease))
        )
        yield* Deferred.await(begun)
        const taking = yield* Effect.forkChild(
          Effect.andThen(
            take(sql, "busy", "other"),
            Effect.sync(() => order.push("taken"))
          )
        )
        yield* sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.pipe(
          Effect.repeat({ until: ({ length }) => length > 0, schedule: Schedule.spaced("20 millis") }),
          Effect.timeout("60 seconds")
        )
        assert.deepStrictEqual(order, [])
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(writing)
        yield* Fiber.join(taking)
        assert.deepStrictEqual(order, ["written", "taken"])
      })
    )

    it.effect(
      "an owner that stops in the middle of a write is awaited for three seconds, and writes nothing afterwards",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create table if not exists written (value text not null)`
          const lease = yield* take(sql, "stopped", "one")
          const [begun, go] = [yield* Deferred.make<unknown>(), yield* Deferred.make<void>()]
          const writing = yield* Effect.forkChild(
            withFence(
              sql,
              Effect.gen(function* () {
                yield* sql`insert into written values ('half')`
                const limit = yield* sql`select current_setting('idle_in_transaction_session_timeout') as pause`
                yield* Deferred.succeed(begun, limit)
                yield* Deferred.await(go)
                yield* sql`insert into written values ('whole')`
              })
            ).pipe(Effect.provideService(Lease, lease))
          )
          assert.deepStrictEqual(yield* Deferred.await(begun), [{ pause: "3s" }])
          // The other one gets it during the write: the server has ended the transaction.
          yield* take(sql, "stopped", "other")
          yield* Deferred.succeed(go, undefined)
          assert.isTrue(Exit.isFailure(yield* Fiber.await(writing)))
          assert.deepStrictEqual(yield* sql`select value from written where value in ('half', 'whole')`, [])
        })
    )
  })
})
