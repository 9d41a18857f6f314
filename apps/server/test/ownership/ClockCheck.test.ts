import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { watchClock } from "../../src/ownership/ClockCheck.ts"
import { makeStubStore } from "./StubStore.ts"

describe("the clock of an instance", () => {
  it.effect("that differs from that of the database is logged once, and once when it agrees again", () =>
    Effect.gen(function* () {
      let aheadMs = 0
      const sql = yield* makeStubStore({
        readClock: () => Effect.map(Clock.currentTimeMillis, (now) => [{ time: now - aheadMs }])
      })
      const lines: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => void lines.push([logLevel, message].flat()))
      yield* watchClock(sql).pipe(Effect.provide(Logger.layer([logger])), Effect.forkChild({ startImmediately: true }))
      for (const next of [4000, 3_600_000, 3_600_000, 0, -7_200_000]) {
        aheadMs = next
        yield* TestClock.adjust("1 minute")
      }
      const effect =
        "the database: this instance states wrongly which candles are closed. Set the clock, for example by NTP."
      assert.deepStrictEqual(lines, [
        ["Warn", `The clock of this machine is 3,600 s ahead of that of ${effect}`],
        ["Info", "The clock of this machine agrees with that of the database again."],
        ["Warn", `The clock of this machine is 7,200 s behind that of ${effect}`]
      ])
    })
  )
})
