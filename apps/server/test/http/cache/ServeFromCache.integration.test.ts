import { once } from "node:events"
import { get } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import { connect } from "node:net"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Random, Redacted, Schedule, Schema, Scope } from "effect"
import { RedisLink } from "../../../src/store/RedisLink.ts"
import { cutLink } from "../../auth/limits/CutLink.ts"
import type { Call, Reply } from "../../HttpCall.ts"
import { raw } from "../../HttpCall.ts"
import {
  generous,
  key,
  keyed,
  limitedKey,
  metrics,
  plain,
  RunningService,
  unusableKeys,
  wellFormedKey
} from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { assertProblem } from "../response/Problem.ts"

/** The paths whose responses are cached. */
const cachedPaths = ["/v2/cex/exchanges", "/v2/cex/stub", "/v2/cex/kraken"]

const changing = ["date", "x-request-id", "ratelimit", "ratelimit-remaining", "ratelimit-reset"]

/** The parts of a response that are equal each time. */
const lasting = ({ body, headers, status }: Reply) => ({
  status,
  body: status >= 400 ? body.replace(/"requestId":"[^"]*"/, "") : body,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)))
})

/** A line of the log. */
const decodeLine = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.StructWithRest(Schema.Struct({ annotations: Schema.Record(Schema.String, Schema.Unknown) }), [
      Schema.Record(Schema.String, Schema.Unknown)
    ])
  )
)

/** A response as sent over the wire. */
const getBytes = (origin: string, path: string, coding: string) =>
  Effect.callback<{ readonly headers: IncomingHttpHeaders; readonly body: Buffer }>((resume) => {
    get(origin + path, { headers: { "api-key": key, "accept-encoding": coding } }, (incoming) => {
      const parts: Array<Buffer> = []
      incoming.on("data", (part: Buffer) => parts.push(part))
      incoming.on("end", () => resume(Effect.succeed({ headers: incoming.headers, body: Buffer.concat(parts) })))
    })
  })

/** The number of requests answered from the cache, according to their spans. */
const countedAgain = Effect.map(
  RunningService,
  ({ spans }) => spans.filter(({ attributes }) => attributes.has("chaintape.answered_again")).length
)

const detectCacheHit = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* countedAgain
    const reply = yield* effect
    return [reply, (yield* countedAgain) > before] as const
  })

