import { assert, describe, layer } from "@effect/vitest"
import { Clock, Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { fenced, Lease, take } from "../../src/ownership/Lease.ts"
import { embeddedDatabase, serverDatabase } from "../OwnDatabase.ts"
import { leaseLaws } from "./LeaseLaws.ts"

const server = process.env["DATABASE_URL"]

layer(embeddedDatabase, { timeout: "60 seconds" })("leases in the embedded database", (it) => {
  leaseLaws(it)
})

describe.skipIf(server === undefined)("leases in PostgreSQL (DATABASE_URL)", () => {
  layer(serverDatabase(server ?? ""), { timeout: "60 seconds", excludeTestServices: true })((it) => {
    leaseLaws(it)

    it.effect("taking one waits for a write that is under way", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const lease = yield* take(sql, "busy", "one")
        const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const order: Array<string> = []
        const writing = yield* Effect.forkChild(
          fenced(
            sql,
            Effect.gen(function* () {
              yield* Deferred.succeed(begun, undefined)
              yield* Deferred.await(go)
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
        yield* Effect.sleep("200 millis")
        assert.deepStrictEqual(order, [])
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(writing)
        yield* Fiber.join(taking)
        assert.deepStrictEqual(order, ["written", "taken"])
      })
    )

    it.effect("one that stops in the middle of a write is waited for three seconds, and writes nothing after", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table if not exists written (value text not null)`
        const lease = yield* take(sql, "stopped", "one")
        const [begun, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const writing = yield* Effect.forkChild(
          fenced(
            sql,
            Effect.gen(function* () {
              yield* sql`insert into written values ('half')`
              yield* Deferred.succeed(begun, undefined)
              yield* Deferred.await(go)
              yield* sql`insert into written values ('whole')`
            })
          ).pipe(Effect.provideService(Lease, lease))
        )
        yield* Deferred.await(begun)
        const before = yield* Clock.currentTimeMillis
        yield* take(sql, "stopped", "other")
        const waited = (yield* Clock.currentTimeMillis) - before
        assert.isAtLeast(waited, 2000)
        assert.isBelow(waited, 4500)
        yield* Deferred.succeed(go, undefined)
        assert.isTrue(Exit.isFailure(yield* Fiber.await(writing)))
        assert.deepStrictEqual(yield* sql`select value from written where value in ('half', 'whole')`, [])
      })
    )
  })
})
