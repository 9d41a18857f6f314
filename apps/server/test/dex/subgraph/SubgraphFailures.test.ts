import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Logger, Option, Tracer } from "effect"
import { TestClock } from "effect/testing"
import type { DexReadError, DexView } from "../../../src/dex/DexSource.ts"
import { errors } from "./GraphqlServer.ts"
import type { Answer, Call } from "./GraphqlServer.ts"
import { deployment, poolQuery, secret, tradeQuery, toSubgraph, tokenQuery, toView } from "./SubgraphProbe.ts"

type Server = (call: Call) => Answer | undefined

/** Runs to the end, skipping all delays. */
const ending = Effect.fnUntraced(function* <A, E>(run: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(Effect.exit(run))
  yield* TestClock.adjust("1 minute")
  return yield* Fiber.join(fiber)
})

const toFailure = Effect.fnUntraced(function* <A, E>(run: Effect.Effect<A, E>) {
  const exit = yield* ending(run)
  return Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
})

const dexFailure = Effect.fnUntraced(function* <A>(run: Effect.Effect<A, DexReadError>) {
  const failure = yield* toFailure(run)
  return failure?._tag === "DexSourceError" ? failure : assert.fail("no failure of the source")
})

/** A server that responds correctly to everything except rows. */
const brokenRows = (answer: (call: Call) => Answer | undefined): Server => {
  const good = toSubgraph("basic")
  return (call) => (call.body.includes("rows:") ? answer(call) : good(call))
}

const tooNew =
  "Failed to decode `block.number` value: `subgraph QmX has only indexed up to block number 61 and data for block number 62 is therefore not yet available`"

const said = (status: number, body: string, headers: { readonly [name: string]: string } = {}) => ({
  status,
  body,
  headers
})

describe("candles of a subgraph", () => {
  it.effect("are refused by the name of the deployment, with what to ask for instead", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("basic"))
      const query = { from: Option.none(), to: Option.none(), limit: 1, seconds: 60 }
      const failure = yield* toFailure(view.candles("0x1", query))
      assert.strictEqual(failure?._tag, "UnknownValueError")
      assert.strictEqual(
        failure?.message,
        `The subgraph of "${deployment}" has no exact candles: ask for the swaps of the pool, or for a deployment that ` +
          "the service indexes."
      )
    })
  )
})

const cases: ReadonlyArray<readonly [string, Answer | undefined, string, string, number]> = [
  ["an indexing error", errors("indexing_error"), "BadResponse", "stopped at an error of its own indexing", 1],
  [
    "an unknown error",
    errors("Type `Pool` has no field `x`"),
    "BadResponse",
    "an error that the service does not know",
    1
  ],
  ["a lagging node", errors(tooNew), "Unavailable", "does not have block 62, which it had a moment ago", 5],
  [
    "a gateway of which one indexer lags and one fails",
    errors("bad indexers: {0xab: Unavailable(missing block: 62, latest: 61), 0xcd: BadResponse(500)}"),
    "Unavailable",
    "cannot answer now",
    5
  ],
  [
    "a gateway that names no head of its indexers",
    errors("bad indexers: missing block"),
    "Unavailable",
    "cannot answer now",
    5
  ],
  [
    "a gateway without indexers",
    errors("bad indexers: {0xab: BadResponse(500)}"),
    "Unavailable",
    "cannot answer now",
    5
  ],
  ["a refused key", errors(`auth error: malformed API key ${secret}`), "Refused", "refused the service's key", 1],
  ["a limit inside an answer", errors("Too many requests, slow down"), "Busy", "limits the service", 1],
  ["a query that took too long", errors("query timed out"), "Timeout", "ran out of time", 5],
  ["status 401", said(401, "no"), "Refused", "answered with status 401", 1],
  ["status 402", said(402, "{}"), "Refused", "answered with status 402", 1],
  ["status 403", said(403, "<html>"), "Refused", "answered with status 403", 1],
  ["status 404", said(404, "gone"), "BadResponse", "answered with status 404", 1],
  ["status 429", said(429, "", { "retry-after": "7" }), "Busy", "limits the service", 1],
  ["status 500", said(500, "oops"), "Unavailable", "answered with status 500", 5],
  ["status 504", said(504, ""), "Timeout", "answered with status 504", 5],
  ["a page instead of JSON", said(200, "<!doctype html>"), "BadResponse", "answered with no GraphQL reply", 1],
  ["JSON that is no reply", said(200, "[1]"), "BadResponse", "answered with no GraphQL reply", 1],
  ["a reply without data", said(200, "{}"), "BadResponse", "answered with data of another form", 1],
  [
    "rows of another form",
    said(200, `{"data":{"rows":[{"id":7}],"_meta":{"block":{},"hasIndexingErrors":false}}}`),
    "BadResponse",
    "answered with data of another form",
    1
  ],
  ["silence", undefined, "Timeout", "did not answer within 10 seconds", 2]
]

