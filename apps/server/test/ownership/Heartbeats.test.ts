import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { Runner } from "effect/cluster/Runner"
import { RunnerAddress } from "effect/cluster/RunnerAddress"
import { TestClock } from "effect/testing"
import { makeHeartbeats } from "../../src/ownership/Heartbeats.ts"
import { heartbeatIntervalMs, judgmentDelayMs, leaseDurationMs, maxOwnSilenceMs } from "../../src/ownership/Timing.ts"
import { makeLogLines } from "../internal/log/logLines.ts"
import { makeStubStore, storeAway } from "./StubStore.ts"

const runnerAt = (host: string) =>
  new Runner({ address: RunnerAddress.make({ host, port: 1 }), groups: ["default"], weight: 1 })

describe("an instance that had paused", () => {
  it.effect("considers no other one gone before they could write their heartbeats again", () =>
    Effect.gen(function* () {
      let living = ["one", "other"]
      const rows = () => living.map((host) => ({ runner: Runner.encodeSync(runnerAt(host)) }))
      const sql = yield* makeStubStore({
        writeHeartbeat: () => Effect.succeed([{ id: 1 }]),
        readLiving: () => Effect.sync(rows)
      })
      const { storage } = makeHeartbeats(sql, "one")
      const known = Effect.map(storage.getRunners, (runners) => runners.map(([{ address }]) => address.host))
      yield* storage.register(runnerAt("one"), true)
      assert.deepStrictEqual(yield* known, ["one", "other"])
      yield* TestClock.adjust(leaseDurationMs + 1)
      living = ["one"]
      yield* storage.register(runnerAt("one"), true)
      assert.deepStrictEqual(yield* known, ["one", "other"])
      yield* TestClock.adjust(judgmentDelayMs - 1)
      assert.deepStrictEqual(yield* known, ["one", "other"])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* known, ["one"])
    })
  )

  it.effect("considers no other one gone by an answer for which the store took long", () =>
    Effect.gen(function* () {
      let living = ["one", "other"]
      let answerAfter = 0
      const rows = () => living.map((host) => ({ runner: Runner.encodeSync(runnerAt(host)) }))
      const sql = yield* makeStubStore({
        writeHeartbeat: () => Effect.succeed([{ id: 1 }]),
        readLiving: () => Effect.suspend(() => Effect.delay(Effect.sync(rows), answerAfter))
      })
      const { storage } = makeHeartbeats(sql, "one")
      const known = Effect.map(storage.getRunners, (runners) => runners.map(([{ address }]) => address.host))
      yield* storage.register(runnerAt("one"), true)
      assert.deepStrictEqual(yield* known, ["one", "other"])
      yield* TestClock.adjust(judgmentDelayMs)
      yield* storage.register(runnerAt("one"), true)
      living = ["one"]
      answerAfter = maxOwnSilenceMs + 1
      const waiting = yield* Effect.forkChild(known)
      yield* TestClock.adjust(answerAfter)
      assert.deepStrictEqual(yield* Fiber.join(waiting), ["one", "other"])
    })
  )
})

describe("heartbeats that cannot be written", () => {
  it.effect("are logged as a warning once, until one is written", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => void said.push(`${logLevel} ${message}`))
      const warning = /^Warn The heartbeat cannot be written/
      let isAway = false
      const answer = Effect.suspend(() => (isAway ? Effect.fail(storeAway) : Effect.succeed([{ id: 1 }])))
      const sql = yield* makeStubStore({ writeHeartbeat: () => answer, removeHeartbeat: () => answer })
      const { keepBeating, storage } = makeHeartbeats(sql, "one")
      yield* storage.register(runnerAt("one"), true)
      yield* Effect.forkChild(Effect.provide(keepBeating, Logger.layer([logger])))
      for (const warnings of [1, 2]) {
        isAway = true
        yield* TestClock.adjust(4 * heartbeatIntervalMs)
        assert.lengthOf(
          said.filter((line) => warning.test(line)),
          warnings
        )
        isAway = false
        yield* TestClock.adjust(heartbeatIntervalMs)
      }
    })
  )

  it.effect("are not called written where an instance leaves and writes none", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      let isAway = false
      const answer = Effect.suspend(() => (isAway ? Effect.fail(storeAway) : Effect.succeed([{ id: 1 }])))
      const sql = yield* makeStubStore({ writeHeartbeat: () => answer, removeHeartbeat: () => answer })
      const { keepBeating, storage } = makeHeartbeats(sql, "one")
      const runner = runnerAt("one")
      yield* storage.register(runner, true)
      yield* Effect.forkChild(keepBeating)
      isAway = true
      yield* TestClock.adjust(2 * heartbeatIntervalMs)
      yield* Effect.ignore(storage.unregister(runner.address))
      yield* TestClock.adjust(2 * heartbeatIntervalMs)
      assert.deepStrictEqual(lines, ["Warn The heartbeat cannot be written"])
    }).pipe(Effect.provide(layer))
  })
})
