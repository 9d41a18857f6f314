import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeRequestGate } from "../../../../src/cex/ccxt/calls/RequestGate.ts"
import { makeSteppedClock } from "../../../SteppedClock.ts"

const full = (retryAfterMs: number) => retryAfterMs

describe("RequestGate", () => {
  it.effect("runs a few calls at once, lets a few wait, and refuses the next", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 2, waiting: 3, paceMs: 500 })
      let running = 0
      const call = gate.admit(
        gate.run(
          Effect.andThen(
            Effect.sync(() => running++),
            Effect.sleep(1000)
          )
        ),
        full
      )
      const fibers = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.forkChild(call))
      yield* Effect.yieldNow
      assert.strictEqual(running, 2)
      assert.strictEqual(yield* Effect.flip(call), 1500)
      yield* TestClock.adjust(3000)
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(running, 5)
    })
  )

  it.effect("frees the slot of an interrupted call, running or waiting", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 1, waiting: 1, paceMs: 0 })
      for (let round = 0; round < 10; round++) {
        const call = gate.admit(gate.run(Effect.never), full)
        const running = yield* Effect.forkChild(call)
        const waiting = yield* Effect.forkChild(call)
        yield* Effect.yieldNow
        assert.strictEqual(yield* Effect.flip(call), 1000)
        yield* Fiber.interrupt(round % 2 === 0 ? waiting : running)
        yield* Fiber.interrupt(round % 2 === 0 ? running : waiting)
      }
      assert.strictEqual(yield* gate.admit(gate.run(Effect.succeed("free")), full), "free")
    })
  )

  it.effect("spaces requests by their weight, and by a hold of the exchange", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 9, waiting: 9, paceMs: 100 })
      const times: Array<number> = []
      const request = (weight: number) =>
        Effect.andThen(
          gate.pace(weight),
          Effect.map(Clock.currentTimeMillis, (now) => times.push(now))
        )
      yield* Effect.forkChild(Effect.forEach([1, 5, 1], request, { concurrency: "unbounded" }))
      yield* TestClock.adjust(700)
      assert.deepStrictEqual(times, [0, 100, 600])
      yield* gate.hold(4300)
      assert.strictEqual(yield* gate.held, 4300)
      yield* Effect.forkChild(request(1))
      yield* TestClock.adjust(4300)
      assert.deepStrictEqual(times, [0, 100, 600, 5000])
    })
  )

  it.effect("gives the turn of an interrupted request to the next one", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 4, waiting: 9, paceMs: 1000 })
      const times: Array<number> = []
      const request = Effect.andThen(
        gate.pace(1),
        Effect.map(Clock.currentTimeMillis, (now) => times.push(now))
      )
      yield* request
      for (let round = 0; round < 100; round++) {
        const [front, behind] = [yield* Effect.forkChild(request), yield* Effect.forkChild(request)]
        yield* Effect.yieldNow
        yield* Fiber.interrupt(round % 2 === 0 ? front : behind)
        yield* Fiber.interrupt(round % 2 === 0 ? behind : front)
      }
      const background = Effect.andThen(
        gate.paceInBackground(1),
        Effect.map(Clock.currentTimeMillis, (now) => times.push(now))
      )
      yield* Effect.forkChild(Effect.all([request, background], { concurrency: "unbounded" }))
      yield* TestClock.adjust(2000)
      assert.deepStrictEqual(times, [0, 1000, 2000])
    })
  )

  it.effect("also paces the first requests after an idle time", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 4, waiting: 9, paceMs: 1000 })
      const times: Array<number> = []
      const request = Effect.andThen(
        gate.pace(1),
        Effect.map(Clock.currentTimeMillis, (now) => times.push(now))
      )
      for (const quietUntil of [60_000, 120_000]) {
        yield* TestClock.setTime(quietUntil)
        yield* Effect.forkChild(Effect.all([request, request, request], { concurrency: "unbounded" }))
        yield* TestClock.adjust(2000)
      }
      assert.deepStrictEqual(times, [60_000, 61_000, 62_000, 120_000, 121_000, 122_000])
    })
  )

  it.effect("also delays requests that already wait during a hold, and paces them afterwards", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 9, waiting: 9, paceMs: 100 })
      const times: Array<number> = []
      const request = Effect.andThen(
        gate.pace(1),
        Effect.map(Clock.currentTimeMillis, (now) => times.push(now))
      )
      yield* Effect.forkChild(Effect.all([request, request, request], { concurrency: "unbounded" }))
      yield* TestClock.adjust(50)
      yield* gate.hold(950)
      yield* TestClock.adjust(2000)
      assert.deepStrictEqual(times, [0, 1000, 1100])
    })
  )

  it.effect("does not wait longer when the clock is set back", () =>
    Effect.gen(function* () {
      const { clock, step } = yield* makeSteppedClock
      const gate = yield* makeRequestGate({ concurrency: 1, waiting: 1, paceMs: 100 })
      yield* Effect.gen(function* () {
        yield* gate.pace(1)
        yield* gate.hold(500)
        yield* step(-3_600_000)
        assert.strictEqual(yield* gate.held, 500)
        const paced = yield* Effect.forkChild(gate.pace(1))
        yield* TestClock.adjust(500)
        yield* Fiber.join(paced)
      }).pipe(Effect.provideService(Clock.Clock, clock))
    })
  )

  it.effect("gives callers priority over background requests without starving these", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 2, waiting: 9, paceMs: 100 })
      const order: Array<string> = []
      const noted = (who: string, turn: Effect.Effect<void>) =>
        Effect.forkChild(
          Effect.andThen(
            turn,
            Effect.sync(() => order.push(who))
          )
        )
      yield* gate.pace(1)
      yield* noted("behind", gate.paceInBackground(1))
      yield* Effect.yieldNow
      yield* noted("first", gate.pace(1))
      yield* noted("second", gate.pace(1))
      yield* TestClock.adjust(400)
      assert.deepStrictEqual(order, ["first", "second", "behind"])

      const busy = yield* Effect.forkChild(Effect.forever(gate.pace(1)))
      yield* Effect.forkChild(Effect.forever(gate.pace(1)))
      yield* noted("starved", gate.paceInBackground(1))
      yield* TestClock.adjust(4000)
      assert.notInclude(order, "starved")
      yield* TestClock.adjust(2000)
      assert.include(order, "starved")
      yield* Fiber.interrupt(busy)
    })
  )

  it.effect("reserves a slot for callers while background requests run", () =>
    Effect.gen(function* () {
      const gate = yield* makeRequestGate({ concurrency: 2, waiting: 0, paceMs: 0 })
      yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(gate.runInBackground(Effect.never)))
      yield* Effect.yieldNow
      assert.strictEqual(yield* gate.admit(gate.run(Effect.succeed("served")), full), "served")
    })
  )
})
