import { Blocks } from "@chaintape/blocks"
import { Cex } from "@chaintape/cex"
import { AnswerCache, Client } from "@chaintape/core"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { key, RunningService } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"

/** Clients of the running service with one cache, and the status of each response that reached it. */
const behindCache = Effect.gen(function* () {
  const { origin } = yield* RunningService
  const statuses: Array<number> = []
  const http = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.tap(({ status }) => Effect.sync(() => statuses.push(status)))
    )
  ).pipe(Layer.provide(FetchHttpClient.layer))
  const client = AnswerCache.layer().pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: origin, apiKey: Redacted.make(key) })),
    Layer.provide(http)
  )
  const built = yield* Layer.build(Layer.merge(Blocks.layerNoDeps, Cex.layerNoDeps).pipe(Layer.provide(client)))
  const [blocks, cex] = yield* Effect.all([Blocks, Cex]).pipe(Effect.provideContext(built))
  return { blocks, cex, statuses }
})

/** Block n has the time 1,000 + 12 n; 218 of 250 are final. */
const getTime = (block: number) => DateTime.makeUnsafe((1000 + 12 * block) * 1000)

describe("the cache of answers before the service", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect("asks once for a window of finalized blocks", () =>
      Effect.gen(function* () {
        const { blocks, statuses } = yield* behindCache
        const closed = { blockchain: "synthetic", from: getTime(3), to: getTime(9) }
        const first = yield* blocks.withResponse.blocks(closed)
        const second = yield* blocks.withResponse.blocks(closed)
        assert.deepStrictEqual(statuses, [200])
        assert.strictEqual(first.value.length, 7)
        assert.deepStrictEqual(second, {
          ...first,
          requestId: Option.none(),
          remaining: Option.none(),
          resetAfterMs: Option.none()
        })
      })
    )

    it.effect("asks again for an open window, and gets no second body while nothing has changed", () =>
      Effect.gen(function* () {
        const { blocks, statuses } = yield* behindCache
        const first = yield* blocks.withResponse.blocks({ blockchain: "synthetic", limit: 5 })
        const second = yield* blocks.withResponse.blocks({ blockchain: "synthetic", limit: 5 })
        assert.deepStrictEqual(statuses, [200, 304])
        assert.deepStrictEqual([second.value, second.asOf], [first.value, first.asOf])
        assert.isTrue(Option.isSome(second.requestId))
        assert.notDeepEqual(second.requestId, first.requestId)
      })
    )

    it.effect("also revalidates the list of exchanges", () =>
      Effect.gen(function* () {
        const { cex, statuses } = yield* behindCache
        const first = yield* cex.exchanges({})
        assert.deepStrictEqual(yield* cex.exchanges({}), first)
        assert.deepStrictEqual(statuses, [200, 304])
      })
    )

    it.effect("does not cache problems", () =>
      Effect.gen(function* () {
        const { cex, statuses } = yield* behindCache
        for (const _ of [1, 2]) {
          const error = yield* Effect.flip(cex.exchange({ exchange: "nowhere" }))
          assert.strictEqual(error._tag, "ExchangeNotFound")
        }
        assert.deepStrictEqual(statuses, [404, 404])
      })
    )
  })
})
