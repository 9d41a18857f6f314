import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as BlocksOperations from "../../../src/api/BlocksOperations.ts"
import * as Operations from "../../../src/api/CexOperations.ts"
import * as System from "../../../src/api/SystemOperations.ts"
import * as RetryPolicy from "../../../src/options/RetryPolicy.ts"
import {
  type Behaviour,
  brokenOff,
  drawing,
  gaps,
  json,
  problem,
  type SeenRequest,
  stubService,
  text,
  unreachable
} from "../StubService.ts"

const pong = json({ ping: "pong", ip: "127.0.0.1" })

/** Serves the results of a stub in order, the last one repeatedly. */
const inOrder =
  (...answers: ReadonlyArray<ReturnType<Behaviour>>): Behaviour =>
  (count) =>
    answers[Math.min(count, answers.length) - 1] ?? Effect.die("no answer is left")

/** Runs a call to its end; the test clock advances as much as it needs. */
const settled = <A, E>(call: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.result(call))
    yield* TestClock.adjust("10 minutes")
    return yield* Fiber.join(fiber)
  })

const failureOf = <A, E>(call: Effect.Effect<A, E>) =>
  settled(call).pipe(Effect.flatMap(Effect.fromResult), Effect.flip)

const retried: ReadonlyArray<readonly [string, ReturnType<Behaviour>]> = [
  ["no connection", unreachable],
  ["an answer that is cut off in the text", text('{"ping": "po', 200)],
  ["an answer that breaks off", brokenOff('{"ping": "po')],
  ["internal", problem(500, "internal")],
  ["a proxy's 502 without a problem", text("<html>bad gateway</html>", 502)],
  ["a proxy's 503 without a problem", text("", 503)],
  ["a proxy's 504 without a problem", text("", 504)],
  ["a proxy's 429 without a problem", text("slow down", 429)],
  ["a 408", text("", 408)]
]

const final: ReadonlyArray<readonly [string, ReturnType<Behaviour>, string]> = [
  ["400", problem(400, "invalid-parameter", { issues: [] }), "InvalidParameter"],
  ["401 without a key", problem(401, "missing-api-key"), "MissingApiKey"],
  ["401 with a wrong key", problem(401, "invalid-api-key"), "InvalidApiKey"],
  ["403 of a limited key", problem(403, "key-not-allowed", { group: "cex" }), "KeyNotAllowed"],
  ["a quota that is used up", problem(429, "quota-exceeded", { retryAfterMs: 3_600_000 }), "QuotaExceeded"],
  ["404", problem(404, "exchange-not-found", { exchange: "nowhere" }), "ExchangeNotFound"],
  ["404 of something else", text("<html>not found</html>", 404), "UnexpectedResponse"],
  ["403 of a proxy", text("", 403), "UnexpectedResponse"],
  ["a body that is not what the operation answers", json({ name: 1 }), "UnexpectedResponse"]
]

