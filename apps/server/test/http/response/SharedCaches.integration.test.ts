import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { routes } from "../../../src/http/request/RequestContext.ts"
import { DemoFiles } from "../../../src/web/demo/DemoFiles.ts"
import { AccountService } from "../../accounts/AccountService.ts"
import { createKey, newcomer } from "../../accounts/FormBrowser.ts"
import type { Reply } from "../../HttpCall.ts"
import { call, raw, replies } from "../../HttpCall.ts"
import { key, limitedKey, plain, RunningService, wellFormedKey } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { builtGuide } from "../../web/GuideFiles.ts"
import type { Storage } from "./SharedCache.ts"
import { storageOf } from "./SharedCache.ts"

const asset = { bytes: new TextEncoder().encode("export {}"), contentType: "text/javascript" }
const home = { bytes: new TextEncoder().encode("<!doctype html><title>Demo</title>"), contentType: "text/html" }
const demo = Layer.succeed(DemoFiles, {
  state: Effect.succeed({
    _tag: "Built" as const,
    files: new Map([
      ["index.html", home],
      ["assets/index-Ab3.js", asset]
    ])
  }),
  build: Effect.void
})

const nothing: Storage = "nothing"

/** What a shared cache may store of each route, if the request carries no key: pages that are the same for everyone. */
const open: Readonly<Record<string, Storage>> = {
  "/": "asks again",
  "/docs": "asks again",
  "/openapi.json": "asks again",
  "/problems": "asks again",
  "/problems/:code": "asks again",
  "/guide/:page": "asks again",
  "/assets/:file": "never asks again"
}

/** A path of each route. */
const samples: Readonly<Record<string, string>> = {
  "/v2/cex/:exchange": "/v2/cex/stub",
  "/v2/cex/:exchange/markets": "/v2/cex/stub/markets",
  "/v2/cex/:exchange/:market/trades": "/v2/cex/stub/BTC-USD/trades",
  "/v2/cex/:exchange/:market/lasttrade": "/v2/cex/stub/BTC-USD/lasttrade",
  "/v2/cex/:exchange/:market/lastaggregate/:timeframe": "/v2/cex/stub/BTC-USD/lastaggregate/1m",
  "/v2/cex/:exchange/:market/aggregates/:timeframe": "/v2/cex/stub/BTC-USD/aggregates/1m",
  "/v2/blocks/:blockchain": "/v2/blocks/synthetic",
  "/problems/:code": "/problems/internal",
  "/assets/:file": "/assets/index-Ab3.js",
  "/guide/:page": "/guide/index.html"
}

const accountPage = /^\/(account|dashboard|sign-|reset-password)/
const templates = [...new Set(routes.map(({ template }) => template))]
const toPath = (template: string) => samples[template] ?? template.replace(/:\w+/g, "unknown")

/** The ways to send a key. Undefined is none. */
const ways = [
  ["no key", "", {}],
  ["another page's cookie", "", { cookie: "chaintape_session=abc; theme=dark" }],
  ["the header", "", { "api-key": key }],
  ["the header, and another key", "", { "api-key": wellFormedKey }],
  ["the header, and a key that may not", "", { "api-key": limitedKey }],
  ["the header, and a wrong key", "", { "api-key": "chaintape_wrong" }],
  ["the query", `?apiKey=${key}`, {}],
  ["the query, and another key", `?apiKey=${wellFormedKey}`, {}],
  ["the query, and a wrong key", "?apiKey=chaintape_wrong", {}],
  ["the query and the header", `?apiKey=${key}`, { "api-key": key }]
] as const

const personal = ["set-cookie", "ratelimit", "ratelimit-remaining", "ratelimit-limit"]

const assertStorage = (what: string, reply: Reply, stored: Storage, expected: Storage) => {
  assert.strictEqual(stored, expected, `${what}: ${reply.status}, ${reply.headers["cache-control"]}`)
  assert.isDefined(reply.headers["cache-control"], what)
  assert.include(String(reply.headers.vary), "api-key", what)
  if (stored === nothing) return
  assert.match(String(reply.headers.etag), /^"[\w-]{27}"$/, what)
  for (const name of personal) assert.notProperty(reply.headers, name, what)
}