describe("a cached response", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect.each(cachedPaths)("equals the first response, except for the headers of the request: %s", (path) =>
      Effect.gen(function* () {
        const first = yield* keyed(path)
        const [again, wasCached] = yield* detectCacheHit(keyed(path))
        assert.isTrue(wasCached)
        assert.deepStrictEqual(lasting(again), lasting(first))
        assert.notStrictEqual(again.headers["x-request-id"], first.headers["x-request-id"])
        assert.strictEqual(Object.keys(again.headers).sort().join(), Object.keys(first.headers).sort().join())
        const named = yield* keyed({ path, headers: { "x-request-id": "mine-1" } })
        assert.strictEqual(named.headers["x-request-id"], "mine-1")
        const misnamed = yield* keyed({ path, headers: { "x-request-id": "no id" } })
        assert.notStrictEqual(misnamed.headers["x-request-id"], "no id")
      })
    )

    it.effect("accepts the key at any position of the query", () =>
      Effect.gen(function* () {
        const path = "/v2/cex/stub"
        const first = yield* keyed(path)
        for (const query of [`?apiKey=${key}`, `?apiKey=${wellFormedKey}`]) {
          const [again, wasCached] = yield* detectCacheHit(plain(path + query))
          assert.isTrue(wasCached)
          assert.deepStrictEqual(lasting(again), lasting(first))
        }
      })
    )

    it.effect("has no body for a caller with its ETag", () =>
      Effect.gen(function* () {
        const path = "/v2/cex/kraken"
        const etag = String((yield* keyed({ method: "GET", path })).headers.etag)
        for (const known of [etag, `W/${etag}`, "*", `"other", ${etag}`]) {
          const call = { path, headers: { "if-none-match": known } }
          const [again, wasCached] = yield* detectCacheHit(keyed(call))
          assert.isTrue(wasCached)
          // A request that announces a body takes the full pipeline.
          const long = yield* keyed({ ...call, headers: { ...call.headers, "content-length": 0 } })
          assert.deepStrictEqual([again.status, again.body], [304, ""])
          assert.deepStrictEqual(lasting(again), lasting(long))
        }
        const [other] = yield* detectCacheHit(keyed({ path, headers: { "if-none-match": '"other"' } }))
        assert.strictEqual(other.status, 200)
      })
    )

    it.effect.each(["gzip", "br"] as const)("is compressed once for all callers: %s", (coding) =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const path = "/v2/cex/exchanges"
        const whole = yield* getBytes(origin, path, "identity")
        const first = yield* getBytes(origin, path, coding)
        const counted = yield* countedAgain
        const again = yield* getBytes(origin, path, coding).pipe(
          Effect.repeat({ until: () => Effect.map(countedAgain, (count) => count > counted), times: 1000 })
        )
        for (const { body, headers } of [first, again]) {
          assert.strictEqual(headers["content-encoding"], coding)
          assert.isTrue((coding === "br" ? brotliDecompressSync(body) : gunzipSync(body)).equals(whole.body))
        }
        assert.strictEqual(again.headers["content-length"], String(again.body.length))
        const shown = ({ headers }: typeof first) =>
          Object.entries(headers).filter(
            ([name]) => !changing.includes(name) && name !== "content-length" && name !== "transfer-encoding"
          )
        assert.deepStrictEqual(shown(again).toSorted(), shown(first).toSorted())
        assert.strictEqual(again.headers.etag, `W/${whole.headers.etag}`)
      })
    )

    it.effect("is logged and counted like every other", () =>
      Effect.gen(function* () {
        const { log } = yield* RunningService
        const path = "/v2/cex/stub"
        yield* keyed(path)
        const counted = Effect.map(metrics, (body) =>
          Number(
            /^chaintape_http_requests_total\{[^}]*route="\/v2\/cex\/:exchange"[^}]*status="200"[^}]*\} (\d+)/m.exec(
              body
            )?.[1]
          )
        )
        const before = yield* counted
        const id = "logged-1"
        const [reply, wasCached] = yield* detectCacheHit(keyed({ path, headers: { "x-request-id": id } }))
        assert.isTrue(wasCached)
        assert.strictEqual(reply.status, 200)
        assert.strictEqual(yield* counted, before + 1)
        const lines = log.filter((line) => line.includes(`"${id}"`))
        assert.lengthOf(lines, 1)
        assert.include(lines[0], '"path":"/v2/cex/stub"')
        assert.include(lines[0], '"status":200')
      })
    )

    it.effect("has the members of every other line of the log", () =>
      Effect.gen(function* () {
        const { log } = yield* RunningService
        const getMembers = (id: string) => {
          const lines = log.filter((line) => line.includes(`"${id}"`)).map((line) => decodeLine(line))
          assert.lengthOf(lines, 1)
          return lines.map(({ annotations, ...line }) => [Object.keys(line), Object.keys(annotations).sort()])
        }
        const path = "/v2/cex/stub"
        yield* keyed(path)
        const [, wasCached] = yield* detectCacheHit(keyed({ path, headers: { "x-request-id": "members-1" } }))
        assert.isTrue(wasCached)
        // A request with a body takes the full pipeline.
        const headers = { "x-request-id": "members-2", "content-length": 0 }
        const [, isCachedToo] = yield* detectCacheHit(keyed({ path, headers }))
        assert.isFalse(isCachedToo)
        assert.deepStrictEqual(getMembers("members-1"), getMembers("members-2"))
      })
    )

    it.effect("belongs to the trace of its caller", () =>
      Effect.gen(function* () {
        const { spans } = yield* RunningService
        const path = "/v2/cex/stub"
        yield* keyed(path)
        const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
        const [, wasCached] = yield* detectCacheHit(
          keyed({ path, headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "user-agent": "of the test" } })
        )
        assert.isTrue(wasCached)
        const span = spans.find((one) => one.traceId === traceId && one.attributes.has("chaintape.answered_again"))
        assert.deepStrictEqual(span === undefined ? undefined : Object.fromEntries(span.attributes), {
          "http.request.method": "GET",
          "http.route": "/v2/cex/:exchange",
          "url.path": path,
          "url.scheme": "http",
          "user_agent.original": "of the test",
          "client.address": "127.0.0.1",
          "http.response.status_code": 200,
          "chaintape.answered_again": true
        })
      })
    )

    it.effect("requires a valid key with the scope of the operation", () =>
      Effect.gen(function* () {
        const path = "/v2/cex/stub"
        yield* keyed(path)
        const with_ = (apiKey: string): Call => ({ path, headers: { "api-key": apiKey } })
        for (const wrong of [unusableKeys.revoked, unusableKeys.expired, `${key}x`, "x"]) {
          assertProblem(yield* plain(with_(wrong)), 401, "invalid-api-key")
        }
        assertProblem(yield* plain(with_(limitedKey)), 403, "key-not-allowed")
        assertProblem(yield* plain(path), 401, "missing-api-key")
        assertProblem(yield* plain(`${path}?apiKey=`), 401, "missing-api-key")
        assertProblem(yield* keyed(`${path}?apiKey=${wellFormedKey}`), 401, "invalid-api-key")
        assertProblem(yield* plain(`${path}?apiKey=${key}&apiKey=${key}`), 400, "invalid-parameter")
        assert.strictEqual((yield* keyed(`${path}?apiKey=${key}`)).status, 200)
      })
    )
  })
})

