import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeOutageBreaker } from "../../../../src/cex/ccxt/calls/OutageBreaker.ts"

const make = () => {
  const breaker = makeOutageBreaker({ failureThreshold: 5, resetTimeoutMs: 15_000 })
  let calls = 0
  const guard = <A>(call: Effect.Effect<A, string>) =>
    breaker.guard(
      Effect.suspend(() => (calls++, call)),
      {
        toReachability: (error) => (error === "down" ? "down" : error === "refused here" ? "none" : "alive"),
        onOpen: (retryAfterMs) => `open ${retryAfterMs}`
      }
    )
  return { guard, calls: () => calls, down: Effect.flip(guard(Effect.fail("down"))) }
}

describe("OutageBreaker", () => {
  it.effect("opens after five failures in a row and names the wait", () =>
    Effect.gen(function* () {
      const { calls, down } = make()
      for (let call = 0; call < 5; call++) assert.strictEqual(yield* down, "down")
      assert.strictEqual(yield* down, "open 15000")
      yield* TestClock.adjust(10_000)
      assert.strictEqual(yield* down, "open 5000")
      assert.strictEqual(calls(), 5)
    })
  )

  it.effect("restarts its count after a success, and after an error that is not an outage", () =>
    Effect.gen(function* () {
      const { calls, down, guard } = make()
      for (const between of [Effect.void, Effect.fail("market-not-found")]) {
        for (let call = 0; call < 4; call++) yield* down
        yield* Effect.exit(guard(between))
      }
      for (let call = 0; call < 4; call++) assert.strictEqual(yield* down, "down")
      assert.strictEqual(calls(), 14)
    })
  )

  it.effect("lets one probe through after the wait, which closes or reopens it", () =>
    Effect.gen(function* () {
      const { down, guard } = make()
      for (let call = 0; call < 5; call++) yield* down
      yield* TestClock.adjust(15_000)
      const probe = yield* Effect.forkChild(Effect.flip(guard(Effect.delay(Effect.fail("down"), 100))))
      yield* Effect.yieldNow
      assert.strictEqual(yield* down, "open 1000")
      yield* TestClock.adjust(100)
      assert.strictEqual(yield* Fiber.join(probe), "down")
      assert.strictEqual(yield* down, "open 15000")
      yield* TestClock.adjust(15_000)
      yield* guard(Effect.void)
      assert.strictEqual(yield* down, "down")
    })
  )

  it.effect("does not change after a call that did not reach the exchange, and allows another probe", () =>
    Effect.gen(function* () {
      const { down, guard } = make()
      const refused = Effect.flip(guard(Effect.fail("refused here")))
      for (let call = 0; call < 4; call++) yield* down
      yield* refused
      assert.strictEqual(yield* down, "down")
      assert.strictEqual(yield* down, "open 15000")
      yield* TestClock.adjust(15_000)
      assert.strictEqual(yield* refused, "refused here")
      assert.strictEqual(yield* down, "down")
      assert.strictEqual(yield* down, "open 15000")
    })
  )

  it.effect("allows another probe if the first is interrupted", () =>
    Effect.gen(function* () {
      const { down, guard } = make()
      for (let call = 0; call < 5; call++) yield* down
      yield* TestClock.adjust(15_000)
      const probe = yield* Effect.forkChild(guard(Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(probe)
      assert.isTrue(Exit.isSuccess(yield* Effect.exit(guard(Effect.void))))
    })
  )

  it.effect("allows another probe if the first takes long", () =>
    Effect.gen(function* () {
      const { down, guard } = make()
      for (let call = 0; call < 5; call++) yield* down
      yield* TestClock.adjust(15_000)
      // A call without a caller may wait as long as the exchange asks it to.
      const probe = yield* Effect.forkChild(guard(Effect.never))
      yield* Effect.yieldNow
      yield* TestClock.adjust(14_999)
      assert.strictEqual(yield* down, "open 1000")
      yield* TestClock.adjust(1)
      yield* guard(Effect.void)
      assert.strictEqual(yield* down, "down")
      yield* Fiber.interrupt(probe)
    })
  )
})
