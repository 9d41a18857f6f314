import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { keepPublishing } from "../../src/ownership/Cluster.ts"
import type { Holding } from "../../src/ownership/Holdings.ts"
import { publishIntervalMs } from "../../src/ownership/Timing.ts"
import { makeLogLines } from "../internal/log/logLines.ts"
import { makeStubStore, storeAway } from "./StubStore.ts"

describe("the status of work that cannot be published", () => {
  it.effect("is not called published while there is no work", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      const lease = { name: "recording:1", epoch: 1, maxIdleMs: 0 }
      const fiber = yield* Effect.forkChild(Effect.never)
      let holdings: ReadonlyArray<Holding> = [{ lease, status: Effect.succeed({}), fiber }]
      let isAway = true
      const rows = [{ name: lease.name }]
      const sql = yield* makeStubStore({
        publish: () => Effect.suspend(() => (isAway ? Effect.fail(storeAway) : Effect.succeed(rows)))
      })
      const publishing = keepPublishing(sql, {
        all: () => holdings,
        lose: () => Effect.void
      })
      yield* Effect.forkChild(publishing)
      const work = holdings
      const warning = "Warn The status of the work cannot be published to the other instances"
      yield* TestClock.adjust(publishIntervalMs)
      assert.deepStrictEqual(lines, [warning])
      holdings = []
      yield* TestClock.adjust(2 * publishIntervalMs)
      assert.deepStrictEqual(lines, [warning])
      isAway = false
      holdings = work
      yield* TestClock.adjust(publishIntervalMs)
      assert.deepStrictEqual(lines, [warning, warning.replace("Warn", "Info Resolved:")])
    }).pipe(Effect.provide(layer))
  })
})
