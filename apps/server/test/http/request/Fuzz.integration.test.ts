import * as DexOperations from "@chaintape/core/operations/dex"
import { devnetConfig } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Console, Effect, Random } from "effect"
import { findRoute } from "../../../src/http/request/RequestContext.ts"
import { casesOf } from "../../Cases.ts"
import { devnetHead, overDevnet } from "../../dex/IndexedService.ts"
import type { Call, Reply } from "../../HttpCall.ts"
import { call } from "../../HttpCall.ts"
import { key, RunningService } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { assertDeclared, documentedPath } from "../docs/DocumentedRequests.ts"
import { toProblem } from "../response/Problem.ts"

const seed = "chaintape"

/** The number of each kind; `CHAINTAPE_FUZZ_REQUESTS` overrides it. */
const requests = casesOf("CHAINTAPE_FUZZ_REQUESTS", { few: 1000, many: 5000 })

const atOnce = 1000

/** Each request has its own timeout; this one is for all of them on a slow machine. */
const patienceMs = Math.max(240_000, requests * 60)

const pick = <A>(from: ReadonlyArray<A>): Effect.Effect<A> =>
  Effect.flatMap(Random.nextIntBetween(0, from.length - 1), (index) => {
    const found = from[index]
    return found === undefined ? Effect.die(new Error("nothing to pick from")) : Effect.succeed(found)
  })

const many = <A>(max: number, one: Effect.Effect<A>) =>
  Effect.flatMap(Random.nextIntBetween(0, max), (count) => Effect.all(Array.from({ length: count }, () => one)))

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
  "aggregates",
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

/** The parts of which requests are made. */
interface Words {
  readonly parts: ReadonlyArray<string>
  readonly routes: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
}

const routes = [
  "/ping",
  "/v2/cex/exchanges",
  "/v2/cex/stub",
  "/v2/cex/stub/BTC-USD/trades",
  "/v2/cex/stub/BTC-USD/lasttrade",
  "/v2/cex/stub/BTC-USD/lastaggregate/5m",
  "/v2/cex/stub/BTC-USD/aggregates/5m",
  "/v2/blocks",
  "/v2/blocks/synthetic"
]