describe("a failing subgraph", () => {
  it.effect("that ignores the pool that it is asked for has no trades of another one in its place", () =>
    Effect.gen(function* () {
      const good = toSubgraph("basic")
      const view = yield* toView((call) =>
        good({ ...call, body: call.body.replace(/"pool":"0x[^"]*",/, "").replace(/,?"pool":"0x[^"]*"/, "") })
      )
      const failure = yield* dexFailure(view.trades("swap", { pool: `0x${"a".repeat(40)}` }, tradeQuery({ limit: 1 })))
      assert.strictEqual(failure.reason, "BadResponse")
      assert.include(failure.message, "answered with rows that it was not asked for")
    })
  )

  it.effect.each([
    ["the id", /"where":\{"id":"[^"]*"\}/, '"where":{}'],
    ["the number of rows", /"first":\d+/, '"first":1000']
  ] as const)("that ignores %s that it is asked for has no other pool in its place", ([, part, other]) =>
    Effect.gen(function* () {
      const good = toSubgraph("basic")
      const view = yield* toView((call) => good({ ...call, body: call.body.replace(part, other) }))
      const one = { ...poolQuery(), limit: 1 }
      const query = other.includes("where") ? { ...one, id: Option.some(`0x${"a".repeat(40)}`) } : one
      const failure = yield* dexFailure(view.pools(query))
      assert.strictEqual(failure.reason, "BadResponse")
      assert.include(failure.message, "answered with rows that it was not asked for")
    })
  )

  for (const [name, answer, reason, sentence, calls] of cases) {
    it.effect(`${name} is a failure "${reason}" after ${calls === 1 ? "one attempt" : `${calls} attempts`}`, () =>
      Effect.gen(function* () {
        let asked = 0
        const server = brokenRows(() => {
          asked++
          return answer
        })
        const view = yield* toView(server)
        const failure = yield* dexFailure(view.pools(poolQuery()))
        assert.strictEqual(failure.source, deployment)
        assert.strictEqual(failure.reason, reason)
        assert.include(failure.message, sentence)
        assert.match(failure.message, /^The subgraph of "uniswap-v3\/testnet" .*\.$/)
        assert.strictEqual(asked, calls)
      })
    )
  }

  it.effect("is asked again after a temporary failure", () =>
    Effect.gen(function* () {
      const good = toSubgraph("basic")
      let asked = 0
      const view = yield* toView(brokenRows((call) => (++asked < 4 ? said(503, "") : good(call))))
      const exit = yield* ending(view.tokens(tokenQuery()))
      assert.isTrue(Exit.isSuccess(exit))
      assert.strictEqual(asked, 4)
    })
  )

  it.effect("is not asked before its Retry-After has passed", () =>
    Effect.gen(function* () {
      const good = toSubgraph("basic")
      let asked = 0
      const view = yield* toView(
        brokenRows((call) => (++asked === 1 ? said(429, "", { "retry-after": "7" }) : good(call)))
      )
      const read = Effect.exit(view.tokens(tokenQuery()))
      const first = yield* Effect.flip(view.tokens(tokenQuery()))
      assert.strictEqual(first.retryAfterMs, 7000)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Effect.flip(view.tokens(tokenQuery()))).retryAfterMs, 2000)
      assert.strictEqual(asked, 1)
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(Exit.isSuccess(yield* read))
    })
  )

  it.effect("understands a date in Retry-After", () =>
    Effect.gen(function* () {
      const server = brokenRows(() => said(429, "", { "retry-after": "Thu, 01 Jan 1970 00:00:30 GMT" }))
      const view = yield* toView(server)
      assert.strictEqual((yield* Effect.flip(view.tokens(tokenQuery()))).retryAfterMs, 30_000)
    })
  )

  it.effect("is not asked by more than eight at once", () =>
    Effect.gen(function* () {
      let asked = 0
      const view = yield* toView(
        brokenRows(() => {
          asked++
          return undefined
        })
      )
      const fiber = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 30 }, () => Effect.exit(view.hasToken("0x"))),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual(asked, 8)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("is refused if it reports errors of its data", () =>
    Effect.gen(function* () {
      const failure = yield* dexFailure(toView(toSubgraph("basic", { hasIndexingErrors: true })))
      assert.strictEqual(failure.reason, "BadResponse")
      assert.include(failure.message, "says of itself that its data has errors")
    })
  )

  it.effect("is refused if it changed to another branch", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("basic", { getHash: () => "0xother" }))
      const failure = yield* dexFailure(view.tokens(tokenQuery()))
      assert.strictEqual(failure.reason, "Unavailable")
      assert.include(failure.message, "went over to another branch at block 62")
    })
  )

  it.effect("is refused if another deployment answers in the middle of a read", () =>
    Effect.gen(function* () {
      let deployment = "QmFirst"
      const view = yield* toView((call) => toSubgraph("basic", { deployment })(call))
      deployment = "QmSecond"
      const failure = yield* dexFailure(view.tokens(tokenQuery()))
      assert.strictEqual(failure.reason, "Unavailable")
      assert.include(failure.message, "went over to another deployment while block 62 was read")
    })
  )

  it.effect("is refused where it does not have the schema", () =>
    Effect.gen(function* () {
      const view = yield* toView(toSubgraph("basic", { lacks: ["Swap"] }))
      const failure = yield* dexFailure(view.tokens(tokenQuery()))
      assert.include(failure.message, `it lacks the type "Swap"`)
    })
  )
})

