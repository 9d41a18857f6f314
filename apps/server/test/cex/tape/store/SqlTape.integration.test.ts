import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, FileSystem, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../../../src/store/Database.ts"
import { isLockTimeout } from "../../../../src/store/LockTimeout.ts"
import { embeddedDatabase, serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"
import { append, begin, dump, holds, tapeLaws } from "./SqlTapeLaws.ts"
import * as World from "./SqlTapeWorld.ts"

const server = process.env["DATABASE_URL"]

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

describe("the tape in the embedded database", () => {
  layer(leaseInStore.pipe(Layer.provideMerge(embeddedDatabase)), { timeout: "60 seconds" })((it) => {
    tapeLaws(it)
  })

  it.effect(
    "continues after the database was closed",
    () =>
      Effect.gen(function* () {
        const database = { url: undefined, dataDir: `${yield* folder}/database` }
        const model = World.makeModel()
        for (const sequences of [
          [1, 2, 5],
          [3, 4, 9]
        ]) {
          const trades = sequences.map((sequence) => World.plainTrade(sequence))
          yield* Effect.gen(function* () {
            const { series, tape } = yield* begin("BTC/USD")
            assert.deepStrictEqual(series.coverage, model.coverage())
            model.add(trades)
            yield* append(tape, series, trades)
            yield* holds(series.id, model)
          }).pipe(Effect.provide(leaseInStore.pipe(Layer.provideMerge(Layer.fresh(Database.layer(database))))))
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    60_000
  )
})

describe.skipIf(server === undefined)("the tape in PostgreSQL (DATABASE_URL)", () => {
  layer(leaseInStore.pipe(Layer.provideMerge(serverDatabase(server ?? ""))), { timeout: "60 seconds" })((it) => {
    tapeLaws(it)

    it.effect("drops no day while another session reads it, and unblocks writers after half a second", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { series, tape } = yield* begin("LOCKED/USD")
        const stored = yield* append(tape, series, [World.plainTrade(1, World.dayStart(3))])
        const drop = tape.dropBefore(World.dayStart(4))
        const reading = yield* Latch.make(false)
        const over = yield* Latch.make(false)
        const backup = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`select 1 from tape_trade limit 1`
              yield* reading.open
              yield* over.await
            })
          )
        )
        yield* reading.await
        const refused = yield* Effect.forkChild(Effect.flip(drop))
        const [waited] = yield* Effect.timed(append(tape, stored, [World.plainTrade(2, World.dayStart(5))]))
        assert.isTrue(isLockTimeout(yield* Fiber.join(refused)))
        assert.isBelow(Duration.toMillis(waited), 10_000)
        assert.strictEqual((yield* dump(series.id)).trades.length, 2)
        yield* over.open
        yield* Fiber.join(backup)
        assert.isAtLeast(yield* drop, 1)
        assert.strictEqual((yield* dump(series.id)).trades.length, 1)
      })
    )
  })
})
