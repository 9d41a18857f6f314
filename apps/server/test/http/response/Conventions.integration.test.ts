import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { record } from "../../HttpCall.ts"
import { key, keyed, plain } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { assertProblem, toProblem } from "./Problem.ts"

const trades = "/v2/cex/stub/BTC-USD/trades?limit=20"
const operations = [
  "/ping",
  "/v2/cex/exchanges",
  "/v2/cex/stub",
  "/v2/cex/stub/BTC-USD/trades",
  "/v2/cex/stub/BTC-USD/lasttrade",
  "/v2/cex/stub/BTC-USD/lastaggregate/1m",
  "/v2/blocks",
  "/v2/blocks/synthetic",
  "/v2/cex/stub/BTC-USD/aggregates/1m?limit=5"
]
const pages = ["/", "/docs", "/problems", "/problems/internal", "/openapi.json", "/status", "/health/live"]
const otherMethods = ["POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "QUERY"]
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const changing = ["date", "x-request-id", "ratelimit", "ratelimit-remaining", "ratelimit-reset"]

const lasting = (headers: { readonly [name: string]: unknown }) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !changing.includes(name)))

const minute = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 60_000))

/** Two answers about candles differ where a minute ends between them: they are asked for again then, early in the next one. */
const inOneMinute = <A, E, R>(answers: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const before = yield* minute
    const result = yield* answers
    return (yield* minute) === before ? result : yield* answers
  })

