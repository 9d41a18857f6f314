import { assert, describe, layer } from "@effect/vitest"
import { Clock, Context, Effect, Equal, Exit, Layer, Option, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Cluster from "../../src/ownership/Cluster.ts"
import { withFence, Lease } from "../../src/ownership/Lease.ts"
import { Ownership } from "../../src/ownership/Ownership.ts"
import type { OwningRole, Role } from "../../src/ownership/Roles.ts"
import { serverDatabase } from "../OwnDatabase.ts"
import { makeSteppedClock } from "../SteppedClock.ts"

const server = process.env["DATABASE_URL"]

const works: ReadonlyArray<{ readonly name: string; readonly role: OwningRole }> = [
  ...Array.from({ length: 12 }, (_, at) => ({ name: `recording:${at}`, role: "recorder" as const })),
  ...Array.from({ length: 3 }, (_, at) => ({ name: `index:${at}`, role: "indexer" as const }))
]
const all = works.map(({ name }) => name).sort()

/** An instance whose work is to write its name every 20 ms. It ends with its scope, or is stopped. */
const start = Effect.fnUntraced(function* (name: string, roles: ReadonlyArray<Role> = ["api", "recorder", "indexer"]) {
  const sql = yield* SqlClient.SqlClient
  const scope = yield* Scope.fork(yield* Effect.scope)
  const ownership = Context.get(yield* Layer.buildWithScope(Layer.fresh(Cluster.layer(name, roles)), scope), Ownership)
  const write = Effect.flatMap(Lease, (lease) =>
    withFence(sql, sql`insert into done (work, epoch, instance) values (${lease.name}, ${lease.epoch}, ${name})`)
  )
  yield* Effect.forEach(works, (work) =>
    Scope.provide(
      ownership.own({
        ...work,
        begin: Effect.succeed({
          run: Effect.forever(Effect.andThen(Effect.ignore(write), Effect.sleep("20 millis"))),
          status: Effect.succeed({ by: name })
        })
      }),
      scope
    )
  )
  return { ...ownership, stop: Scope.close(scope, Exit.void) }
})

type Instance = Effect.Success<ReturnType<typeof start>>

const ownedBy = (instances: ReadonlyArray<Instance>) => Effect.forEach(instances, ({ owned }) => owned)

/** The time until these instances do all of that work, each piece once, and each of them a share. */
const untilOwned = Effect.fnUntraced(function* (instances: ReadonlyArray<Instance>, names: ReadonlyArray<string>) {
  const begun = yield* Clock.currentTimeMillis
  for (;;) {
    const owned = yield* ownedBy(instances)
    const took = (yield* Clock.currentTimeMillis) - begun
    const isAll = JSON.stringify(owned.flat().sort()) === JSON.stringify(names)
    if (isAll && owned.every((share) => share.length > 0)) return took
    if (took > 60_000) return yield* Effect.die(new Error(`60 s were not enough: ${JSON.stringify(owned)}`))
    yield* Effect.sleep("20 millis")
  }
})

describe.skipIf(server === undefined)("instances on one PostgreSQL server (DATABASE_URL)", () => {
  layer(serverDatabase(server ?? ""), { timeout: "180 seconds", excludeTestServices: true })((it) => {
    it.effect(
      "that start together do each piece of work once, and hand it over when one stops",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create table done (
            place bigint generated always as identity, work text, epoch bigint, instance text)`
          const [one, two, three] = yield* Effect.all([start("one"), start("two"), start("three")], {
            concurrency: "unbounded"
          })
          yield* untilOwned([one, two, three], all)
          const share = (yield* one.owned).length
          yield* one.end
          // The others need not wait until it counts as gone.
          assert.deepStrictEqual(yield* sql`select name from ownership_instance where name = 'one'`, [])
          const took = yield* untilOwned([two, three], all)
          yield* Effect.logInfo(`${share} pieces of work were handed over within ${took} ms.`)
          assert.deepStrictEqual(yield* one.owned, [])
          // The status of others' work is known on an instance without work.
          for (const name of all) {
            yield* one.published(name).pipe(
              Effect.repeat({
                until: Option.exists(({ ageMs, status }) => ageMs < 3000 && !Equal.equals(status, { by: "one" })),
                schedule: Schedule.spaced("20 millis")
              }),
              Effect.timeout("60 seconds")
            )
          }
          yield* Effect.forEach([two, three], ({ stop }) => stop, { discard: true })
          // No write under an epoch follows one under a later epoch, and each epoch belongs to one instance.
          const wrong = yield* sql`select * from done as early join done as late using (work)
            where (late.place > early.place and late.epoch < early.epoch)
              or (late.epoch = early.epoch and late.instance <> early.instance) limit 1`
          assert.deepStrictEqual(wrong, [])
        }).pipe(Effect.scoped),
      240_000
    )

    it.effect(
      "do only the work of their roles",
      () =>
        Effect.gen(function* () {
          const recorder = yield* start("recorder", ["recorder"])
          const indexer = yield* start("indexer", ["api", "indexer"])
          const api = yield* start("api", ["api"])
          const of = (role: string) => works.filter((work) => work.role === role).map(({ name }) => name)
          yield* untilOwned([recorder], of("recorder").sort())
          yield* untilOwned([indexer], of("indexer").sort())
          yield* api
            .published("index:1")
            .pipe(
              Effect.repeat({ until: Option.isSome, schedule: Schedule.spaced("20 millis") }),
              Effect.timeout("60 seconds")
            )
          // All work is taken, each piece by one instance.
          assert.deepStrictEqual((yield* ownedBy([recorder, indexer])).flat().sort(), all)
          assert.deepStrictEqual(yield* api.owned, [])
        }).pipe(Effect.scoped),
      240_000
    )

    it.effect(
      "detect each other, and take over, after their clocks were set back by an hour",
      () =>
        Effect.gen(function* () {
          const { clock, step } = yield* makeSteppedClock
          const startStepped = (name: string, roles?: ReadonlyArray<Role>) =>
            Effect.provideService(start(name, roles), Clock.Clock, clock)
          const [one, two] = yield* Effect.all([startStepped("first"), startStepped("second")], {
            concurrency: "unbounded"
          })
          const api = yield* startStepped("reader", ["api"])
          const hear = (name: string, by: ReadonlyArray<string>) =>
            Effect.provideService(api.published(name), Clock.Clock, clock).pipe(
              Effect.repeat({
                until: Option.exists(({ ageMs, status }) => {
                  assert.isAtLeast(ageMs, 0)
                  return by.some((instance) => Equal.equals(status, { by: instance }))
                }),
                schedule: Schedule.spaced("20 millis")
              }),
              Effect.timeout("30 seconds")
            )
          yield* untilOwned([one, two], all)
          yield* Effect.forEach(all, (name) => hear(name, ["first", "second"]))
          yield* step(-3_600_000)
          yield* one.end
          yield* untilOwned([two], all)
          yield* Effect.forEach(all, (name) => hear(name, ["second"]))
        }).pipe(Effect.scoped),
      240_000
    )
  })
})
