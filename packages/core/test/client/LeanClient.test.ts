import * as BlocksOperations from "@chaintape/core/api/BlocksOperations"
import * as Operations from "@chaintape/core/api/CexOperations"
import * as System from "@chaintape/core/api/SystemOperations"
import { Market } from "@chaintape/core/cex/Market"
import { call } from "@chaintape/core/client/Calls"
import * as LeanClient from "@chaintape/core/client/LeanClient"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { json, leanService, problem, stubService, unreachable } from "./StubService.ts"

const place = { exchange: "kraken", market: Market.make("BTC/USD") }
const noTrades = { exchange: "kraken", market: "BTC/USD", trades: [] }

describe("a lean client", () => {
  it.effect("goes on asking a service that is down, each call within its attempts", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* leanService(() => unreachable, { retry: { attempts: 1 } })
      for (const _ of Array.from({ length: 30 })) {
        assert.strictEqual((yield* Effect.flip(client.call(System.ping, {})))._tag, "TransportError")
      }
      assert.lengthOf(requests, 30)
    })
  )

  it.effect("sends a call at once, whatever is left of the budget of the key", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* leanService(() =>
        json(noTrades, 200, { "ratelimit-policy": '"default";q=10;w=10', ratelimit: '"default";r=0;t=10' })
      )
      for (const _ of Array.from({ length: 5 })) yield* client.call(Operations.trades, place)
      assert.lengthOf(requests, 5)
    })
  )

  it.effect("waits as long as a refusal for the pace asks for", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* leanService((count) =>
        count === 1 ? problem(429, "rate-limited", { retryAfterMs: 2000 }) : json(noTrades)
      )
      const fiber = yield* Effect.forkChild(client.call(Operations.trades, place))
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(
        requests.map(({ at }) => at),
        [0, 2000]
      )
    })
  )

  it.effect("sends equal reads as often as they are called, where another sends one", () =>
    Effect.gen(function* () {
      const sent = (make: typeof leanService) =>
        Effect.gen(function* () {
          const { client, requests } = yield* make(() => Effect.delay(json(noTrades), "1 second"))
          const read = client.call(Operations.trades, place)
          const fiber = yield* Effect.forkChild(Effect.all([read, read, read], { concurrency: "unbounded" }))
          yield* TestClock.adjust("1 second")
          yield* Fiber.join(fiber)
          return requests.length
        })
      assert.strictEqual(yield* sent(leanService), 3)
      assert.strictEqual(yield* sent(stubService), 1)
    })
  )

  it.effect("tells what the answer proves", () =>
    Effect.gen(function* () {
      const headers = { "chaintape-as-of": 'number=7, hash="0xab", finalized=?1', "x-request-id": "r-1" }
      const { client } = yield* leanService(() => json([], 200, headers))
      const { asOf, requestId } = yield* client.call(BlocksOperations.blocks, { blockchain: "ethereum" })
      assert.deepInclude(asOf, { value: { number: 7n, hash: "0xab", finalized: true, proven: false } })
      assert.deepInclude(requestId, { value: "r-1" })
    })
  )

  it.effect("is not made for an address that is none", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(leanService(() => unreachable, { baseUrl: "localhost" }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})

describe("LeanClient.layer", () => {
  const options = { baseUrl: "http://stub.test" }
  const layers = {
    layer: LeanClient.layer(options),
    layerNoDeps: LeanClient.layerNoDeps(options).pipe(Layer.provide(FetchHttpClient.layer))
  }

  it.effect.each(Object.entries(layers))("makes a client for the function of an operation: %s", ([, layer]) =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const fetch: typeof globalThis.fetch = async (input) => {
        urls.push(String(input))
        return Response.json({ ping: "pong", ip: "192.0.2.1" })
      }
      const { ip } = yield* call(System.ping)({}).pipe(
        Effect.provide(layer),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      assert.strictEqual(ip, "192.0.2.1")
      assert.deepStrictEqual(urls, ["http://stub.test/ping"])
    })
  )
})