const names = [
  "limit",
  "skip",
  "since",
  "until",
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

const cexAndBlocks: Words = { parts, routes, names, values }

const place = "/v2/dex/uniswap-v3/devnet"
const { referenceToken, stablePool } = devnetConfig

const dexes: Words = {
  parts: [
    "v2",
    "dex",
    "uniswap-v3",
    "devnet",
    "tokens",
    "token",
    "pools",
    "pool",
    "trades",
    "ticks",
    "aggregates",
    "1h",
    stablePool,
    referenceToken
  ].concat([stablePool.toUpperCase(), `0x${"ab".repeat(20)}`, `0x${"0".repeat(40)}`, "0x", "cex", "blocks"]),
  routes: [
    "/v2/dex/uniswap-v3",
    place,
    `${place}/tokens`,
    `${place}/pools`,
    `${place}/pool/${stablePool}`,
    `${place}/pool/${stablePool}/trades`,
    `${place}/pool/${stablePool}/ticks`,
    `${place}/pool/${stablePool}/aggregates/1h`,
    `${place}/token/${referenceToken}/trades`
  ],
  names: [...names, "swap", "mint", "burn", "base", "quote", "tokenSymbol", "tokenName", "tokenId", "pool"],
  values: [...values, "false", stablePool, referenceToken, "WETH", "usdc", "1700000000000", "1700000030000"]
    .concat([
      ...new Set([
        ...DexOperations.tokens.query.orderBy.fields,
        ...DexOperations.pools.query.orderBy.fields,
        ...DexOperations.poolTrades.query.orderBy.fields
      ])
    ])
    .concat(["0", "3", "20", String(devnetHead), String(devnetHead + 1)])
}

/** Values that match the name, so that the request is not rejected at once. */
const fitting = new Map<string, ReadonlyArray<string>>(
  Object.entries({
    limit: ["1", "7", "1000"],
    skip: ["0", "1", "5", "9007199254740991"],
    block: ["3", "20", String(devnetHead)],
    orderBy: ["id", "txCount", "tick", "amount0", "pool", "symbol", "token0", "timestamp"],
    orderDirection: ["asc", "desc"],
    swap: ["true", "false"],
    mint: ["true", "false"],
    burn: ["true", "false"],
    base: ["true", "false"],
    quote: ["true", "false"],
    from: ["0", "1700000010000"],
    to: ["1700000030000", "8640000000000000"],
    logo: ["true", "false"]
  })
)

const nearPath = ({ parts, routes }: Words) =>
  Effect.gen(function* () {
    const base = (yield* pick(routes)).split("/")
    const at = yield* Random.nextIntBetween(1, base.length - 1)
    base[at] = yield* pick([...odd, ...parts])
    return base.join("/")
  })

const anyPath = ({ parts }: Words) =>
  Effect.map(
    many(
      7,
      Effect.flatMap(Random.nextBoolean, (isOdd) => pick(isOdd ? odd : parts))
    ),
    (all) => `/${all.join("/")}`
  )

const query = ({ names, values }: Words) =>
  Effect.gen(function* () {
    const isFitting = yield* Random.nextBoolean
    const pairs = yield* many(
      isFitting ? 3 : 5,
      Effect.gen(function* () {
        const name = yield* pick(names)
        return `${name}=${yield* pick((isFitting ? fitting.get(name) : undefined) ?? values)}`
      })
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

/** An exchange with this name exists: no request is sent to it. */
const atHome = (path: string) => path.replaceAll("/cex/cex/", "/cex/stub/")

/** One that Node's own client would refuse to write is percent-encoded. */
const writable = (path: string) => path.replace(/[^\x21-\x7e]/g, encodeURIComponent)

const anyCall = (words: Words): Effect.Effect<Call> =>
  Effect.gen(function* () {
    const kind = yield* Random.nextIntBetween(0, 9)
    const isOfDocument = yield* Random.nextBoolean
    const path = yield* isOfDocument
      ? documentedPath([...words.parts, ...words.values])
      : kind < 5
        ? pick(words.routes)
        : kind < 8
          ? nearPath(words)
          : anyPath(words)
    const isOther = (yield* Random.nextIntBetween(0, 9)) === 0
    const method = isOther ? yield* pick(["POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"]) : "GET"
    const whole = isOfDocument ? path : path + (yield* query(words))
    return { method, path: atHome(writable(whole)), headers: yield* anyHeaders, patienceMs: 10_000 }
  })

const allowed = [200, 204, 304, 400, 401, 404, 405, 414]

const assertSane = (sent: Call, reply: Reply) => {
  const what = `${JSON.stringify(sent)} ${reply.status} ${reply.body.slice(0, 300)}`
  assert.include(allowed, reply.status, what)
  assert.match(String(reply.headers["x-request-id"]), /^[\w.:-]{1,64}$/, what)
  assert.notInclude(reply.body, key, what)
  const type = reply.headers["content-type"]
  if (reply.status === 404 && type?.startsWith("text/html") === true) {
    // The page for a browser at a path that does not exist.
    assert.strictEqual(sent.headers?.["accept"], "text/html", what)
    return assert.notMatch(sent.path, /^\/(v2|live)(\/|\?|$)/, what)
  }
  if (reply.status >= 400 && sent.method !== "HEAD") toProblem(reply)
  if (/^\/v2(\/|\?|$)/.test(sent.path) && reply.status !== 204 && reply.status !== 304) {
    assert.strictEqual(type, reply.status === 200 ? "application/json" : "application/problem+json", what)
  }
  if (reply.body !== "" && type?.includes("json") === true) JSON.parse(reply.body)
  assertDeclared(sent, reply)
}

/** Sends the requests of the seed, and checks every response. */
const checkAll = (words: Words) =>
  Effect.gen(function* () {
    const { log, origin } = yield* RunningService
    const statuses = new Map<number, number>()
    const served = new Set<string | undefined>()
    const send = (sent: Call) =>
      Effect.map(call(origin, sent), (reply) => {
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        if (reply.status === 200) served.add(findRoute(sent.path.split("?", 1)[0] ?? "")?.template)
        assertSane(sent, reply)
      })
    // Chance alone might give no operation all that it needs.
    const plain = words.routes.map((path) => ({ method: "GET", path, headers: { "api-key": key }, patienceMs: 10_000 }))
    yield* Effect.forEach(plain, send, { concurrency: 8, discard: true })
    for (let made = 0; made < requests; made += atOnce) {
      const count = Math.min(atOnce, requests - made)
      const calls = yield* Effect.all(Array.from({ length: count }, () => anyCall(words))).pipe(
        Random.withSeed(`${seed}${made === 0 ? "" : made}`)
      )
      yield* Effect.forEach(calls, send, { concurrency: 8, discard: true })
    }
    yield* Console.log(`${requests} requests: ${JSON.stringify([...statuses])}`)
    // Not all of the requests are rejected early.
    for (const status of [200, 400, 401, 404, 405]) assert.isAbove(statuses.get(status) ?? 0, 10, `${status}`)
    for (const route of words.routes)
      assert.isTrue(served.has(findRoute(route)?.template), `${route} was never answered`)
    assert.deepStrictEqual(
      log.filter((line) => /"level":"(ERROR|FATAL)"/i.test(line)),
      []
    )
    return statuses
  })

describe("any request", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect(
      `is answered as the interface says (${requests} requests of the seed "${seed}")`,
      () => checkAll(cexAndBlocks),
      patienceMs
    )
  })
})

describe("any request to decentralized exchanges", () => {
  layer(overDevnet, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      `is answered as the interface says (${requests} requests of the seed "${seed}")`,
      () =>
        Effect.gen(function* () {
          const statuses = yield* checkAll(dexes)
          assert.isAbove(statuses.get(200) ?? 0, requests / 10)
        }),
      patienceMs
    )
  })
})
