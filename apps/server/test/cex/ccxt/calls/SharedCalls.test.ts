import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeSharedCalls } from "../../../../src/cex/ccxt/calls/SharedCalls.ts"

const counted = (ms: number) => {
  const state = { started: 0, interrupted: 0 }
  const call = Effect.suspend(() => {
    const run = ++state.started
    return Effect.onInterrupt(Effect.as(Effect.sleep(ms), run), () => Effect.sync(() => state.interrupted++))
  })
  return { state, call }
}

describe("SharedCalls", () => {
  it.effect("runs once for concurrent callers, and again after the response", () =>
    Effect.gen(function* () {
      const calls = yield* makeSharedCalls<number, never>()
      const { call, state } = counted(100)
      const get = calls.get("a", call, { freshMs: 0 })
      const fiber = yield* Effect.forkChild(Effect.all([get, get, get], { concurrency: "unbounded" }))
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [1, 1, 1])
      const again = yield* Effect.forkChild(get)
      yield* TestClock.adjust(100)
      assert.strictEqual(yield* Fiber.join(again), 2)
      assert.strictEqual(state.started, 2)
    })
  )

  it.effect("reuses a response while it is fresh", () =>
    Effect.gen(function* () {
      const calls = yield* makeSharedCalls<number, never>()
      const { call } = counted(0)
      const get = Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(calls.get("a", call, { freshMs: 500 }))
        yield* TestClock.adjust(0)
        return yield* Fiber.join(fiber)
      })
      assert.strictEqual(yield* get, 1)
      yield* TestClock.adjust(499)
      assert.strictEqual(yield* get, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* get, 2)
    })
  )

  it.effect("does not cache a failure", () =>
    Effect.gen(function* () {
      const calls = yield* makeSharedCalls<number, string>()
      let tries = 0
      const call = Effect.suspend(() => (++tries === 1 ? Effect.fail("no") : Effect.succeed(tries)))
      assert.strictEqual(yield* Effect.flip(calls.get("a", call, { freshMs: 500 })), "no")
      assert.strictEqual(yield* calls.get("a", call, { freshMs: 500 }), 2)
    })
  )

  it.effect("continues while one caller waits, and stops with the last one unless it must finish", () =>
    Effect.gen(function* () {
      const calls = yield* makeSharedCalls<number, never>()
      const { call, state } = counted(100)
      const [first, second] = [
        yield* Effect.forkChild(calls.get("a", call, { freshMs: 0 })),
        yield* Effect.forkChild(calls.get("a", call, { freshMs: 0 }))
      ]
      yield* TestClock.adjust(50)
      yield* Fiber.interrupt(first)
      yield* TestClock.adjust(50)
      assert.strictEqual(yield* Fiber.join(second), 1)

      const last = yield* Effect.forkChild(calls.get("a", call, { freshMs: 0 }))
      yield* TestClock.adjust(50)
      yield* Fiber.interrupt(last)
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(state, { started: 2, interrupted: 1 })

      const kept = yield* Effect.forkChild(calls.get("b", call, { freshMs: 0, survivesCallers: true }))
      yield* TestClock.adjust(50)
      yield* Fiber.interrupt(kept)
      yield* TestClock.adjust(50)
      assert.deepStrictEqual(state, { started: 3, interrupted: 1 })
    })
  )
})
