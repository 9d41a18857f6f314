import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { makePublishedStatuses } from "../../src/ownership/PublishedStatuses.ts"
import { readTimeoutMs, sharedReadMs } from "../../src/ownership/Timing.ts"
import { makeLogLines } from "../internal/log/logLines.ts"
import { makeStubStore, storeAway } from "./StubStore.ts"

describe("published statuses", () => {
  it.effect("wait once for a store that does not answer, however many are read", () =>
    Effect.gen(function* () {
      let queries = 0
      const silent = yield* makeStubStore({
        readStatuses: () =>
          Effect.suspend(() => {
            queries += 1
            return Effect.never
          })
      })
      const published = yield* makePublishedStatuses(silent)
      const names = Array.from({ length: 60 }, (_, index) => `recording:${index}`)
      const reads = Effect.forEach(names, published)
      const fiber = yield* Effect.forkChild(reads)
      yield* TestClock.adjust(readTimeoutMs)
      assert.isTrue((yield* Fiber.join(fiber)).every(Option.isNone))
      assert.strictEqual(queries, 1)
      yield* TestClock.adjust(sharedReadMs)
      const again = yield* Effect.forkChild(published("recording:1"))
      yield* TestClock.adjust(readTimeoutMs)
      yield* Fiber.join(again)
      assert.strictEqual(queries, 2)
    })
  )

  it.effect("are logged as a warning once in an outage of the store, and as over at its end", () => {
    const { layer, lines } = makeLogLines()
    return Effect.gen(function* () {
      let isDown = true
      const store = yield* makeStubStore({
        readStatuses: () => Effect.suspend(() => (isDown ? Effect.fail(storeAway) : Effect.succeed([])))
      })
      const published = yield* makePublishedStatuses(store)
      for (let read = 0; read < 3; read++) {
        for (const name of ["recording:1", "recording:2"]) yield* published(name)
        yield* TestClock.adjust(sharedReadMs)
      }
      isDown = false
      yield* published("recording:1")
      const message = "The statuses of other instances cannot be read"
      assert.deepStrictEqual(lines, [`Warn ${message}`, `Info Resolved: ${message}`])
    }).pipe(Effect.provide(layer))
  })
})
