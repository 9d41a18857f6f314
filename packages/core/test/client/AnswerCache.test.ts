import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import * as Operations from "../../src/api/DexOperations.ts"
import * as AnswerCache from "../../src/client/AnswerCache.ts"
import { Client, type ClientOptions } from "../../src/client/Client.ts"
import { type Behaviour, json, problem, type SeenRequest, stubService } from "./StubService.ts"

type Service = Client["Service"]

/** A client of a stub, the same client with a cache, and the requests that reached the stub. */
const cached = (
  behaviour: Behaviour,
  options: AnswerCache.AnswerCacheOptions = {},
  clientOptions: Partial<ClientOptions> = {}
) =>
  Effect.gen(function* () {
    const { client: direct, requests } = yield* stubService(behaviour, { retry: { attempts: 1 }, ...clientOptions })
    const layer = AnswerCache.layer(options).pipe(Layer.provide(Layer.succeed(Client, direct)))
    return { client: yield* Effect.provide(Client, layer), direct, requests }
  })

const list = (name: string) => [{ id: name, name }]
const idOf = (request: SeenRequest) => request.url.pathname.split("/")[3] ?? ""

/** Responds as the service does: with an entity tag, and with 304 to who has it. */
const tagged = (request: SeenRequest, name: string, cacheControl?: string, headers: Record<string, string> = {}) => {
  const all = {
    ...headers,
    etag: `"${name}"`,
    ...(cacheControl === undefined ? {} : { "cache-control": cacheControl })
  }
  return request.headers["if-none-match"] === all.etag
    ? Effect.sync(() => new Response(null, { status: 304, headers: all }))
    : json(list(name), 200, all)
}

const immutable = "private, max-age=31536000, immutable"

/** The observable result of a read: the id in its response, or the tag of its error. */
const shown = (client: Service, exchange = "any") =>
  client
    .call(Operations.blockchains, { exchange })
    .pipe(Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ value }) => value.map(({ id }) => id).join() }))

/** A service that is correct: the lifetime of a response depends on the id, and the response on the id and the time. */
const truthful: Behaviour = (_, request) => {
  const id = idOf(request)
  const period = 7000
  const turn = Math.floor(request.at / period)
  const headers = { "x-request-id": String(request.at), "chaintape-as-of": `number=${turn}, hash="0x", finalized=?1` }
  const left = Math.floor((period - (request.at % period)) / 1000)
  if (id === "forever") return tagged(request, id, immutable, { "chaintape-source": "index" })
  if (id === "aging") return tagged(request, `${id}${turn}`, `private, max-age=${left}`, headers)
  if (id === "asked") return tagged(request, `${id}${turn}`, "private, no-cache", headers)
  if (id === "silent") return tagged(request, `${id}${turn}`, undefined, headers)
  if (id === "unkept") return tagged(request, `${id}${request.at}`, "no-store, max-age=60", headers)
  if (id === "untagged") return json(list(`${id}${request.at}`), 200, headers)
  return turn % 2 === 0 ? problem(503, "not-ready", { retryAfterMs: 1 }) : tagged(request, id, "no-cache", headers)
}
const ids = ["forever", "aging", "asked", "silent", "unkept", "untagged", "failing"] as const

const below = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))
const Reads = Schema.Array(Schema.Struct({ id: Schema.Literals(ids), after: below(9000) })).check(
  Schema.isMaxLength(40)
)

/** Everything in a response that does not belong to its request alone. */
const readResult = (client: Service, exchange: string) =>
  client.call(Operations.blockchains, { exchange }).pipe(
    Effect.map(({ asOf, coverage, source, value }) => ({ value, asOf, coverage, source })),
    Effect.result
  )

