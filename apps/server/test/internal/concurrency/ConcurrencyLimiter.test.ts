import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeConcurrencyLimiter } from "../../../src/internal/concurrency/ConcurrencyLimiter.ts"

describe("makeConcurrencyLimiter", () => {
  it.effect("runs `atOnce` effects, lets `waiting` others wait, and fails for any further one at once", () =>
    Effect.gen(function* () {
      const limit = makeConcurrencyLimiter({ atOnce: 2, waiting: 1, onFull: () => "full" as const })
      const end = yield* Deferred.make<void>()
      let running = 0
      const work = limit(
        Effect.andThen(
          Effect.sync(() => void (running += 1)),
          Deferred.await(end)
        )
      )
      const begun = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(work, { startImmediately: true }))
      assert.strictEqual(running, 2)
      assert.strictEqual(yield* Effect.flip(work), "full")
      yield* Deferred.succeed(end, undefined)
      yield* Effect.forEach(begun, Fiber.join)
      assert.strictEqual(running, 3)
      yield* work
      assert.strictEqual(running, 4)
    })
  )

  it.effect("frees the place of an effect that is interrupted, whether it runs or waits", () =>
    Effect.gen(function* () {
      const limit = makeConcurrencyLimiter({ atOnce: 1, waiting: 1, onFull: () => "full" as const })
      for (let round = 0; round < 3; round++) {
        const running = yield* Effect.forkChild(limit(Effect.never), { startImmediately: true })
        const waiting = yield* Effect.forkChild(limit(Effect.never), { startImmediately: true })
        assert.strictEqual(yield* Effect.flip(limit(Effect.void)), "full")
        yield* Fiber.interrupt(waiting)
        yield* Fiber.interrupt(running)
      }
      yield* limit(Effect.void)
    })
  )
})
