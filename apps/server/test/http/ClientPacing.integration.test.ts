import * as Operations from "@chaintape/core/api/CexOperations"
import { Client } from "@chaintape/core/client/Client"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { generous, key, RunningService } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"

const bucket = { burst: 50, perSecond: 10 }
const calls = 90

/** Each a separate request, for an exchange that does not exist. */
const asked = Effect.fnUntraced(function* (retry: { readonly attempts: number; readonly paced: boolean }) {
  const { origin } = yield* RunningService
  const client = yield* Client.pipe(
    Effect.provide(Client.layer({ baseUrl: origin, apiKey: Redacted.make(key), retry }))
  )
  // Before the first response the budget is unknown: a client sends up to 100 units then, more than this bucket has.
  yield* Effect.exit(client.call(Operations.exchange, { exchange: "none" }))
  const begin = yield* Clock.currentTimeMillis
  const tags = yield* Effect.all(
    Array.from({ length: calls }, (_, index) =>
      Effect.match(client.call(Operations.exchange, { exchange: `none-${index}` }), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: () => "good"
      })
    ),
    { concurrency: "unbounded" }
  )
  return { tags, took: (yield* Clock.currentTimeMillis) - begin }
})

describe("90 calls at once on a key that may make 50 and 10 a second", () => {
  layer(stubbedService({ ...generous, plans: { default: bucket } }), { excludeTestServices: true })((it) => {
    it.effect("are all answered by a client that has heard of the budget and keeps the pace, each in one attempt", () =>
      Effect.gen(function* () {
        const { tags, took } = yield* asked({ attempts: 1, paced: true })
        assert.deepStrictEqual([...new Set(tags)], ["ExchangeNotFound"])
        // Units beyond the bucket have to be refilled.
        assert.isAtLeast(took, ((calls - bucket.burst) / bucket.perSecond) * 1000)
      })
    )

    it.effect("are refused in part without it", () =>
      Effect.gen(function* () {
        const { tags } = yield* asked({ attempts: 1, paced: false })
        assert.include(tags, "RateLimited")
      })
    )
  })
})