describe("a shared cache in front of the service", () => {
  test("knows every route of this table", () => {
    for (const name of [...Object.keys(open), ...Object.keys(samples)]) assert.include(templates, name)
  })

  layer(stubbedService(undefined, { further: Layer.merge(demo, builtGuide) }), {
    excludeTestServices: true,
    timeout: "60 seconds"
  })((it) => {
    it.effect.each(templates.filter((template) => !accountPage.test(template) && !template.startsWith("/live/")))(
      "stores of %s only what is the same for every caller",
      (template) =>
        Effect.gen(function* () {
          const bodies = new Set<string>()
          for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
            for (const [way, query, headers] of ways) {
              const request = { method, path: `${toPath(template)}${query}`, headers }
              const reply = yield* plain(request)
              const carriesKey = query !== "" || "api-key" in headers
              const expected: Storage = carriesKey || method === "POST" ? nothing : (open[template] ?? nothing)
              const what = `${method} ${template} with ${way}`
              assertStorage(what, reply, storageOf(request, reply), method === "OPTIONS" ? nothing : expected)
              if (method === "OPTIONS") assert.strictEqual(reply.headers["cache-control"], "no-store", what)
              if (method === "GET" && expected !== nothing) bodies.add(reply.body)
            }
          }
          assert.strictEqual(bodies.size, template in open ? 1 : 0)
        })
    )

    it.effect("asks again with the ETag of a page, which is not sent again", () =>
      Effect.gen(function* () {
        for (const template of Object.keys(open)) {
          const path = toPath(template)
          const { headers } = yield* plain(path)
          const again = yield* plain({ path, headers: { "if-none-match": String(headers.etag) } })
          assert.deepStrictEqual([again.status, again.body], [304, ""], path)
          assert.strictEqual(again.headers["cache-control"], headers["cache-control"], path)
        }
      })
    )

    it.effect.each([
      "/nope",
      "/assets/missing.js",
      "/problems/nope",
      "/v2/nope",
      "/live/blocks/synthetic",
      "/v2/cex/stub/BTC-USD/trades?limit=0",
      "/%zz"
    ])("stores no problem, and nothing of what does not exist: %s", (path) =>
      Effect.gen(function* () {
        for (const accept of ["text/html,*/*;q=0.8", "*/*"]) {
          const request = { path, headers: { accept } }
          const reply = yield* plain(request)
          assert.isAtLeast(reply.status, 400)
          assert.strictEqual(reply.headers["cache-control"], "no-store")
        }
      })
    )

    it.effect("stores nothing of a page that states the address by which it was asked", () =>
      Effect.gen(function* () {
        const request = { path: "/about", headers: { "x-forwarded-proto": "https", host: "other.example" } }
        const reply = yield* plain(request)
        assert.include(reply.body, "https://other.example")
        assert.strictEqual(storageOf(request, reply), nothing)
      })
    )

    it.effect("does not store the response to an invalid request", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const host = "Host: chaintape.example\r\n"
        for (const bytes of [
          "hello there\r\n\r\n",
          `CONNECT chaintape.example:443 HTTP/1.1\r\n${host}\r\n`,
          `GET /ping HTTP/1.1\r\n${host}${host}\r\n`,
          `GET /ping?apiKey=${"a".repeat(300_000)} HTTP/1.1\r\n${host}\r\n`,
          "GET /ping HTTP/1.1\r\n\r\n"
        ]) {
          const [reply] = replies((yield* raw(origin, [bytes], { answers: 1, quietMs: 200 })).text)
          assert.strictEqual(reply?.headers["cache-control"], "no-store", bytes.slice(0, 40))
        }
      })
    )
  })

  layer(AccountService.layer(), { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("stores nothing of an account, signed in or not", () =>
      Effect.gen(function* () {
        const ada = yield* newcomer("ada@example.com")
        yield* createKey(ada, "notebook")
        const { origin } = yield* AccountService
        for (const template of templates.filter((one) => accountPage.test(one))) {
          const path = toPath(template)
          for (const method of ["GET", "HEAD"]) {
            const [signedIn, out] = [yield* ada.get(path, method), yield* call(origin, { path, method })]
            for (const reply of [signedIn, out]) assert.strictEqual(reply.headers["cache-control"], "no-store", path)
          }
          const sent = yield* ada.send({ path, fields: {} })
          assert.strictEqual(sent.headers["cache-control"], "no-store", path)
        }
      })
    )
  })
})
