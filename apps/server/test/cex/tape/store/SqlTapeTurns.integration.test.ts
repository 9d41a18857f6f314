import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TapeReads } from "../../../../src/cex/tape/Tape.ts"
import { lockTable, untilWaiting } from "../../../store/LockedTable.ts"
import { onServer, store } from "./TapeStores.ts"

const server = process.env["DATABASE_URL"]

const everything = { from: 0, to: 86_400_000_000, take: "latest" } as const

describe.skipIf(server === undefined)("candles of a tape in PostgreSQL", () => {
  layer(onServer(server ?? ""), { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect.each([
      ["merged from many minutes", "1d", 200],
      ["many", "1m", 10_000]
    ] as const)(
      "that are %s leave connections of the store to others",
      ([, timeframe, limit]) =>
        Effect.gen(function* () {
          const reads = yield* TapeReads
          const { id } = yield* store("sandbox", "BTC/USD", [])
          const end = yield* Deferred.make<void>()
          const lock = yield* lockTable("tape_minute", end)
          const long = reads.candlePage(id, { ...everything, timeframe, limit })
          const begun = yield* Effect.replicateEffect(Effect.forkChild(long), 12)
          yield* untilWaiting(2)
          // A page of few minutes does not wait for them, and neither does a trade.
          const minute = yield* Effect.forkChild(reads.candlePage(id, { ...everything, timeframe: "1m", limit: 200 }))
          yield* untilWaiting(3)
          yield* reads.newestTrade("sandbox", "BTC/USD")
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(lock)
          assert.strictEqual((yield* Fiber.join(minute)).count, 0)
          yield* Effect.forEach(begun, Fiber.join)
        }).pipe(Effect.timeout("60 seconds")),
      120_000
    )
  })
})
