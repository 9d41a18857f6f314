import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { defaultCallLimits } from "../../../../src/cex/ccxt/calls/CallLimits.ts"
import { makeGuardedCalls } from "../../../../src/cex/ccxt/calls/GuardedCalls.ts"
import { makeOutageBreaker } from "../../../../src/cex/ccxt/calls/OutageBreaker.ts"
import { makeRequestGate } from "../../../../src/cex/ccxt/calls/RequestGate.ts"
import { CcxtError } from "../../../../src/cex/ccxt/class/CcxtError.ts"
import { monotonicMillis } from "../../../../src/internal/monotonic.ts"

const unavailable = new CcxtError({
  names: ["ExchangeNotAvailable"],
  status: 503,
  retryAfter: undefined,
  message: "down"
})

describe("a call that is refused because the requests of the exchange are held", () => {
  it.effect("neither closes an open circuit nor uses its probe", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 1, waiting: 1, paceMs: 0 })
      const breaker = makeOutageBreaker({ failureThreshold: 2, resetTimeoutMs: 1000 })
      const calls = makeGuardedCalls({ id: "sandbox", limits: { ...defaultCallLimits, attempts: 1 }, gate, breaker })
      let sent = 0
      const call = Effect.gen(function* () {
        const deadline = (yield* monotonicMillis) + 1000
        const work = () => {
          sent++
          return Promise.reject(unavailable)
        }
        const { reason } = yield* Effect.flip(calls.run(deadline, work, Effect.succeed))
        return [reason, sent]
      })
      assert.deepStrictEqual(
        [yield* call, yield* call],
        [
          ["Unavailable", 1],
          ["Unavailable", 2]
        ]
      )
      yield* gate.hold(5000)
      yield* TestClock.adjust(1000)
      assert.deepStrictEqual(yield* call, ["Busy", 2])
      yield* TestClock.adjust(4000)
      // The probe is sent, fails, and opens the circuit again.
      assert.deepStrictEqual(yield* call, ["Unavailable", 3])
      assert.deepStrictEqual(yield* call, ["Unavailable", 3])
    })
  )
})

describe("a background call that probes an open circuit, and that the exchange asks to wait for an hour", () => {
  it.effect("does not block callers during that hour", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 2, waiting: 1, paceMs: 0 })
      const breaker = makeOutageBreaker({ failureThreshold: 1, resetTimeoutMs: 1000 })
      const calls = makeGuardedCalls({ id: "sandbox", limits: { ...defaultCallLimits, attempts: 2 }, gate, breaker })
      const later = new CcxtError({ names: ["ExchangeNotAvailable"], status: 503, retryAfter: "3600", message: "down" })
      yield* Effect.flip(calls.run(0, () => Promise.reject(unavailable), Effect.succeed))
      yield* TestClock.adjust(1000)
      const refused = Promise.withResolvers<void>()
      const work = () => {
        refused.resolve()
        return Promise.reject(later)
      }
      const probe = yield* Effect.forkChild(calls.runInBackground(Infinity, work, Effect.succeed))
      yield* Effect.promise(() => refused.promise)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* calls.run(Infinity, () => Promise.resolve("up"), Effect.succeed), "up")
      yield* Fiber.interrupt(probe)
    })
  )
})
