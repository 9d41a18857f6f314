import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import type { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeHoldings } from "../../src/ownership/Holdings.ts"
import { pauseAfterLossMs } from "../../src/ownership/Timing.ts"

describe("work that another instance has taken", () => {
  it.effect("is not retaken until all instances agree on the owner", () =>
    Effect.gen(function* () {
      let epoch = 0
      const sql = () => Effect.sync(() => [{ epoch: ++epoch }])
      const { all, hold, lose } = yield* makeHoldings(sql as unknown as SqlClient.SqlClient, "test", 0)
      const begin = Effect.succeed({ run: Effect.never, status: Effect.succeed(null) })
      yield* Effect.forkChild(hold({ name: "work", role: "recorder", begin }))
      yield* TestClock.adjust(0)
      for (const { lease } of all()) yield* lose(lease)
      yield* TestClock.adjust(pauseAfterLossMs - 1)
      assert.strictEqual(epoch, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(epoch, 2)
    }).pipe(Effect.scoped)
  )
})

describe("work that is lost in the middle of a write", () => {
  it.effect("is reported as taken over, and not as failed, if its transaction cannot be rolled back", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => void said.push(`${logLevel} ${message}`))
      const sql = () => Effect.succeed([{ epoch: 1 }])
      yield* Effect.gen(function* () {
        const { all, hold, lose } = yield* makeHoldings(sql as unknown as SqlClient.SqlClient, "test", 0)
        const run = Effect.onInterrupt(Effect.never, () => Effect.die(new Error("Connection closed")))
        const begin = Effect.succeed({ run, status: Effect.succeed(null) })
        yield* Effect.forkChild(hold({ name: "work", role: "recorder", begin }))
        yield* TestClock.adjust(0)
        for (const { lease } of all()) yield* lose(lease)
      }).pipe(Effect.provide(Logger.layer([logger])))
      assert.deepStrictEqual(said, [
        'Info This instance does "work" from now on, in epoch 1.',
        'Warn "work" ends on this instance: another one has taken it over.'
      ])
    }).pipe(Effect.scoped)
  )
})

describe("work that cannot begin", () => {
  it.effect("is tried again after a defect", () =>
    Effect.gen(function* () {
      const sql = () => Effect.succeed([{ epoch: 1 }])
      const { all, hold } = yield* makeHoldings(sql as unknown as SqlClient.SqlClient, "test", 0)
      let tries = 0
      const begin = Effect.suspend(() =>
        ++tries === 1
          ? // As of a hash function for whose code there is no memory.
            Effect.die(new Error("unexpected"))
          : Effect.succeed({ run: Effect.never, status: Effect.succeed(null) })
      )
      yield* Effect.forkChild(hold({ name: "work", role: "indexer", begin }))
      yield* TestClock.adjust(pauseAfterLossMs)
      assert.deepStrictEqual(
        all().map(({ lease }) => lease.name),
        ["work"]
      )
    }).pipe(Effect.scoped)
  )
})
