import { randomBytes } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { budgetHeaderNames, budgetHeaders, toPolicyHeader } from "../../../src/auth/limits/BudgetHeaders.ts"
import { CachedResponse, ResponseCache } from "../../../src/http/cache/ResponseCache.ts"
import { RequestContext } from "../../../src/http/request/RequestContext.ts"
import type { Coding } from "../../../src/http/response/Compression.ts"

const route = {
  template: "/v2/cex/:exchange",
  operation: { group: "cex", name: "exchange", requiresApiKey: true }
}

const response = (body: string, isCurrent = () => true, bytes = body.length): CachedResponse =>
  new CachedResponse({ isCurrent }, route, {}, body, bytes)

/** Resolves `encoded` when the cache knows the encoded body. */
class AwaitedResponse extends CachedResponse {
  readonly #done = Promise.withResolvers<void>()
  readonly encoded = this.#done.promise

  override countEncoded(coding: Coding, onEncoded: () => void): void {
    super.countEncoded(coding, () => {
      onEncoded()
      this.#done.resolve()
    })
  }
}

const toText = (found: CachedResponse | undefined) =>
  found?.select({ acceptEncoding: undefined, ifNoneMatch: undefined })?.body

const megabytes = (count: number) => count * 1024 * 1024

describe("cached responses", () => {
  it.effect("are found by their request while they are current, and for at most ten seconds", () =>
    Effect.gen(function* () {
      const { find, put } = yield* ResponseCache
      let isCurrent = true
      put(
        "/a",
        response("1", () => isCurrent)
      )
      put("/b", response("2"))
      assert.deepStrictEqual([toText(find("/a")), toText(find("/b")), find("/c")], ["1", "2", undefined])
      isCurrent = false
      assert.isUndefined(find("/a"))
      // An entry that was invalid once is gone.
      isCurrent = true
      assert.isUndefined(find("/a"))
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(toText(find("/b")), "2")
      yield* TestClock.adjust("1 millis")
      assert.isUndefined(find("/b"))
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("hold no header of the request that they were made for", () =>
    Effect.gen(function* () {
      const { find, store } = yield* ResponseCache
      const key = { name: "default", quota: 300, windowMs: 3000 }
      const budgets = budgetHeaders(toPolicyHeader([key]), [{ ...key, remaining: 299, waitMs: 10 }])
      assert.sameMembers(Object.keys(budgets), [...budgetHeaderNames])
      const context = new RequestContext("/v2/cex/sandbox", "of-this-request")
      context.cacheable = { isCurrent: () => true }
      const whole = HttpServerResponse.text("1", {
        headers: { ...budgets, "x-request-id": context.id, "chaintape-source": "record" }
      })
      const sent = HttpServerResponse.setHeader(whole, "content-length", "1")
      store(context, sent, sent)
      const stored = Object.keys(find("/v2/cex/sandbox")?.headers ?? {})
      assert.sameMembers(stored, ["chaintape-source", "content-length", "content-type"])
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("are not evicted by age if they never expire, only by size", () =>
    Effect.gen(function* () {
      const { find, put } = yield* ResponseCache
      put("/a", new CachedResponse({ isCurrent: () => true, neverExpires: true }, route, {}, "1", 1))
      yield* TestClock.adjust("1 day")
      assert.strictEqual(toText(find("/a")), "1")
      for (let at = 0; at < 8; at++) put(`/${at}`, response("2", undefined, megabytes(8)))
      assert.isUndefined(find("/a"))
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("take at most 48 MB: the least recently used one is evicted first", () =>
    Effect.gen(function* () {
      const { find, put } = yield* ResponseCache
      const toBodies = (places: ReadonlyArray<string>) => places.map((place) => toText(find(`/${place}`)))
      const all = ["a", "b", "c", "d", "e", "f"]
      for (const name of all) put(`/${name}`, response(name, undefined, megabytes(8)))
      assert.strictEqual(toText(find("/a")), "a")
      put("/i", response("i", undefined, megabytes(8)))
      assert.deepStrictEqual(toBodies(["b", "a", "c", "i"]), [undefined, "a", "c", "i"])
      // Replacing itself takes no further room.
      for (let again = 0; again < 10; again++) put("/i", response("I", undefined, megabytes(8)))
      assert.deepStrictEqual(toBodies(["a", ...all.slice(2), "i"]), ["a", ...all.slice(2), "I"])
      // An entry that would evict all others is not stored.
      put("/i", response("huge", undefined, megabytes(8) + 1))
      assert.deepStrictEqual(toBodies(["a", ...all.slice(2), "i"]), ["a", ...all.slice(2), undefined])
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect("take at most 48 MB with their compressed forms", () =>
    Effect.gen(function* () {
      const { find, put, store } = yield* ResponseCache
      for (const name of ["a", "b", "c", "d", "e"]) put(`/${name}`, response(name, undefined, megabytes(8)))
      const body = randomBytes(megabytes(6))
      const large = new AwaitedResponse({ isCurrent: () => true }, route, {}, [body], body.length)
      put("/large", large)
      assert.strictEqual(toText(find("/a")), "a")
      const context = new RequestContext("/large", "of-this-request")
      context.cacheable = large.cacheable
      const sent = HttpServerResponse.empty({ status: 200, headers: { "content-encoding": "gzip" } })
      for (let client = 0; client < 2; client++) store(context, sent, sent)
      yield* Effect.promise(() => large.encoded)
      assert.isAbove(large.storedBytes, megabytes(11))
      const texts = ["a", "b", "c", "d", "e"].map((name) => toText(find(`/${name}`)))
      assert.deepStrictEqual(texts, ["a", undefined, "c", "d", "e"])
      assert.strictEqual(find("/large"), large)
    }).pipe(Effect.provide(ResponseCache.layer))
  )

  it.effect.prop(
    "are the most recently stored ones within the size limit",
    [
      Schema.Array(
        Schema.Struct({
          place: Schema.Literals(["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/i", "/j"]),
          isPut: Schema.Boolean,
          bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: megabytes(9) }))
        })
      )
    ],
    ([steps]) =>
      Effect.gen(function* () {
        const { find, put } = yield* ResponseCache
        const last = new Map<string, CachedResponse>()
        for (const { bytes, isPut, place } of steps) {
          if (isPut) {
            const one = response(place, undefined, bytes)
            last.set(place, one)
            put(place, one)
          }
          const found = find(place)
          if (isPut) assert.strictEqual(found !== undefined, bytes <= megabytes(8))
          if (found !== undefined) assert.strictEqual(found, last.get(place))
          const held = [...last.keys()].reduce((sum, one) => sum + (find(one)?.bytes ?? 0), 0)
          assert.isAtMost(held, megabytes(48))
        }
      }).pipe(Effect.provide(ResponseCache.layer))
  )
})