describe("a key that the service has not looked up yet, or not for a second", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect("gets the cached answer once the store has confirmed it", () =>
      Effect.gen(function* () {
        const path = "/v2/cex/stub"
        const first = yield* keyed(path)
        const [again, wasCached] = yield* detectCacheHit(plain({ path, headers: { "api-key": wellFormedKey } }))
        assert.isTrue(wasCached)
        assert.deepStrictEqual(lasting(again), lasting(first))
        const [refused, wasSent] = yield* detectCacheHit(plain({ path, headers: { "api-key": unusableKeys.revoked } }))
        assertProblem(refused, 401, "invalid-api-key")
        assert.isFalse(wasSent)
      })
    )
  })
})

describe("a service that stops", () => {
  it.live("is not delayed by a connection that continuously sends cached requests", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const built = yield* Layer.buildWithScope(stubbedService(), scope)
      const { origin } = Context.get(built, RunningService)
      const { hostname, port } = new URL(origin)
      const request = `GET /v2/cex/exchanges HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`
      yield* raw(origin, [request], { answers: 1, quietMs: 1 })
      const socket = connect(Number(port), hostname).on("error", () => {})
      yield* Effect.promise(() => once(socket, "connect"))
      let answers = ""
      socket.setEncoding("latin1").on("data", (text: string) => (answers += text))
      const closed = once(socket, "close")
      const asking = setInterval(() => socket.write(request), 20)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.promise(() => closed)
      clearInterval(asking)
      // The first response ends it; one more may be in progress by then.
      assert.isAtMost(answers.split("HTTP/1.1 200").length - 1, 2)
    })
  )
})

const limits = { ...generous, plans: { default: { burst: 5, perSecond: 0.001 } } }