describe("the cache of answers", () => {
  it.effect.prop(
    "gives any sequence of reads the same answers as without a cache",
    [Reads, below(8), below(120)],
    ([reads, entries, bytes]) =>
      Effect.gen(function* () {
        const { client, direct } = yield* cached(truthful, { entries, bytes }, { retry: { attempts: 1 } })
        for (const { after, id } of reads) {
          yield* TestClock.adjust(Duration.millis(after))
          assert.deepStrictEqual(yield* readResult(client, id), yield* readResult(direct, id))
        }
      })
  )

  it.effect("does not request an immutable response again, and omits the headers of the request", () =>
    Effect.gen(function* () {
      const headers = { "x-request-id": "r-1", "ratelimit-remaining": "9", "chaintape-source": "index" }
      const { client, requests } = yield* cached((_, request) => tagged(request, "a", immutable, headers))
      const first = yield* client.call(Operations.blockchains, { exchange: "any" })
      yield* TestClock.adjust("200 days")
      const second = yield* client.call(Operations.blockchains, { exchange: "any" })
      assert.lengthOf(requests, 1)
      assert.deepStrictEqual(first.requestId, Option.some("r-1"))
      assert.deepStrictEqual(second, { ...first, requestId: Option.none(), remaining: Option.none() })
    })
  )

  it.effect("revalidates a response with its ETag, and takes the headers of the 304", () =>
    Effect.gen(function* () {
      let number = 0
      const { client, requests } = yield* cached((_, request) => {
        number += 1
        return tagged(request, "a", "private, no-cache", {
          "x-request-id": `r-${number}`,
          "chaintape-as-of": `number=${number}, hash="0x", finalized=?0`
        })
      })
      yield* client.call(Operations.blockchains, { exchange: "any" })
      const { asOf, requestId, value } = yield* client.call(Operations.blockchains, { exchange: "any" })
      assert.deepStrictEqual(
        requests.map((request) => request.headers["if-none-match"]),
        [undefined, '"a"']
      )
      assert.deepStrictEqual(
        value.map(({ id }) => id),
        ["a"]
      )
      assert.deepStrictEqual(
        Option.map(asOf, (block) => block.number),
        Option.some(2n)
      )
      assert.deepStrictEqual(requestId, Option.some("r-2"))
    })
  )

  it.effect.each([
    ["max-age=10", 9999, 1],
    ["max-age=10", 10_000, 2],
    ["max-age=10, immutable", 10_000, 2],
    ["immutable", 10_000_000_000, 1],
    ["max-age=10, no-cache", 1, 2],
    ["max-age=0", 0, 2],
    ["max-age=ten", 0, 2],
    ['MAX-AGE="10"', 9999, 1]
  ] as const)("takes %s after %i ms for %i requests", ([cacheControl, after, count]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((_, request) => tagged(request, "a", cacheControl))
      assert.strictEqual(yield* shown(client), "a")
      yield* TestClock.adjust(Duration.millis(after))
      assert.strictEqual(yield* shown(client), "a")
      assert.lengthOf(requests, count)
    })
  )

  it.effect("caches a confirmed response for its new max-age", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((_, request) => tagged(request, "a", "max-age=10"))
      for (const after of [0, 9, 1, 9, 1]) {
        yield* TestClock.adjust(Duration.seconds(after))
        assert.strictEqual(yield* shown(client), "a")
      }
      assert.deepStrictEqual(
        requests.map(({ at }) => at),
        [0, 10_000, 20_000]
      )
    })
  )

  it.effect("counts the Age header of a response and the duration of its request", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((_, request) =>
        Effect.delay(tagged(request, "a", "max-age=10", { age: "4" }), "3 seconds")
      )
      const first = yield* Effect.forkChild(shown(client))
      yield* TestClock.adjust("5999 millis")
      yield* Fiber.join(first)
      yield* shown(client)
      assert.lengthOf(requests, 1)
      yield* TestClock.adjust("1 millis")
      const second = yield* Effect.forkChild(shown(client))
      yield* TestClock.adjust("3 seconds")
      yield* Fiber.join(second)
      assert.lengthOf(requests, 2)
    })
  )

  it.effect("holds the most recently used entries, up to the limit", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((_, request) => tagged(request, idOf(request), immutable), {
        entries: 2
      })
      for (const id of ["a", "b", "a", "c", "a", "b"]) assert.strictEqual(yield* shown(client, id), id)
      assert.deepStrictEqual(requests.map(idOf), ["a", "b", "c", "b"])
    })
  )

  it.effect("holds at most its bytes, and a larger response evicts no entry", () =>
    Effect.gen(function* () {
      const size = JSON.stringify(list("a")).length
      const name = (request: SeenRequest) => decodeURIComponent(idOf(request))
      const { client, requests } = yield* cached((_, request) => tagged(request, name(request), immutable), {
        bytes: 2 * size
      })
      for (const id of ["a", "b", "long".repeat(size), "a", "b", "c", "b", "a"]) yield* shown(client, id)
      // A response with as many characters, and more bytes.
      for (const id of ["é", "a"]) yield* shown(client, id)
      assert.deepStrictEqual(
        requests.map((request) => name(request).slice(0, 1)),
        ["a", "b", "l", "c", "a", "é", "a"]
      )
    })
  )

  it.effect("removes a response that the service marks as no-store", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((count, request) =>
        tagged(request, `a${count}`, count === 2 ? "no-store" : "no-cache")
      )
      for (const count of [1, 2, 3]) assert.strictEqual(yield* shown(client), `a${count}`)
      assert.deepStrictEqual(
        requests.map((request) => request.headers["if-none-match"]),
        [undefined, '"a1"', undefined]
      )
    })
  )

  it.effect.each([
    ['"b"', 3],
    ['W/"a"', 2]
  ] as const)("repeats a request if the 304 has the ETag %s instead of its own", ([etag, count]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((number, request) =>
        request.headers["if-none-match"] === undefined
          ? tagged(request, number < 2 ? "a" : "b", "no-cache")
          : Effect.sync(() => new Response(null, { status: 304, headers: { etag } }))
      )
      assert.strictEqual(yield* shown(client), "a")
      assert.strictEqual(yield* shown(client), count === 3 ? "b" : "a")
      assert.deepStrictEqual(
        requests.map((request) => request.headers["if-none-match"]),
        [undefined, '"a"', undefined].slice(0, count)
      )
    })
  )

  it.effect("makes one request of equal reads at the same time", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* cached((_, request) =>
        Effect.delay(tagged(request, "a", "no-cache"), "1 second")
      )
      const reads = Effect.all([shown(client), shown(client), shown(client)], { concurrency: "unbounded" })
      for (const count of [1, 2]) {
        const fiber = yield* Effect.forkChild(reads)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* Fiber.join(fiber), ["a", "a", "a"])
        assert.lengthOf(requests, count)
      }
    })
  )

  it.effect("hides a 304 from a caller that bypasses the cache", () =>
    Effect.gen(function* () {
      const { client, direct } = yield* cached((_, request) =>
        Effect.delay(tagged(request, "a", "no-cache"), "1 second")
      )
      const reads = Effect.all([shown(client), shown(direct)], { concurrency: "unbounded" })
      for (const _ of [1, 2]) {
        const fiber = yield* Effect.forkChild(reads)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* Fiber.join(fiber), ["a", "a"])
      }
    })
  )

  it.effect("never holds the key, also where a service sends it back", () =>
    Effect.gen(function* () {
      const apiKey = Redacted.make("canary-7f3a")
      const { client, requests } = yield* cached(
        (_, request) => tagged(request, "a", immutable, { "x-echo": request.url.href }),
        {},
        { apiKey, apiKeyLocation: "both" }
      )
      const first = yield* client.call(Operations.blockchains, { exchange: "any" })
      const second = yield* client.call(Operations.blockchains, { exchange: "any" })
      assert.lengthOf(requests, 1)
      assert.include(requests[0]?.url.href, "canary-7f3a")
      assert.notInclude(inspect([first, second, client], { depth: 20, showHidden: true }), "canary-7f3a")
    })
  )
})
