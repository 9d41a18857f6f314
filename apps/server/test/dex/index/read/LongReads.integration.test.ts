import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as SqlDexView from "../../../../src/dex/index/read/SqlDexView.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import * as SqlEntityStore from "../../../../src/dex/index/store/SqlEntityStore.ts"
import { serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"
import { newKey, simpleChain, viewAt } from "../store/SqlHistoryLaws.ts"
import * as World from "../store/SqlWorld.ts"

const server = process.env["DATABASE_URL"]

const page = { limit: 5, skip: 0, from: Option.none(), to: Option.none() }
const sorted = { ...page, order: Option.some({ field: "amountUSD", direction: "desc" } as const) }

/** Locks the trades until `end`, so that every read of trades takes as long as that. */
const lockTrades = Effect.fnUntraced(function* (end: Deferred.Deferred<void>) {
  const sql = yield* SqlClient.SqlClient
  const locked = yield* Deferred.make<void>()
  const lock = sql`lock table dex_trade in access exclusive mode`
  const held = Effect.andThen(lock, Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(end)))
  const session = yield* Effect.forkChild(sql.withTransaction(held))
  yield* Deferred.await(locked)
  return session
})

/** The number of statements that wait for the lock, once it is this one. */
const untilWaiting = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row?.waiting
  }).pipe(Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (waiting) => waiting === count }))

const index = Layer.mergeAll(SqlEntityStore.layerWith({ epochSize: 5 }), SqlDexView.layer, leaseInStore)

describe.skipIf(server === undefined)("long reads of the index in PostgreSQL", () => {
  layer(index.pipe(Layer.provideMerge(serverDatabase(server ?? ""))), { excludeTestServices: true })((it) => {
    it.effect(
      "leave connections of the store free, and are refused if too many wait",
      () =>
        Effect.gen(function* () {
          const key = newKey()
          const store = yield* EntityStore
          for (const block of simpleChain(3)) yield* store.append(key, [block], 110)
          const view = yield* viewAt(key)
          const end = yield* Deferred.make<void>()
          const lock = yield* lockTrades(end)
          const pool = World.pool(1)
          const sort = view.trades("swap", { pool }, sorted)
          const begun = yield* Effect.replicateEffect(Effect.forkChild(sort, { startImmediately: true }), 33)
          const deep = { ...page, order: Option.none(), skip: 1001 }
          begun.push(yield* Effect.forkChild(view.trades("swap", { pool }, deep), { startImmediately: true }))
          const summed = yield* Effect.replicateEffect(Effect.forkChild(view.ticks(pool, page)), 12)
          yield* untilWaiting(4)
          // The other statements find a connection.
          assert.isTrue(Option.isSome(yield* view.deployment))
          const refused = yield* Effect.flip(sort)
          assert.strictEqual(refused._tag, "DexSourceError")
          assert.strictEqual(refused.reason, "Busy")
          assert.strictEqual(refused.message, "Too many requests for sorted trades wait for the index.")
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(lock)
          yield* Effect.forEach(begun, Fiber.join)
          yield* Effect.forEach(summed, Fiber.await)
          yield* sort
        }).pipe(Effect.timeout("20 seconds")),
      60_000
    )
  })
})
