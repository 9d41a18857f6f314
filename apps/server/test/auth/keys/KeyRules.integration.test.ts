import { inspect } from "node:util"
import { operations } from "@chaintape/contract"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { assertProblem, toProblem } from "../../http/response/Problem.ts"
import { record } from "../../HttpCall.ts"
import type { Call } from "../../HttpCall.ts"
import { key, limitedKey, metrics, plain, RunningService, unusableKeys, wellFormedKey } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"

const path = "/v2/cex/stub"
const inHeader = (value: string): Call => ({ path, headers: { "api-key": value } })
const inQuery = (value: string): Call => ({ path: `${path}?apiKey=${encodeURIComponent(value)}` })
const inBoth = (query: string, header: string): Call => ({ ...inQuery(query), headers: { "api-key": header } })

const secrets = [
  key,
  wellFormedKey,
  limitedKey,
  ...Object.values(unusableKeys),
  "an-unknown-key-of-a-stranger",
  `${wellFormedKey.slice(0, -1)}b`,
  "x".repeat(5000)
]

/** A path of every operation, and the same with an invalid parameter. */
const everyOperation = operations.flatMap(({ path }) => {
  const plainPath = path
    .replace(":exchange", "stub")
    .replace(":market", "BTC-USD")
    .replace(":timeframe", "1m")
    .replace(":blockchain", "synthetic")
    .replace(/:(token|pool)/, "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
  return [plainPath, plainPath.replace("stub", "nowhere").replace("synthetic", "nowhere")]
})

const accepted: ReadonlyArray<readonly [string, Call]> = [
  ["in the header", inHeader(key)],
  ["in the query", inQuery(key)],
  ["in both", inBoth(key, key)],
  ["in the header, with an empty one in the query", inBoth("", key)],
  ["in the query, with an empty one in the header", inBoth(key, "")],
  ["in the query, written with percent sequences", { path: `${path}?apiKey=${key.replaceAll("t", "%74")}` }]
]

const missing: ReadonlyArray<readonly [string, Call]> = [
  ["at all", { path }],
  ["but an empty one in the query", { path: `${path}?apiKey=` }],
  ["but a name in the query", { path: `${path}?apiKey` }],
  ["but an empty header", inHeader("")],
  ["but two empty ones", inBoth("", "")],
  ["but one in the path", { path: `${path};apiKey=${key}` }],
  ["but one behind a fragment", { path: `${path}#?apiKey=${key}`.replace("#?", "#") }],
  ["but one in another letter case", { path: `${path}?apikey=${key}` }],
  ["but one of HTTP authentication", { path, headers: { authorization: `Bearer ${key}` } }]
]

const invalid: ReadonlyArray<readonly [string, Call]> = [
  ["unknown", inHeader("an-unknown-key-of-a-stranger")],
  ["unknown, in the query", inQuery("an-unknown-key-of-a-stranger")],
  ["revoked", inHeader(unusableKeys.revoked)],
  ["expired", inQuery(unusableKeys.expired)],
  ["one character short", inHeader(key.slice(0, -1))],
  ["one character long", inQuery(`${key}x`)],
  ["in another letter case", inHeader(key.toUpperCase())],
  ["surrounded by spaces", inQuery(` ${key} `)],
  ["very long", inQuery("x".repeat(5000))],
  ["a zero byte", inQuery("\0")],
  ["no text", { path: `${path}?apiKey=%ff` }],
  ["SQL", inQuery("' or 1=1 --")],
  ["two different ones, the good one in the query", inBoth(key, "an-unknown-key-of-a-stranger")],
  ["two different ones, the good one in the header", inBoth("an-unknown-key-of-a-stranger", key)],
  ["two headers that differ", { path, headers: { "api-key": [key, "an-unknown-key-of-a-stranger"] } }]
]

describe("the key", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect.each(accepted)("is accepted %s", ([, call]) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* plain(call)).status, 200)
      })
    )

    it.effect.each(missing)("is missing %s", ([, call]) =>
      Effect.gen(function* () {
        const reply = yield* plain(call)
        assertProblem(reply, 401, "missing-api-key")
        assert.strictEqual(reply.headers["www-authenticate"], "ApiKey")
      })
    )

    it.effect("is not read from the header Authorization, as the problem states", () =>
      Effect.gen(function* () {
        const call = { path: "/v2/cex/exchanges", headers: { authorization: `Bearer ${key}` } }
        const { detail } = assertProblem(yield* plain(call), 401, "missing-api-key")
        assert.include(detail, "The header `Authorization` is not read.")
        const { detail: without } = assertProblem(yield* plain(call.path), 401, "missing-api-key")
        assert.notInclude(without, "Authorization")
      })
    )

    it.effect.each(invalid)("is not valid: %s", ([, call]) =>
      Effect.gen(function* () {
        const reply = yield* plain(call)
        assertProblem(reply, 401, "invalid-api-key")
        assert.strictEqual(reply.headers["www-authenticate"], "ApiKey")
        assert.notProperty(reply.headers, "ratelimit")
        const first = yield* plain(inHeader("an-unknown-key-of-a-stranger"))
        const { requestId: _one, ...body } = record(reply)
        const { requestId: _other, ...expected } = record(first)
        assert.deepStrictEqual(body, expected)
      })
    )

    it.effect("is redacted from logs, spans and problems, wherever a well-formed key was sent", () =>
      Effect.gen(function* () {
        const { log, spans } = yield* RunningService
        for (const path of [
          `/${wellFormedKey}`,
          `/v2/cex/${wellFormedKey}`,
          `/v2/cex/stub/BTC-USD/trades?limit=${wellFormedKey}`,
          `/ping?token=${wellFormedKey}`,
          `/ping?${wellFormedKey}`
        ]) {
          assert.notInclude((yield* plain(path)).body, wellFormedKey, path)
          assert.notInclude((yield* plain({ path, headers: { "api-key": key } })).body, wellFormedKey, path)
        }
        const traced = spans.map(({ attributes }) => inspect([...attributes], { maxStringLength: null }))
        assert.notInclude([...log, ...traced].join("\n"), wellFormedKey)
      })
    )

    it.effect("is an invalid parameter if the query has it twice, and is not quoted", () =>
      Effect.gen(function* () {
        for (const keys of [`apiKey=${key}&apiKey=${key}`, `apiKey=${key}&apiKey=other`, "apiKey=&apiKey="]) {
          const reply = yield* plain({ path: `${path}?${keys}`, headers: { "api-key": key } })
          const { issues = [] } = assertProblem(reply, 400, "invalid-parameter")
          assert.deepStrictEqual(
            issues.map(({ parameter }) => parameter),
            ["apiKey"]
          )
          assert.notInclude(reply.body, key)
        }
      })
    )

    it.effect("is needed by every operation but ping, and by no page", () =>
      Effect.gen(function* () {
        for (const needs of ["/v2/cex/exchanges", "/v2/cex/stub", "/v2/cex/stub/BTC-USD/trades", "/v2/blocks"].concat([
          "/v2/cex/stub/BTC-USD/lasttrade",
          "/v2/cex/stub/BTC-USD/lastaggregate/1m",
          "/v2/blocks/synthetic"
        ])) {
          assertProblem(yield* plain(needs), 401, "missing-api-key")
        }
        for (const free of ["/ping", "/health/live", "/health/ready", "/status", "/openapi.json", "/problems"]) {
          assert.strictEqual((yield* plain(free)).status, 200, free)
        }
      })
    )

    it.effect("is limited to its groups, and is charged first", () =>
      Effect.gen(function* () {
        for (const path of ["/v2/cex/exchanges", "/v2/cex/nope/BTC-USD/trades?limit=x", "/v2/dex/nope"]) {
          const reply = yield* plain({ path, headers: { "api-key": limitedKey } })
          const { group } = assertProblem(reply, 403, "key-not-allowed")
          assert.strictEqual(group, path.split("/")[2])
          assert.property(reply.headers, "ratelimit")
          assert.notProperty(reply.headers, "www-authenticate")
        }
        assert.strictEqual((yield* plain({ path: "/v2/blocks", headers: { "api-key": limitedKey } })).status, 200)
        assertProblem(yield* plain({ path: "/nope", headers: { "api-key": limitedKey } }), 404, "not-found")
      })
    )

    it.effect("appears in no response, header, log line, span or metric", () =>
      Effect.gen(function* () {
        const { log, spans } = yield* RunningService
        for (const secret of secrets) {
          const short = encodeURIComponent(secret.slice(0, 4000))
          for (const call of [
            inHeader(secret),
            inQuery(secret),
            inBoth(secret, "other"),
            { path: `/v2/cex/stub/BTC-USD/trades?limit=0&apiKey=${short}`, headers: { "api-key": key } },
            { path: `/v2/cex/stub/BTC-USD/trades?apiKey=${short}&apiKey=${short}` },
            { path: `/v2/cex/stub/BTC-USD/trades?limit=%zz&apiKey=${short}`, headers: { "api-key": secret } },
            { path: `/nope?apiKey=${short}`, headers: { "api-key": secret } },
            { path: `/v2/cex/stub;apiKey=${short}` },
            { path: `/nope;apiKey=${short}` },
            { path: `/nope#apiKey=${short}` },
            ...["apikey", "api_key", "api-key", "APIKEY"].map((name) => ({ path: `/v2/cex/stub?${name}=${short}` })),
            { path: `/ping?apiKey=${short}&x=1` },
            { method: "POST", path: `/v2/cex/stub?apiKey=${short}` },
            { method: "OPTIONS", path: `/v2/cex/stub?apiKey=${short}` },
            ...everyOperation.flatMap((path) => [
              { path, headers: { "api-key": secret } },
              { path: `${path}?apiKey=${short}` },
              { path: `${path}?limit=x&block=x&apiKey=${short}` }
            ])
          ]) {
            const reply = yield* plain(call)
            const told = `${reply.body}${JSON.stringify(reply.headers)}`
            assert.notInclude(told, secret, JSON.stringify(call).slice(0, 100))
            if (reply.status >= 400) toProblem(reply)
          }
        }
        const traced = spans.map(({ attributes, events, links, name, status }) =>
          inspect([name, [...attributes], events, links, status], { depth: 12, maxStringLength: null })
        )
        assert.isAbove(spans.length, 50)
        assert.include(traced.join("\n"), "apiKey=")
        const written = [...log, ...traced].join("\n")
        assert.isAbove(log.length, 50)
        for (const secret of secrets) {
          assert.notInclude(written, secret.slice(0, 60))
          assert.notInclude(written, encodeURIComponent(secret.slice(0, 60)))
        }
        const status = `${(yield* plain("/status")).body}${yield* metrics}`
        for (const secret of secrets) assert.notInclude(status, secret)
      })
    )
  })
})