describe("of a client,", () => {
  describe("a call", () => {
    it.effect.each(retried)("is tried again after %s", ([, answer]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(inOrder(answer, pong))
        const answered = yield* settled(client.call(System.ping, {})).pipe(Effect.flatMap(Effect.fromResult))
        assert.strictEqual(answered.value.ping, "pong")
        assert.lengthOf(requests, 2)
      })
    )

    it.effect.each(final)("is not tried again after %s", ([, answer, tag]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => answer)
        const error = yield* failureOf(client.call(Operations.exchange, { exchange: "nowhere" }))
        assert.strictEqual(error._tag, tag)
        assert.lengthOf(requests, 1)
      })
    )

    it.effect("is tried four times at most, and fails with the last error and the number of attempts", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable)
        const error = yield* failureOf(client.call(System.ping, {}))
        assert.lengthOf(requests, 4)
        assert.deepInclude(error, { _tag: "TransportError", attempts: 4, operation: "system.ping" })
      })
    )

    it.effect("is tried as often as the policy says", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable, { retry: { attempts: 1 } })
        yield* failureOf(client.call(System.ping, {}))
        assert.lengthOf(requests, 1)
      })
    )
  })

  describe("the policy of one call", () => {
    it.effect("replaces that of the client in what it names", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable, { retry: { attempts: 2 } })
        yield* failureOf(drawing(0)(client.call(System.ping, {}, { retry: { firstDelay: Duration.seconds(2) } })))
        assert.deepStrictEqual(gaps(requests), [1000])
        yield* failureOf(client.call(System.ping, {}, { retry: { attempts: 1 } }))
        assert.lengthOf(requests, 3)
        yield* failureOf(client.call(System.ping, {}))
        assert.lengthOf(requests, 5)
      })
    )

    it.effect.each(["of the client", "of the call"])("does not change if an option %s is undefined", (whose) =>
      Effect.gen(function* () {
        // As in programs compiled without exactOptionalPropertyTypes.
        const nothing: object = { attempts: undefined, attemptTimeout: undefined, deadline: undefined }
        const retry = { ...nothing }
        const { client, requests } = yield* stubService(() => unreachable, { retry })
        const options = whose === "of the call" ? { retry: { ...nothing } } : undefined
        const call = yield* Effect.forkChild(Effect.flip(client.call(Operations.exchanges, {}, options)))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* Fiber.join(call))._tag, "TransportError")
        assert.lengthOf(requests, 4)
      })
    )

    it.effect("can be none, without a change of the client's budget", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable)
        yield* failureOf(client.call(System.ping, {}, { retry: RetryPolicy.none }))
        assert.lengthOf(requests, 1)
        yield* failureOf(client.call(System.ping, {}))
        assert.lengthOf(requests, 5)
      })
    )

    it.effect("has a deadline, which the deadline of the call replaces", () =>
      Effect.gen(function* () {
        const { client } = yield* stubService(() => Effect.never)
        const retry = { deadline: Duration.millis(300) }
        const one = yield* failureOf(client.call(System.ping, {}, { retry }))
        assert.deepInclude(one, { _tag: "RequestTimeout", milliseconds: 300 })
        const other = yield* failureOf(client.call(System.ping, {}, { retry, deadline: Duration.millis(200) }))
        assert.deepInclude(other, { _tag: "RequestTimeout", milliseconds: 200 })
      })
    )
  })

  describe("RetryPolicy.none", () => {
    it.effect("sends each call once, at once, and however many have failed", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable, { retry: RetryPolicy.none })
        for (const _ of Array.from({ length: 30 })) {
          assert.strictEqual((yield* Effect.flip(client.call(System.ping, {})))._tag, "TransportError")
        }
        assert.lengthOf(requests, 30)
        assert.deepStrictEqual([...new Set(gaps(requests))], [0])
      })
    )
  })

  describe("the wait between attempts", () => {
    const waits = (draw: number, retry: Parameters<typeof stubService>[1]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => unreachable, retry)
        yield* failureOf(drawing(draw)(client.call(System.ping, {})))
        return gaps(requests)
      })
    const patient = { retry: { attempts: 8, deadline: Duration.minutes(5) } }

    it.effect("doubles up to its cap; half of it is fixed", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* waits(0, patient), [100, 200, 400, 800, 1600, 2500, 2500])
      })
    )

    it.effect("is drawn from the other half", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* waits(0.5, patient), [150, 300, 600, 1200, 2400, 3750, 3750])
      })
    )

    const asked: ReadonlyArray<readonly [string, ReturnType<Behaviour>]> = [
      ["the header Retry-After", problem(503, "not-ready", { retryAfterMs: 7000 }, { "retry-after": "7" })],
      ["the header Retry-After alone", text("", 503, { "retry-after": "7" })],
      ["retryAfterMs of the problem", problem(429, "rate-limited", { retryAfterMs: 7000 })]
    ]
    it.effect.each(asked)("is at least what %s asks for", ([, answer]) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(inOrder(answer, json([])))
        yield* settled(client.call(Operations.exchanges, {}))
        assert.deepStrictEqual(gaps(requests), [7000])
      })
    )

    it.effect("is the client's own where the service asks for less", () =>
      Effect.gen(function* () {
        const answer = problem(429, "rate-limited", { retryAfterMs: 1 })
        const { client, requests } = yield* stubService(inOrder(answer, json([])))
        yield* settled(drawing(0)(client.call(Operations.exchanges, {})))
        assert.deepStrictEqual(gaps(requests), [100])
      })
    )

    it.effect("that is asked for and too long fails the call at once with the problem", () =>
      Effect.gen(function* () {
        const answer = problem(429, "rate-limited", { retryAfterMs: 30_001 })
        const { client, requests } = yield* stubService(() => answer)
        const error = yield* Effect.flip(client.call(Operations.exchanges, {}))
        assert.deepInclude(error, { _tag: "RateLimited", retryAfterMs: 30_001 })
        assert.lengthOf(requests, 1)
      })
    )

    it.effect("of a Retry-After of any length is not shortened", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => text("", 503, { "retry-after": "99999999999" }))
        yield* Effect.flip(client.call(Operations.exchanges, {}))
        assert.lengthOf(requests, 1)
      })
    )

    it.effect("that does not fit before the deadline fails the call at once with the problem", () =>
      Effect.gen(function* () {
        const answer = problem(429, "rate-limited", { retryAfterMs: 20_000 })
        const { client, requests } = yield* stubService(() => answer)
        const error = yield* Effect.flip(client.call(Operations.exchanges, {}, { deadline: Duration.seconds(19) }))
        assert.strictEqual(error._tag, "RateLimited")
        assert.lengthOf(requests, 1)
      })
    )

    it.effect("after a Retry-After that is a date is at least until then", () =>
      Effect.gen(function* () {
        const answer = text("", 503, { "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" })
        const { client, requests } = yield* stubService(inOrder(answer, json([])))
        yield* settled(client.call(Operations.exchanges, {}))
        assert.deepStrictEqual(gaps(requests), [9000])
      })
    )
  })

  describe("time bounds", () => {
    it.effect("end an attempt that takes too long, and try again", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(inOrder(Effect.never, pong))
        const answered = yield* settled(drawing(0)(client.call(System.ping, {}))).pipe(
          Effect.flatMap(Effect.fromResult)
        )
        assert.strictEqual(answered.value.ping, "pong")
        assert.deepStrictEqual(gaps(requests), [15_100])
      })
    )

    it.effect("end a call at its deadline in any state", () =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(() => Effect.never)
        const fiber = yield* Effect.forkChild(Effect.flip(client.call(System.ping, {})))
        yield* TestClock.adjust("45 seconds")
        const error = yield* Fiber.join(fiber)
        assert.deepInclude(error, { _tag: "RequestTimeout", limit: "deadline", milliseconds: 45_000 })
        assert.lengthOf(requests, 3)
      })
    )

    it.effect("of one attempt are named when no attempt is left", () =>
      Effect.gen(function* () {
        const { client } = yield* stubService(() => Effect.never, { retry: { attempts: 1 } })
        const error = yield* failureOf(client.call(System.ping, {}))
        assert.deepInclude(error, { _tag: "RequestTimeout", limit: "attempt", milliseconds: 15_000, attempts: 1 })
        assert.strictEqual(
          error.message,
          '"system.ping" at http://stub.test/ping had no answer within 15000 ms (after 1 attempt)'
        )
      })
    )

    it.effect("include the body, not only the head of the answer", () =>
      Effect.gen(function* () {
        const hangs = Effect.sync(() => new Response(new ReadableStream({ start() {} }), { status: 200 }))
        const { client, requests } = yield* stubService(inOrder(hangs, pong))
        const answered = yield* settled(client.call(System.ping, {})).pipe(Effect.flatMap(Effect.fromResult))
        assert.strictEqual(answered.value.ping, "pong")
        assert.lengthOf(requests, 2)
      })
    )

    it.effect("of the call replace those of the client", () =>
      Effect.gen(function* () {
        const { client } = yield* stubService(() => Effect.never)
        const fiber = yield* Effect.forkChild(
          Effect.flip(client.call(System.ping, {}, { deadline: Duration.millis(250) }))
        )
        yield* TestClock.adjust("250 millis")
        const error = yield* Fiber.join(fiber)
        assert.deepInclude(error, { _tag: "RequestTimeout", limit: "deadline", milliseconds: 250 })
      })
    )
  })

  describe("the retries of one client", () => {
    const callers = 50
    const together = (behaviour: Behaviour, budget: number) =>
      Effect.gen(function* () {
        const { client, requests } = yield* stubService(behaviour, { retry: { retryBudget: budget } })
        const fiber = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: callers }, (_, caller) =>
              Effect.result(client.call(BlocksOperations.blocks, { blockchain: String(caller) }))
            ),
            { concurrency: "unbounded" }
          )
        )
        yield* TestClock.adjust("10 minutes")
        yield* Fiber.join(fiber)
        return requests
      })

    it.effect.each([0, 5, 20])("meet an outage with at most %i requests more than there are calls", (budget) =>
      Effect.gen(function* () {
        assert.lengthOf(yield* together(() => unreachable, budget), callers + budget)
      })
    )

    it.effect("give each call all of its attempts while they last", () =>
      Effect.gen(function* () {
        assert.lengthOf(yield* together(() => unreachable, 1000), callers * 4)
      })
    )

    it.effect("grow again with each success, up to the budget", () =>
      Effect.gen(function* () {
        let up = false
        const { client, requests } = yield* stubService(() => (up ? pong : unreachable), {
          retry: { retryBudget: 2, retryRefund: 0.5 }
        })
        const countOf = Effect.gen(function* () {
          const before: ReadonlyArray<SeenRequest> = [...requests]
          yield* settled(client.call(System.ping, {}))
          return requests.length - before.length
        })
        assert.strictEqual(yield* countOf, 3)
        assert.strictEqual(yield* countOf, 1)
        up = true
        for (const _ of [1, 2]) assert.strictEqual(yield* countOf, 1)
        up = false
        assert.strictEqual(yield* countOf, 2)
        up = true
        for (const _ of Array.from({ length: 20 })) yield* countOf
        up = false
        assert.strictEqual(yield* countOf, 3)
      })
    )
  })
})
