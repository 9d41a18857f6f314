import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../src/store/Database.ts"
import { mayMount, smallDisk } from "../faults/world/SmallDisk.ts"
import { Workshop } from "../faults/world/Workshop.ts"

describe("the embedded database", () => {
  it.live.skipIf(!mayMount)(
    "is opened again after its engine ended on a full disk, and no statement waits for it (root)",
    () =>
      Effect.gen(function* () {
        const log: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        const disk = yield* smallDisk(160)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create table written (number int primary key)`
          yield* sql`insert into written select * from generate_series(1, 100)`
          yield* disk.fill
          // Only the write-ahead log grows: the engine ends when it cannot.
          const write = sql`select pg_logical_emit_message(true, 'test', repeat('x', 500000))`
          yield* Effect.flip(Effect.forever(Effect.andThen(disk.fill, write)))
          let stored = 100
          for (let number = 101; number <= 120; number++) {
            yield* disk.fill
            const exit = yield* sql`insert into written values (${number})`.pipe(
              Effect.andThen(write),
              Effect.timeout("20 seconds"),
              Effect.exit
            )
            if (Exit.isSuccess(exit)) stored += 1
            else assert.notInclude(String(exit.cause), "TimeoutError")
          }
          assert.isBelow(stored, 120)
          yield* disk.empty
          const count = sql`select count(*)::int as count from written`.pipe(
            Effect.retry(Schedule.spaced("100 millis")),
            Effect.timeout("60 seconds"),
            Effect.map(([row]) => Number(row?.["count"]))
          )
          // A statement may have been committed though its response was lost.
          assert.isAtLeast(yield* count, stored)
          const before = yield* count
          yield* sql`insert into written values (200)`
          assert.strictEqual(yield* count, before + 1)
        }).pipe(
          Effect.provide(
            Layer.provideMerge(Database.connection({ url: undefined, dataDir: join(disk.path, "database") }), logger)
          )
        )
        const ends = log.filter((line) => line.includes("The embedded database ended"))
        const opened = log.filter((line) => line.includes("The embedded database is open again"))
        assert.isAbove(ends.length, 0)
        assert.strictEqual(opened.length, ends.length, log.join("\n"))
        assert.include(ends[0], "No space left on device")
      }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(Workshop.layer, NodeServices.layer))),
    180_000
  )
})