describe("the budget", () => {
  layer(stubbedService(limits), { excludeTestServices: true })((it) => {
    it.effect("is shared by cached and uncached responses, and a caller without budget is refused", () =>
      Effect.gen(function* () {
        const replies: Array<Reply> = []
        for (let asked = 0; asked < 8; asked++) replies.push(yield* keyed("/v2/cex/stub"))
        assert.deepStrictEqual(
          replies.map(({ headers, status }) => [status, headers["ratelimit-remaining"]]),
          [
            [200, "4"],
            [200, "3"],
            [200, "2"],
            [200, "1"],
            [200, "0"],
            [429, "0"],
            [429, "0"],
            [429, "0"]
          ]
        )
        assert.strictEqual(yield* countedAgain, 4)
        for (const reply of replies.slice(5)) assertProblem(reply, 429, "rate-limited")
      })
    )
  })

  const inPlaces = { ...generous, plans: { default: { burst: 1000, perSecond: 1000, concurrency: 1, perDay: 3 } } }
  layer(stubbedService(inPlaces), { excludeTestServices: true })((it) => {
    it.effect("of a day, and the limit of concurrent requests, apply to cached responses", () =>
      Effect.gen(function* () {
        const replies: Array<Reply> = []
        for (let asked = 0; asked < 5; asked++) replies.push(yield* keyed("/v2/cex/stub"))
        assert.deepStrictEqual(
          replies.map(({ headers, status }) => [status, headers["ratelimit"]?.toString().split(";t")[0]]),
          [
            [200, '"default-day";r=2'],
            [200, '"default-day";r=1'],
            [200, '"default-day";r=0'],
            [429, '"default-day";r=0'],
            [429, '"default-day";r=0']
          ]
        )
        assert.strictEqual(yield* countedAgain, 2)
        for (const reply of replies.slice(3)) assertProblem(reply, 429, "quota-exceeded")
      })
    )
  })
})

const redis = process.env["REDIS_URL"] ?? ""

describe.skipIf(redis === "")("the budget that instances share (REDIS_URL)", () => {
  const shared = { ...generous, plans: { default: { burst: 6, perSecond: 0.001, perDay: 100 } } }
  const instance = (url: URL, prefix: string) =>
    Effect.map(
      Layer.build(
        Layer.fresh(stubbedService(shared, { redis: RedisLink.layer(Redacted.make(url.toString()), prefix) }))
      ),
      Context.get(RunningService)
    )
  const toStatusAndBudget = ({ headers, status }: Reply) => [status, headers["ratelimit"]?.toString().split(";t")[0]]

  it.live("is shared for cached responses, and each instance has its own while Redis is silent", () =>
    Effect.gen(function* () {
      const link = yield* cutLink(new URL(redis))
      const prefix = `chaintape-test-${yield* Random.nextIntBetween(0, 1_000_000_000)}:`
      const [one, two] = [yield* instance(link.url, prefix), yield* instance(link.url, prefix)]
      const ask = (of: RunningService["Service"]) =>
        detectCacheHit(keyed("/v2/cex/stub")).pipe(
          Effect.map(([reply, wasCached]) => [...toStatusAndBudget(reply), wasCached]),
          Effect.provideService(RunningService, of)
        )
      // The start does not wait for Redis.
      const isShared = Effect.map(ask(one), ([, left]) => left === '"default";r=5')
      yield* Effect.repeat(isShared, { until: (is: boolean) => is, schedule: Schedule.spaced("20 millis"), times: 4 })
      assert.deepStrictEqual(yield* ask(two), [200, '"default";r=4', false])
      assert.deepStrictEqual(yield* ask(one), [200, '"default";r=3', true])
      assert.deepStrictEqual(yield* ask(two), [200, '"default";r=2', true])
      yield* link.turn("silent")
      assert.deepStrictEqual((yield* ask(one)).slice(0, 1), [200])
      assert.deepStrictEqual((yield* ask(two)).slice(0, 1), [200])
    }).pipe(Effect.scoped)
  )

  it.live("is charged once for a caller who leaves before Redis answers", () =>
    Effect.gen(function* () {
      const link = yield* cutLink(new URL(redis))
      const prefix = `chaintape-test-${yield* Random.nextIntBetween(0, 1_000_000_000)}:`
      const one = yield* instance(link.url, prefix)
      const ask = Effect.provideService(keyed("/v2/cex/stub"), RunningService, one)
      const before = yield* ask
      assert.strictEqual(before.status, 200)
      const { hostname, port } = new URL(one.origin)
      const request = `GET /v2/cex/stub HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`
      for (let left = 0; left < 3; left++) {
        const socket = connect(Number(port), hostname)
        yield* Effect.promise(() => once(socket, "connect"))
        yield* Effect.promise(() => new Promise((resolve) => void socket.write(request, resolve)))
        socket.resetAndDestroy()
      }
      const after = yield* ask
      assert.strictEqual(after.status, 200)
      assert.notInclude(one.log.join("\n"), "could not be sent")
    }).pipe(Effect.scoped)
  )
})

