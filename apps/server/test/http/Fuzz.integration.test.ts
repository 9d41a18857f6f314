import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Random } from "effect"
import type { Call, Reply } from "../HttpCall.ts"
import { call } from "../HttpCall.ts"
import { key, RunningService } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"
import { problemOf } from "./Problem.ts"

const seed = "chaintape"
const requests = 3000

const pick = <A>(from: ReadonlyArray<A>): Effect.Effect<A> =>
  Effect.flatMap(Random.nextIntBetween(0, from.length - 1), (index) => {
    const found = from[index]
    return found === undefined ? Effect.die(new Error("nothing to pick from")) : Effect.succeed(found)
  })

const many = <A>(most: number, one: Effect.Effect<A>) =>
  Effect.flatMap(Random.nextIntBetween(0, most), (count) => Effect.all(Array.from({ length: count }, () => one)))

const odd = [
  "",
  "..",
  ".",
  "%00",
  "%2F",
  "%zz",
  "%",
  "%ff",
  "__proto__",
  "constructor",
  "%F0%9F%98%80",
  "a%0d%0ab",
  ";x=1",
  "#"
]
  .concat([
    "-1",
    "0",
    "1e9",
    "9007199254740993",
    "null",
    "true",
    "[]",
    "{}",
    "'",
    "%22",
    "<b>",
    "%3Cscript%3E",
    "$(id)",
    "é"
  ])
  .concat(["z".repeat(300), "%41".repeat(200), "*", ":", "@", "~", "+", "%20", "\\", "|", "%EF%BB%BF", "%E2%80%AE"])

const parts = [
  "v2",
  "cex",
  "blocks",
  "exchanges",
  "stub",
  "kraken-x",
  "BTC-USD",
  "btc-usd",
  "trades",
  "lasttrade",
  "synthetic"
].concat([
  "lastaggregate",
  "1m",
  "1h",
  "1d",
  "ping",
  "docs",
  "problems",
  "status",
  "health",
  "ready",
  "dex",
  "openapi.json"
])

const routes = [
  "/ping",
  "/v2/cex/exchanges",
  "/v2/cex/stub",
  "/v2/cex/stub/BTC-USD/trades",
  "/v2/cex/stub/BTC-USD/lasttrade",
  "/v2/cex/stub/BTC-USD/lastaggregate/5m",
  "/v2/blocks",
  "/v2/blocks/synthetic"
]

const nearPath = Effect.gen(function* () {
  const base = (yield* pick(routes)).split("/")
  const at = yield* Random.nextIntBetween(1, base.length - 1)
  base[at] = yield* pick([...odd, ...parts])
  return base.join("/")
})

const anyPath = Effect.map(
  many(
    7,
    Effect.flatMap(Random.nextBoolean, (isOdd) => pick(isOdd ? odd : parts))
  ),
  (all) => `/${all.join("/")}`
)

const names = [
  "limit",
  "skip",
  "since",
  "from",
  "to",
  "block",
  "orderBy",
  "orderDirection",
  "apiKey",
  "Limit",
  "limit[]",
  "%00"
].concat(["__proto__", "toString", "x", "", "%zz", "logo"])
const values = [
  ...odd,
  "1",
  "2",
  "10",
  "100",
  "1000",
  "1001",
  "50000",
  "0",
  "number",
  "timestamp",
  "author",
  "asc",
  "desc"
].concat(["1767225600000", "1000000", "3000000", "240", "999999999", "8640000000000000", "01", "1.0", "size"])

const query = Effect.gen(function* () {
  const pairs = yield* many(
    5,
    Effect.map(Effect.all([pick(names), pick(values)]), ([name, value]) => `${name}=${value}`)
  )
  return pairs.length === 0 ? yield* pick(["", "?", "?&&", "?="]) : `?${pairs.join("&")}`
})

const anyHeaders = Effect.gen(function* () {
  const headers: Record<string, string> = {}
  if ((yield* Random.nextIntBetween(0, 9)) > 0) headers["api-key"] = key
  for (const name of yield* many(
    3,
    pick(["x-request-id", "if-none-match", "accept", "origin", "range", "x-forwarded-for"])
  )) {
    headers[name] = yield* pick(["*", "a", '"x"', "", "text/html", "bytes=0-1", "x".repeat(2000), "1.2.3.4, 5", 'W/""'])
  }
  return headers
})

/** One that Node's own client would refuse to write is written with its percent sequences. */
const writable = (path: string) => path.replace(/[^\x21-\x7e]/g, encodeURIComponent)

const anyCall: Effect.Effect<Call> = Effect.gen(function* () {
  const kind = yield* Random.nextIntBetween(0, 9)
  const path = yield* kind < 5 ? pick(routes) : kind < 8 ? nearPath : anyPath
  const isOther = (yield* Random.nextIntBetween(0, 9)) === 0
  const method = isOther ? yield* pick(["POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]) : "GET"
  return { method, path: writable(path + (yield* query)), headers: yield* anyHeaders, patienceMs: 2000 }
})

const allowed = [200, 204, 304, 400, 401, 404, 405, 414]

const assertSane = (sent: Call, reply: Reply) => {
  const what = `${JSON.stringify(sent)} ${reply.status} ${reply.body.slice(0, 300)}`
  assert.include(allowed, reply.status, what)
  assert.match(String(reply.headers["x-request-id"]), /^[\w.:-]{1,64}$/, what)
  if (reply.status >= 400 && sent.method !== "HEAD") problemOf(reply)
  const type = reply.headers["content-type"]
  if (/^\/v2(\/|\?|$)/.test(sent.path) && reply.status !== 204 && reply.status !== 304) {
    assert.strictEqual(type, reply.status === 200 ? "application/json" : "application/problem+json", what)
  }
  if (reply.body !== "" && type?.includes("json") === true) JSON.parse(reply.body)
  assert.notInclude(reply.body, key, what)
}

describe("any request", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect(
      `is answered as the interface says (${requests} requests of the seed "${seed}")`,
      () =>
        Effect.gen(function* () {
          const { log, origin } = yield* RunningService
          const calls = yield* Effect.all(Array.from({ length: requests }, () => anyCall)).pipe(Random.withSeed(seed))
          const started = yield* Clock.currentTimeMillis
          const statuses = new Map<number, number>()
          yield* Effect.forEach(
            calls,
            (sent) =>
              Effect.map(call(origin, sent), (reply) => {
                statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
                assertSane(sent, reply)
              }),
            { concurrency: 8, discard: true }
          )
          assert.isBelow((yield* Clock.currentTimeMillis) - started, 60_000)
          // The requests are not all refused at the door.
          for (const status of [200, 400, 401, 404, 405]) assert.isAbove(statuses.get(status) ?? 0, 10, `${status}`)
          assert.deepStrictEqual(
            log.filter((line) => /"level":"(ERROR|FATAL)"/i.test(line)),
            []
          )
        }),
      90_000
    )
  })
})
