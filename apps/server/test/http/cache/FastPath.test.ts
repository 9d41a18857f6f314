import { ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Layer, Option } from "effect"
import { CallerAddress } from "../../../src/auth/CallerAddress.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { Admissions } from "../../../src/auth/limits/Admissions.ts"
import { UnauthenticatedRequests } from "../../../src/auth/limits/UnauthenticatedRequests.ts"
import { FastPath, layerFromCache } from "../../../src/http/cache/FastPath.ts"
import { CachedResponse, ResponseCache } from "../../../src/http/cache/ResponseCache.ts"
import { ContextualRequest } from "../../../src/http/request/RequestContext.ts"
import { LoadShedder, standardCapacity } from "../../../src/http/socket/LoadShedder.ts"
import { makeSlots } from "../../../src/internal/concurrency/Slots.ts"

const path = "/v2/cex/sandbox"
const route = { template: "/v2/cex/:exchange", operation: { group: "cex", name: "exchange", requiresApiKey: true } }

const caller = { id: "key", scopes: undefined, plan: undefined }

const keys = Layer.mock(ApiKeys, { verify: () => Effect.succeed(Option.some(caller)), recall: () => caller })

const addresses = Layer.succeed(CallerAddress, { of: () => "127.0.0.1", behind: () => "127.0.0.1" })

const unauthenticated = (isSuspect: boolean) =>
  Layer.mock(UnauthenticatedRequests, { isSuspect: () => Effect.succeed(isSuspect) })

const failing = Layer.mock(Admissions, {
  tryAdmit: () => {
    throw new Error("a defect of the limits")
  }
})

const shedder = LoadShedder.layer({ ...standardCapacity, waiting: 2 })

const makeRequest = () => {
  const request = new ContextualRequest(new Socket())
  request.method = "GET"
  request.url = path
  request.httpVersion = "1.1"
  request.headers = { host: "x", "api-key": "a key" }
  return request
}

describe("an answer from the cache that fails after it took a slot", () => {
  it.effect("is passed on to the full pipeline, and the slot is free at the end of the response", () =>
    Effect.gen(function* () {
      const slots = makeSlots(1)
      const { put } = yield* ResponseCache
      put(path, new CachedResponse({ isCurrent: () => true, acquire: slots.take }, route, {}, "{}", 2))
      const { serve } = yield* FastPath
      const request = makeRequest()
      const response = new ServerResponse(request)
      assert.strictEqual(
        serve(request, response, () => {}),
        "passed"
      )
      response.emit("close")
      assert.strictEqual(slots.taken(), 0)
    }).pipe(
      Effect.provide(
        layerFromCache.pipe(
          Layer.provideMerge(
            Layer.mergeAll(
              ResponseCache.layer,
              FastPath.layer,
              keys,
              addresses,
              failing,
              unauthenticated(false),
              shedder
            )
          )
        )
      )
    )
  )
})

describe("a request with a key that is not known yet", () => {
  it.effect.each([
    [true, 0],
    [false, 1]
  ] as const)("is looked up here only if its address did not send many wrong keys: %s", ([isExhausted, lookups]) => {
    let found = 0
    const unknown = Layer.mock(ApiKeys, {
      verify: () =>
        Effect.sync(() => {
          found++
          return Option.none()
        }),
      recall: () => undefined
    })
    return Effect.gen(function* () {
      const { put } = yield* ResponseCache
      put(path, new CachedResponse({ isCurrent: () => true }, route, {}, "{}", 2))
      const { serve } = yield* FastPath
      const request = makeRequest()
      serve(request, new ServerResponse(request), () => {})
      assert.strictEqual(found, lookups)
    }).pipe(
      Effect.provide(
        layerFromCache.pipe(
          Layer.provideMerge(
            Layer.mergeAll(
              ResponseCache.layer,
              FastPath.layer,
              unknown,
              addresses,
              failing,
              unauthenticated(isExhausted),
              shedder
            )
          )
        )
      )
    )
  })
})

describe("a request that waits here", () => {
  const looksUp = (end: Deferred.Deferred<undefined>) =>
    Layer.merge(
      Layer.mock(ApiKeys, {
        verify: () => Effect.as(Deferred.await(end), Option.none()),
        recall: () => undefined
      }),
      failing
    )
  const asksLimits = (end: Deferred.Deferred<undefined>) =>
    Layer.merge(keys, Layer.mock(Admissions, { tryAdmit: () => ({ _tag: "Async", admission: Deferred.await(end) }) }))

  it.effect.each([
    ["for the lookup of its key", looksUp],
    ["for the limits in Redis", asksLimits]
  ] as const)("is one of those that may wait: %s", ([, toMocks]) =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<undefined>()
      const services = Layer.mergeAll(ResponseCache.layer, FastPath.layer, addresses, unauthenticated(false), shedder)
      const context = yield* Layer.build(layerFromCache.pipe(Layer.provideMerge(Layer.merge(services, toMocks(end)))))
      const { put } = Context.get(context, ResponseCache)
      const { serve } = Context.get(context, FastPath)
      const { refusalReason } = Context.get(context, LoadShedder)
      put(path, new CachedResponse({ isCurrent: () => true }, route, {}, "{}", 2))
      let passed = 0
      const wait = () => {
        const request = makeRequest()
        assert.strictEqual(
          serve(request, new ServerResponse(request), () => void passed++),
          "pending"
        )
      }
      wait()
      assert.isUndefined(refusalReason())
      wait()
      assert.strictEqual(refusalReason(), "2 requests are waiting already: try again in a second.")
      yield* Deferred.succeed(end, undefined)
      yield* Effect.yieldNow
      assert.strictEqual(passed, 2)
      assert.isUndefined(refusalReason())
    })
  )
})
