import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { MixedScheduler, Scheduler } from "effect/Scheduler"
import { TestClock } from "effect/testing"
import * as Operations from "../../src/api/CexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import type { Client } from "../../src/client/Client.ts"
import { json, problem, stubService } from "./StubService.ts"

const market = Market.make("BTC/USD")
const emptyTape = { exchange: "kraken", market: "BTC/USD", trades: [] }
const read = (client: Client["Service"], exchange: string) => client.call(Operations.trades, { exchange, market })

/** Yields once, after so many steps, so that an interruption happens at that point. */
class PausingAt extends MixedScheduler {
  #steps: number
  constructor(steps: number) {
    super()
    this.#steps = steps
  }
  override shouldYield() {
    return this.#steps-- === 0
  }
}

type Interrupted = <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<void>

/** Runs with a call that is interrupted before each of its steps in turn. */
const atEachStep = <E>(run: (interrupted: Interrupted, at: number) => Effect.Effect<void, E>) =>
  Effect.forEach(
    Array.from({ length: 250 }, (_, at) => at),
    (at) =>
      run((call) => {
        const pausing = Effect.provideService(call, Scheduler, new PausingAt(at))
        return Effect.flatMap(Effect.forkChild(pausing, { startImmediately: true }), Fiber.interrupt)
      }, at),
    { discard: true }
  )

describe("a call that is interrupted at any step", () => {
  it.effect("leaves its place in the queue to the next", () =>
    atEachStep((interrupted, at) =>
      Effect.gen(function* () {
        const { client } = yield* stubService(() =>
          json(emptyTape, 200, { "ratelimit-policy": '"default";q=10;w=1', ratelimit: '"default";r=1;t=1' })
        )
        yield* read(client, "first")
        yield* interrupted(read(client, "given up"))
        const next = yield* Effect.forkChild(read(client, "next"))
        yield* TestClock.adjust("1 second")
        assert.isDefined(next.pollUnsafe(), `before step ${at}`)
      })
    )
  )

  it.effect("leaves no request behind", () =>
    atEachStep((interrupted, at) =>
      Effect.gen(function* () {
        let underWay = 0
        const { client } = yield* stubService(() =>
          Effect.acquireUseRelease(
            Effect.sync(() => underWay++),
            () => Effect.never,
            () => Effect.sync(() => underWay--)
          )
        )
        yield* interrupted(read(client, "kraken"))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(underWay, 0, `before step ${at}`)
      })
    )
  )

  it.effect("returns its unused retry to the budget", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => problem(503, "overloaded", { retryAfterMs: 1000 }), {
        retry: { retryBudget: 1, retryRefund: 0 }
      })
      const fiber = yield* Effect.forkChild(read(client, "given up"))
      yield* TestClock.adjust("500 millis")
      yield* Fiber.interrupt(fiber)
      assert.lengthOf(requests, 1)
      const next = yield* Effect.forkChild(Effect.flip(read(client, "next")))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(next)
      assert.lengthOf(requests, 3)
    })
  )

  it.effect("never raises the budget above its limit", () =>
    Effect.gen(function* () {
      let up = false
      const { client, requests } = yield* stubService(
        () => (up ? json(emptyTape) : problem(503, "overloaded", { retryAfterMs: 1000 })),
        { retry: { retryBudget: 1, retryRefund: 1 } }
      )
      const fiber = yield* Effect.forkChild(read(client, "given up"))
      yield* TestClock.adjust("500 millis")
      up = true
      yield* read(client, "refills the budget")
      yield* Fiber.interrupt(fiber)
      up = false
      const before = requests.length
      const next = yield* Effect.forkChild(Effect.flip(read(client, "next")))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(next)
      assert.lengthOf(requests, before + 2)
    })
  )
})
