import { ChaintapeError, type ClientOptions, TransportError } from "@chaintape/core"
import { createClient } from "@chaintape/core/promise"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Operations from "../../src/api/CexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { json, problem, stubService } from "./StubService.ts"

describe("the hooks of a client", () => {
  it.effect("are called for each attempt, with the address and without the key", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, object]> = []
      const hooks: Partial<ClientOptions> = {
        onRequest: (event) => seen.push(["request", event]),
        onResponse: (event) => seen.push(["response", event]),
        onRetry: ({ error, ...event }) => seen.push(["retry", { ...event, tag: error._tag }])
      }
      const { client } = yield* stubService(
        (count) => (count === 1 ? problem(503, "overloaded", { retryAfterMs: 1000 }) : json([])),
        {
          ...hooks,
          apiKey: Redacted.make("canary"),
          apiKeyLocation: "both"
        }
      )
      const fiber = yield* Effect.forkChild(client.call(Operations.exchanges, {}))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      const event = { operation: "cex.exchanges", url: "http://stub.test/v2/cex/exchanges" }
      assert.deepStrictEqual(
        seen.map(([kind]) => kind),
        ["request", "response", "retry", "request", "response"]
      )
      assert.deepStrictEqual(seen[0]?.[1], { ...event, attempt: 1 })
      assert.deepInclude(seen[1]?.[1], { ...event, attempt: 1, status: 503 })
      assert.deepInclude(seen[2]?.[1], { ...event, attempt: 1 })
      assert.deepStrictEqual(seen[3]?.[1], { ...event, attempt: 2 })
      assert.notInclude(JSON.stringify(seen), "canary")
    })
  )

  it.each(["onRequest", "onResponse", "onRetry"])("are refused where %s is no function", (name) => {
    assert.throws(() => createClient({ baseUrl: "http://stub.test", [name]: "log" }), TypeError, `${name} is "log"`)
  })
})

const refuse: typeof globalThis.fetch = async () => {
  throw new TypeError("fetch failed")
}

describe("an error", () => {
  it.effect("names the address without the key and the password", () =>
    Effect.gen(function* () {
      const { client } = yield* stubService(() => Effect.never, {
        baseUrl: "http://me:secret@stub.test/tape/",
        apiKey: Redacted.make("canary"),
        apiKeyLocation: "query",
        retry: { attempts: 1 }
      })
      const market = Market.make("BTC/USD")
      const fiber = yield* Effect.forkChild(
        Effect.flip(client.call(Operations.trades, { exchange: "a", market, limit: 5 }))
      )
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(fiber)
      assert.include(error.message, "http://stub.test/tape/v2/cex/a/BTC-USD/trades?limit=5 ")
      assert.notMatch(error.message, /canary|secret/)
    })
  )

  it("is a ChaintapeError, whatever its kind, and has the frame of its caller", async () => {
    const chaintape = createClient({ baseUrl: "http://stub.test", retry: { attempts: 1 }, fetch: refuse })
    const error = await chaintape.cex.exchanges().then(
      () => undefined,
      (error: unknown) => error
    )
    assert.isTrue(error instanceof ChaintapeError)
    assert.instanceOf(error, TransportError)
    assert.match(String(error instanceof Error ? error.stack : ""), /^TransportError: .*\n.*Hooks\.test\.ts/)
    const wrong = await chaintape.cex.exchange({ exchange: "" }).then(
      () => undefined,
      (error: unknown) => error
    )
    assert.isTrue(wrong instanceof ChaintapeError)
    assert.isFalse(new TypeError("mine") instanceof ChaintapeError)
  })
})
