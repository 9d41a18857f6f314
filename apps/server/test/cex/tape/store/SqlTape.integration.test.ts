import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as Database from "../../../../src/store/Database.ts"
import { embeddedDatabase, serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"
import { append, begin, holds, tapeLaws } from "./SqlTapeLaws.ts"
import * as World from "./SqlTapeWorld.ts"

const server = process.env["DATABASE_URL"]

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

describe("the tape in the embedded database", () => {
  layer(leaseInStore.pipe(Layer.provideMerge(embeddedDatabase)), { timeout: "60 seconds" })((it) => {
    tapeLaws(it)
  })

  it.effect(
    "goes on after the database was closed",
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
  })
})
