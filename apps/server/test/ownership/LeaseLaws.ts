import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { withFence, Lease, LeaseLostError, take } from "../../src/ownership/Lease.ts"
import { makePublishedStatuses, publish } from "../../src/ownership/PublishedStatuses.ts"

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table if not exists written (value text not null)`
  yield* sql`delete from written`
  return {
    sql,
    write: (value: string) => sql`insert into written values (${value})`,
    written: Effect.map(sql`select value from written order by value`, (rows) => rows.map(({ value }) => value))
  }
})

/** The laws of leases in every store. */
export const leaseLaws = (it: Vitest.MethodsNonLive<SqlClient.SqlClient>) => {
  it.effect("a new owner is the only one that writes from then on", () =>
    Effect.gen(function* () {
      const { sql, write, written } = yield* table
      const first = yield* take(sql, "work", "one")
      yield* withFence(sql, write("by the first")).pipe(Effect.provideService(Lease, first))
      const second = yield* take(sql, "work", "other")
      assert.strictEqual(second.epoch, first.epoch + 1)
      const late = yield* Effect.flip(withFence(sql, write("too late")).pipe(Effect.provideService(Lease, first)))
      assert.deepStrictEqual(late, new LeaseLostError({ name: "work", epoch: first.epoch }))
      yield* withFence(sql, write("by the second")).pipe(Effect.provideService(Lease, second))
      assert.deepStrictEqual(yield* written, ["by the first", "by the second"])
    })
  )

  it.effect("work of another name has a lease of its own", () =>
    Effect.gen(function* () {
      const { sql, write, written } = yield* table
      const lease = yield* take(sql, "mine", "one")
      yield* take(sql, "theirs", "other")
      yield* withFence(sql, write("mine")).pipe(Effect.provideService(Lease, lease))
      assert.deepStrictEqual(yield* written, ["mine"])
    })
  )

  it.effect("a write that fails leaves nothing, and the lease as it was", () =>
    Effect.gen(function* () {
      const { sql, write, written } = yield* table
      const lease = yield* take(sql, "fragile", "one")
      const broken = withFence(sql, Effect.andThen(write("half"), Effect.fail("broken")))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(broken.pipe(Effect.provideService(Lease, lease)))))
      yield* withFence(sql, write("whole")).pipe(Effect.provideService(Lease, lease))
      assert.deepStrictEqual(yield* written, ["whole"])
    })
  )

  it.effect("only the newest owner publishes a status, and an earlier one learns that it lost the work", () =>
    Effect.gen(function* () {
      const { sql } = yield* table
      const published = yield* makePublishedStatuses(sql)
      const first = yield* take(sql, "published", "one")
      assert.deepStrictEqual([...(yield* publish(sql, [{ lease: first, status: { by: "first" } }]))], ["published"])
      const second = yield* take(sql, "published", "other")
      assert.deepStrictEqual([...(yield* publish(sql, [{ lease: first, status: { by: "first" } }]))], [])
      const two = [
        { lease: first, status: { by: "first" } },
        { lease: yield* take(sql, "beside", "one"), status: 1 }
      ]
      assert.deepStrictEqual([...(yield* publish(sql, two))], ["beside"])
      assert.deepStrictEqual([...(yield* publish(sql, [{ lease: second, status: { by: "second" } }]))], ["published"])
      const found = yield* Effect.flatMap(published("published"), Effect.fromOption)
      assert.deepStrictEqual(found.status, { by: "second" })
      assert.isBelow(found.ageMs, 30_000)
    })
  )
}
