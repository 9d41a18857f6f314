import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import * as Operations from "../../../src/api/CexOperations.ts"
import * as Dex from "../../../src/api/DexOperations.ts"
import { Market } from "../../../src/cex/Market.ts"
import * as AnswerCache from "../../../src/client/AnswerCache.ts"
import { Client } from "../../../src/client/Client.ts"
import { type Behaviour, json, stubService, unreachable } from "../StubService.ts"

const market = Market.make("BTC/USD")
const emptyTape = { exchange: "kraken", market: "BTC/USD", trades: [] }
const read = (client: Client["Service"], exchange: string) => client.call(Operations.trades, { exchange, market })

const noon = 1_800_000_000_000
const hour = 3_600_000

/** A service with a large budget, whose responses take a second. */
const roomy: Behaviour = () =>
  Effect.delay(
    json(emptyTape, 200, { "ratelimit-policy": '"default";q=300;w=3', ratelimit: '"default";r=299;t=1' }),
    "1 second"
  )

/** Waits for a call, and returns its result. */
const ended = <A, E extends { readonly _tag: string }>(call: Effect.Effect<A, E>, time: "0 seconds" | "1 second") =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.match(call, { onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })
    )
    yield* TestClock.adjust(time)
    return fiber.pollUnsafe() === undefined ? "waiting" : yield* Fiber.join(fiber)
  })

describe("a clock that is set back by an hour", () => {
  it.effect("does not reduce the budget of the key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const { client } = yield* stubService(roomy)
      assert.strictEqual(yield* ended(read(client, "before"), "1 second"), "good")
      yield* TestClock.setTime(noon - hour)
      assert.strictEqual(yield* ended(read(client, "after"), "1 second"), "good")
    })
  )

  it.effect("does not delay the deadline of a call", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const isSetBack = yield* Deferred.make<void>()
      const { client, requests } = yield* stubService((count) =>
        count === 1 ? Effect.andThen(Deferred.await(isSetBack), unreachable) : Effect.never
      )
      const fiber = yield* Effect.forkChild(Effect.flip(read(client, "kraken")))
      yield* TestClock.adjust("0 seconds")
      yield* TestClock.setTime(noon - hour)
      yield* Deferred.succeed(isSetBack, undefined)
      yield* TestClock.adjust("45 seconds")
      assert.deepInclude(fiber.pollUnsafe(), { _tag: "Success" })
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "RequestTimeout", limit: "deadline" })
      assert.lengthOf(requests, 4)
    })
  )

  it.effect("does not make a cached response fresh again", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const { client: direct, requests } = yield* stubService(() => json([], 200, { "cache-control": "max-age=10" }))
      const layer = AnswerCache.layer().pipe(Layer.provide(Layer.succeed(Client, direct)))
      const { call } = yield* Effect.provide(Client, layer)
      yield* call(Dex.blockchains, { exchange: "any" })
      yield* TestClock.setTime(noon - hour)
      yield* call(Dex.blockchains, { exchange: "any" })
      assert.lengthOf(requests, 2)
    })
  )
})
