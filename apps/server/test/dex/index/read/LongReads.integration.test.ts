import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import * as SqlDexView from "../../../../src/dex/index/read/SqlDexView.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import * as SqlEntityStore from "../../../../src/dex/index/store/SqlEntityStore.ts"
import { serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"
import { lockTable, untilWaiting } from "../../../store/LockedTable.ts"
import { newKey, simpleChain, viewAt } from "../store/SqlHistoryLaws.ts"
import * as World from "../store/SqlWorld.ts"

const server = process.env["DATABASE_URL"]

const page = { limit: 5, skip: 0, from: Option.none(), to: Option.none() }
const sorted = { ...page, order: Option.some({ field: "amountUSD", direction: "desc" } as const) }

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
          const lock = yield* lockTable("dex_trade", end)
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
        }).pipe(Effect.timeout("60 seconds")),
      120_000
    )
  })
})