describe("conventions of all responses", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect.each([...operations, ...pages])("other methods than GET are refused at %s", (path) =>
      Effect.gen(function* () {
        for (const method of otherMethods) {
          const reply = yield* keyed({ method, path })
          const problem = assertProblem(reply, 405, "method-not-allowed")
          assert.strictEqual(problem["method"], method)
          assert.strictEqual(reply.headers.allow, "GET, HEAD, OPTIONS")
        }
      })
    )

    it.effect.each([...operations.slice(0, 4), ...operations.slice(6), ...pages.slice(0, 5)])(
      "HEAD answers as GET without the body: %s",
      (path) =>
        Effect.gen(function* () {
          const [get, head] = yield* inOneMinute(Effect.all([keyed(path), keyed({ method: "HEAD", path })]))
          assert.deepStrictEqual([head.status, head.body], [get.status, ""])
          assert.deepStrictEqual(lasting(head.headers), lasting(get.headers))
        })
    )

    it.effect("HEAD of a problem answers as GET without the body", () =>
      Effect.gen(function* () {
        for (const path of ["/nope", "/v2/cex/nope", "/v2/blocks/synthetic?limit=0"]) {
          const get = yield* keyed(path)
          const head = yield* keyed({ method: "HEAD", path })
          assert.deepStrictEqual([head.status, head.body], [get.status, ""])
          assert.deepStrictEqual(lasting(head.headers), lasting(get.headers))
        }
      })
    )

    it.effect.each([...operations, "/docs"])("OPTIONS is answered for browsers, without a key: %s", (path) =>
      Effect.gen(function* () {
        const reply = yield* plain({ method: "OPTIONS", path, headers: { origin: "https://example.com" } })
        assert.deepStrictEqual([reply.status, reply.body], [204, ""])
        assert.strictEqual(reply.headers["access-control-allow-origin"], "*")
        assert.strictEqual(reply.headers["access-control-allow-methods"], "GET, HEAD, OPTIONS")
        assert.strictEqual(reply.headers.allow, "GET, HEAD, OPTIONS")
        assert.include(reply.headers["access-control-allow-headers"], "api-key")
        assert.notProperty(reply.headers, "access-control-allow-credentials")
      })
    )

    it.effect("a preflight is passed at every path, so that a page can read the problem of its request", () =>
      Effect.gen(function* () {
        const headers = { origin: "https://example.com", "access-control-request-method": "GET" }
        for (const path of ["/nope", "/v2/nope", "/v2/cex/%zz", `/ping?${"a".repeat(9000)}`]) {
          const reply = yield* plain({ method: "OPTIONS", path, headers })
          assert.strictEqual(reply.status, 204, path.slice(0, 20))
          assert.include(reply.headers["access-control-allow-headers"], "api-key")
          assert.isAtLeast((yield* keyed(path)).status, 400)
        }
        assert.strictEqual((yield* plain({ method: "OPTIONS", path: "/nope" })).status, 404)
      })
    )

    it.effect("any origin may read every answer and its headers, problems included", () =>
      Effect.gen(function* () {
        for (const path of [trades, "/nope", "/v2/cex/nope", "/ping"]) {
          const { headers } = yield* keyed({ path, headers: { origin: "https://example.com" } })
          assert.strictEqual(headers["access-control-allow-origin"], "*")
          const exposed = String(headers["access-control-expose-headers"]).split(", ")
          for (const name of Object.keys(headers)) {
            if (/^(x-request-id|etag|retry-after|ratelimit|chaintape-)/.test(name)) assert.include(exposed, name)
          }
        }
      })
    )

    it.effect("a browser at a path that does not exist gets a page, and a program the problem", () =>
      Effect.gen(function* () {
        const accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        for (const path of ["/nope", "/problems/nope", "/%3Cscript%3Ealert(1)%3C/script%3E"]) {
          const { body, headers, status } = yield* plain({ path, headers: { accept } })
          assert.deepStrictEqual([status, headers["content-type"]], [404, "text/html; charset=utf-8"])
          assert.include(body, "<h1>Page not found</h1>")
          assert.notInclude(body, "<script")
          assertProblem(yield* plain({ path, headers: { accept: "*/*" } }), 404, "not-found")
          assertProblem(yield* plain(path), 404, "not-found")
        }
        for (const path of ["/v2/nope", "/v2", "/live/nope"]) {
          assertProblem(yield* keyed({ path, headers: { accept } }), 404, "not-found")
        }
        assertProblem(yield* plain({ method: "POST", path: "/nope", headers: { accept } }), 404, "not-found")
      })
    )

    it.effect.each(["a", "A.b:c_d-9", "x".repeat(64), "7f000001-0000-4000-8000-000000000000"])(
      "the caller's request id is echoed: %s",
      (id) =>
        Effect.gen(function* () {
          for (const path of ["/ping", "/nope", trades]) {
            const reply = yield* keyed({ path, headers: { "x-request-id": id } })
            assert.strictEqual(reply.headers["x-request-id"], id)
            if (reply.status !== 200) assert.strictEqual(record(reply)["requestId"], id)
          }
        })
    )

    it.effect.each(["", " ", "a b", "x".repeat(65), "<script>", 'a"b', "a,b", "a;b", "é", "%0d%0a", "a/b"])(
      "a request id that is no sane token is replaced: %s",
      (id) =>
        Effect.gen(function* () {
          const reply = yield* keyed({ path: "/nope", headers: { "x-request-id": id } })
          assert.match(String(reply.headers["x-request-id"]), uuid)
          assert.match(toProblem(reply).requestId, uuid)
        })
    )

    it.effect("every answer has another request id", () =>
      Effect.gen(function* () {
        const ids = yield* Effect.forEach(Array.from({ length: 20 }), () =>
          Effect.map(plain("/ping"), ({ headers }) => headers["x-request-id"])
        )
        assert.strictEqual(new Set(ids).size, 20)
      })
    )

    it.effect("a body on a GET request is ignored, and the connection stays open", () =>
      Effect.gen(function* () {
        for (const headers of [{ "content-length": "7" }, { "transfer-encoding": "chunked" }]) {
          const reply = yield* keyed({ path: "/v2/cex/stub", headers, body: "limit=0" })
          assert.strictEqual(reply.status, 200)
        }
        assert.strictEqual((yield* plain("/ping")).status, 200)
      })
    )

    it.effect("the proxy's form of a target is read like the usual one", () =>
      Effect.gen(function* () {
        const usual = yield* keyed("/v2/cex/stub")
        const absolute = yield* keyed("http://chaintape.example/v2/cex/stub")
        assert.deepStrictEqual(lasting(absolute.headers), lasting(usual.headers))
        assert.strictEqual(absolute.body, usual.body)
        assertProblem(
          yield* keyed({ method: "POST", path: "http://chaintape.example/ping" }),
          405,
          "method-not-allowed"
        )
      })
    )

    it.effect.each([
      "/v2/cex/exchanges",
      "/v2/cex/stub",
      "/v2/cex/stub/BTC-USD/trades?limit=20",
      "/v2/cex/stub/BTC-USD/lasttrade",
      "/v2/blocks",
      "/v2/blocks/synthetic?limit=5",
      "/v2/cex/exchanges/",
      "/docs",
      "/openapi.json"
    ])("an answer that did not change is not sent again: %s", (path) =>
      Effect.gen(function* () {
        const first = yield* keyed(path)
        const etag = String(first.headers.etag)
        assert.match(etag, /^"[\w-]{27}"$/)
        assert.strictEqual(first.headers["cache-control"], "private, no-cache")
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const again = yield* keyed({ path, headers: { "if-none-match": tags } })
          assert.deepStrictEqual([again.status, again.body], [304, ""])
          assert.strictEqual(again.headers.etag, etag)
          assert.notProperty(again.headers, "content-type")
          assert.strictEqual(again.headers["cache-control"], first.headers["cache-control"])
          assert.property(again.headers, "x-request-id")
        }
        for (const tags of ["", '"other"', etag.replaceAll('"', "")]) {
          const again = yield* keyed({ path, headers: { "if-none-match": tags } })
          assert.deepStrictEqual([again.status, again.body], [200, first.body])
        }
      })
    )

    it.effect("a response has an ETag, which a caller without a key does not see", () =>
      Effect.gen(function* () {
        const { headers } = yield* keyed("/v2/cex/stub")
        const reply = yield* plain({ path: "/v2/cex/stub", headers: { "if-none-match": String(headers.etag) } })
        assertProblem(reply, 401, "missing-api-key")
        assert.strictEqual(reply.headers["cache-control"], "no-store")
        assert.include(String(headers.vary), "api-key")
      })
    )

    it.effect("a window of finalized blocks is immutable, an open one is not", () =>
      Effect.gen(function* () {
        // Block n has the time 1,000 + 12 n; 218 of 250 are final.
        const at = (block: number) => (1000 + 12 * block) * 1000
        const closed = ["block=218", "block=0", `to=${at(217)}`, `from=${at(3)}&to=${at(9)}`, `block=240&to=${at(9)}`]
        const open = ["", "block=219", `to=${at(218)}`, `to=${at(300)}`, `from=${at(3)}`, "limit=1&skip=200"]
        for (const query of closed) {
          const { headers, status } = yield* keyed(`/v2/blocks/synthetic?${query}`)
          assert.strictEqual(status, 200)
          assert.strictEqual(headers["cache-control"], "private, max-age=31536000, immutable", query)
          const again = yield* keyed({
            path: `/v2/blocks/synthetic?${query}`,
            headers: { "if-none-match": String(headers.etag) }
          })
          assert.deepStrictEqual([again.status, again.headers["cache-control"]], [304, headers["cache-control"]])
        }
        for (const query of open) {
          const { headers } = yield* keyed(`/v2/blocks/synthetic?${query}`)
          assert.strictEqual(headers["cache-control"], "private, no-cache", query)
        }
      })
    )

    it.effect("problems are not cacheable", () =>
      Effect.gen(function* () {
        for (const path of ["/nope", "/v2/cex/nope", `${trades}&limit=2`, "/v2/blocks/synthetic?block=999999"]) {
          const { headers } = yield* keyed(path)
          assert.strictEqual(headers["cache-control"], "no-store")
          assert.notProperty(headers, "etag")
        }
      })
    )

    it.effect("the type of every problem is the path of a page", () =>
      Effect.gen(function* () {
        const { body } = yield* plain("/problems")
        const paths = [...body.matchAll(/href="(\/problems\/[a-z-]+)"/g)].map(([, path = ""]) => path)
        assert.isAtLeast(paths.length, 20)
        for (const path of paths) {
          const page = yield* plain(path)
          assert.strictEqual(page.status, 200, path)
          assert.include(page.headers["content-type"], "text/html")
        }
      })
    )

    it.effect("no page repeats an invalid host, or one that HTML would read", () =>
      Effect.gen(function* () {
        const refused = yield* plain({ path: "/", headers: { host: '"><script>alert(1)</script>' } })
        assert.notInclude(assertProblem(refused, 400, "invalid-parameter").detail, "alert")
        const page = yield* plain({ path: "/", headers: { host: "'onload=alert(1)&quot;" } })
        assert.strictEqual(page.status, 200)
        assert.notInclude(page.body, "alert(1)")
        assert.include(String(page.headers["content-security-policy"]), "default-src 'none'")
      })
    )

    it.effect("ping returns the caller's address and accepts any key", () =>
      Effect.gen(function* () {
        for (const path of ["/ping", "/ping?apiKey=nonsense", `/ping?apiKey=${key}`, "/ping?apiKey="]) {
          const reply = yield* plain({ path, headers: { "x-forwarded-for": "1.2.3.4", "api-key": "another" } })
          assert.deepStrictEqual(Object.keys(record(reply)), ["ping", "ip"])
          assert.deepStrictEqual(record(reply), { ping: "Hello from Chaintape.", ip: "127.0.0.1" })
        }
      })
    )
  })
})