/** The same service without its cache. */
class Uncached extends Context.Service<Uncached, { readonly origin: string }>()(
  "@chaintape/server/test/http/Uncached"
) {
  static readonly layer = Layer.effect(
    Uncached,
    Effect.map(RunningService, ({ origin }) => ({ origin }))
  ).pipe(Layer.provide(stubbedService(undefined, { isUncached: true })))
}

const pieces = Schema.Literals([
  "/v2/cex/exchanges",
  "/v2/cex/kraken",
  "/",
  "//",
  ".",
  "/..",
  "%2e",
  "%6braken",
  ";x",
  "#x",
  "?",
  "&",
  "limit=1",
  "apiKey=",
  `apiKey=${key}`,
  `apiKey=${limitedKey}`,
  "api-key=x",
  "=",
  "+",
  " ",
  "KRAKEN"
])
const Asked = Schema.Struct({
  base: Schema.Literals(["/v2/cex/exchanges", "/v2/cex/kraken"]),
  added: Schema.Array(pieces).check(Schema.isMaxLength(4)),
  method: Schema.Literals(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS"]),
  version: Schema.Literals(["1.1", "1.1", "1.0"]),
  headers: Schema.Array(
    Schema.Literals([
      `api-key: ${key}`,
      `api-key: ${wellFormedKey}`,
      `API-KEY: ${limitedKey}`,
      "accept-encoding: gzip",
      "accept-encoding: br;q=0.5, identity",
      "if-none-match: *",
      'if-none-match: "x"',
      "accept: text/html",
      "content-length: 0",
      "transfer-encoding: chunked",
      "x-request-id: of-the-test",
      "origin: https://example.org",
      "range: bytes=0-1",
      "expect: 100-continue",
      "x-forwarded-for: 192.0.2.1",
      "host: other"
    ])
  ).check(Schema.isMaxLength(5))
})

/** An encoded body was encoded at once or while it was sent: its bytes may differ. */
const withoutCoded = (text: string) =>
  /\r\ncontent-encoding: /i.test(text)
    ? text.slice(0, text.indexOf("\r\n\r\n")).replaceAll(/\r\n(?:content-length|transfer-encoding): [^\r]*/gi, "")
    : text

const statusAndBody = (text: string) =>
  withoutCoded(text)
    .replaceAll(/\r\n(?:date|x-request-id|ratelimit[a-z-]*): [^\r]*/gi, "")
    .replaceAll(/"requestId":"[^"]*"/g, "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "")

describe("any other request", () => {
  layer(Layer.merge(stubbedService(), Uncached.layer), { excludeTestServices: true })((it) => {
    it.effect.prop(
      "has the same response as without a cache",
      [Asked],
      ([{ added, base, headers, method, version }]) =>
        Effect.gen(function* () {
          const { origin } = yield* RunningService
          const uncached = yield* Uncached
          for (const path of cachedPaths) {
            yield* keyed(path)
            yield* keyed({ path, headers: { "accept-encoding": "gzip" } })
          }
          const lines = [
            `${method} ${base}${added.join("")} HTTP/${version}`,
            "host: 127.0.0.1",
            ...headers,
            "connection: close",
            "",
            ""
          ]
          const request = lines.join("\r\n") + (headers.includes("transfer-encoding: chunked") ? "0\r\n\r\n" : "")
          const expected = yield* raw(uncached.origin, [request])
          const found = yield* raw(origin, [request])
          assert.strictEqual(statusAndBody(found.text), statusAndBody(expected.text), request)
        }),
      { arbitrary: { runs: 300 } }
    )
  })
})