describe("a block that the subgraph does not have", () => {
  const pool = "0xa1c6fae51f79c8590c436e74c028828986eae4f6"
  const gatewayFrom8: Server = (call) =>
    call.body.includes("AsOf")
      ? errors("bad query: requested block 7, before minimum `startBlock` of manifest 8")
      : toSubgraph("basic")(call)

  const getRange = Effect.fnUntraced(function* (server: Server, block: number) {
    const failure = yield* toFailure(toView(server, block))
    return failure?._tag === "BlockOutOfRangeError" ? [failure.block, failure.first, failure.head] : failure
  })

  it.effect("is out of range, with the head", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* getRange(toSubgraph("basic"), 63), [63, 0, 62])
      const gateway = errors("bad indexers: {0xab: Unavailable(missing block: 70, latest: 62)}")
      assert.deepStrictEqual(yield* getRange(() => gateway, 70), [70, 0, 62])
      const two = "0xab: Unavailable(missing block: 70, latest: 62), 0xcd: Unavailable(missing block: 70, latest: 69)"
      assert.deepStrictEqual(yield* getRange(() => errors(`bad indexers: {${two}}`), 70), [70, 0, 69])
    })
  )

  /** Answers as of this block, whichever one is asked for. */
  const answerAsOf =
    (block: number): Server =>
    (call) =>
      toSubgraph("basic")({ ...call, body: call.body.replace(/"number":\d+/, `"number":${block}`) })

  it.effect("is out of range, or a failure, if the subgraph answers as of its head instead", () =>
    Effect.gen(function* () {
      const server = answerAsOf(62)
      assert.deepStrictEqual(yield* getRange(server, 70), [70, 0, 62])
      assert.strictEqual((yield* dexFailure(toView(server, 20))).reason, "BadResponse")
      assert.strictEqual((yield* toView(server, 62)).asOf.number, 62)
    })
  )

  it.effect("is out of range only above the head, if the subgraph answers as of an older block instead", () =>
    Effect.gen(function* () {
      const server = answerAsOf(20)
      assert.deepStrictEqual(yield* getRange(server, 70), [70, 0, 62])
      assert.strictEqual((yield* dexFailure(toView(server, 40))).reason, "BadResponse")
    })
  )

  it.effect("is out of range, with the first block, if a pool is older than that: its state was pruned", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* getRange(toSubgraph("basic", { first: 9 }), 7), [7, 9, 62])
    })
  )

  it.effect.each([
    ["graph-node", toSubgraph("basic", { first: 8 })],
    ["a gateway", gatewayFrom8]
  ] as const)("has no pool, token or trade if it is before the first one of %s", ([, server]) =>
    Effect.gen(function* () {
      const view = yield* toView(server, 7)
      assert.deepStrictEqual(view.asOf, { number: 7, hash: undefined, finalized: false, proven: undefined })
      assert.deepStrictEqual(yield* view.deployment, Option.none())
      assert.deepStrictEqual(yield* view.tokens(tokenQuery()), [])
      assert.deepStrictEqual(yield* view.pools(poolQuery()), [])
      assert.isFalse(yield* view.hasPool(pool))
      assert.isFalse(yield* view.hasToken(pool))
      assert.deepStrictEqual(yield* view.trades("swap", { pool }, tradeQuery()), [])
      const now = yield* toView(server)
      assert.isTrue(yield* now.hasPool(pool))
    })
  )
})

describe("the key", () => {
  it.effect("goes into the header of every request, and nowhere else", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const logger = Logger.make(({ cause, message }) => seen.push(JSON.stringify([message, Cause.pretty(cause)])))
      const good = toSubgraph("basic")
      let asked = 0
      const server: Server = (call) => {
        asked++
        assert.strictEqual(call.headers["authorization"], `Bearer ${secret}`)
        assert.notInclude(call.body, secret)
        return call.body.includes("pools(") ? errors(`auth error: unknown API key ${secret}`) : good(call)
      }
      const use = (view: DexView) =>
        Effect.flip(view.pools(poolQuery())).pipe(Effect.tap((error) => Effect.logError(error)))
      const failure = yield* toView(server).pipe(
        Effect.flatMap(use),
        Effect.provide(Logger.layer([logger])),
        Effect.withTracer(tracer)
      )
      seen.push(JSON.stringify(failure), failure.message, String(failure.stack), String(failure.cause))
      for (const { attributes, events, name } of spans) seen.push(JSON.stringify([name, ...attributes, events]))
      assert.isAtLeast(asked, 3)
      assert.isAtLeast(spans.length, 3)
      assert.isAtLeast(seen.length, 8)
      for (const text of seen) assert.notInclude(text, secret)
    })
  )
})
