import { afterEach, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { readFaults, SandboxPresence, setFaults } from "../../src/service/Sandbox.ts"

const globals = globalThis as unknown as { window?: { readonly fetch: () => Promise<Response> } }

const answer = (status: number, body: string) => {
  globals.window = { fetch: () => Promise.resolve(new Response(body, { status })) }
}

afterEach(() => {
  delete globals.window
})

describe("the faults of the sandbox", () => {
  it.effect("are read again after an error of the service", () =>
    Effect.gen(function* () {
      answer(503, JSON.stringify({ type: "/problems/overloaded", status: 503, detail: "The service is starting." }))
      assert.strictEqual((yield* Effect.flip(readFaults)).message, "The service is starting.")
      answer(502, "<p>Bad gateway</p>")
      assert.strictEqual((yield* Effect.flip(readFaults)).message, "The service answered with status 502.")
      answer(200, JSON.stringify({ faults: [] }))
      assert.deepStrictEqual(yield* readFaults, { faults: [] })
    }).pipe(Effect.provide(SandboxPresence.layer))
  )

  it.effect("are not read again by the session that got 404, only by the next one", () =>
    Effect.gen(function* () {
      const readTwice = Effect.gen(function* () {
        answer(404, "")
        assert.isNull(yield* readFaults)
        answer(200, JSON.stringify({ faults: [] }))
        assert.isNull(yield* readFaults)
      })
      yield* Effect.provide(readTwice, SandboxPresence.layer)
      assert.deepStrictEqual(yield* Effect.provide(readFaults, SandboxPresence.layer), { faults: [] })
    })
  )
})

describe("an order to the sandbox", () => {
  it.effect("waits longer for its response than the service for that of the sandbox", () =>
    Effect.gen(function* () {
      globals.window = { fetch: () => new Promise(() => {}) }
      const order = yield* Effect.forkChild(Effect.flip(setFaults("key", [])))
      yield* TestClock.adjust("20 seconds")
      assert.isUndefined(order.pollUnsafe())
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(order)).message, "The service does not answer.")
    })
  )
})
