import * as BlocksOperations from "@chaintape/core/api/BlocksOperations"
import * as Operations from "@chaintape/core/api/CexOperations"
import * as System from "@chaintape/core/api/SystemOperations"
import { Market } from "@chaintape/core/cex/Market"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { type Behaviour, json, problem, stubService, text, unreachable } from "./StubService.ts"

const good = json([])
const market = Market.make("BTC/USD")
const once = { attempts: 1 }

/** A client whose calls are single attempts, and a service that the test controls. */
const oneByOne = (first: ReturnType<Behaviour>) =>
  Effect.gen(function* () {
    let behaviour = first
    const { client, requests } = yield* stubService(() => behaviour, { retry: once })
    let calls = 0
    /** A request that no other call shares, and its result. */
    const tag = Effect.suspend(() => client.call(BlocksOperations.blocks, { blockchain: String(++calls) })).pipe(
      Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "good" })
    )
    return {
      client,
      requests,
      become: (next: ReturnType<Behaviour>) => {
        behaviour = next
      },
      tag,
      tags: (count: number) => Effect.all(Array.from({ length: count }, () => tag))
    }
  })

const outages: ReadonlyArray<readonly [string, ReturnType<Behaviour>]> = [
  ["no connection", unreachable],
  ["an answer that is cut off", text('[{"num')],
  ["a proxy's 502", text("<html>bad gateway</html>", 502)],
  ["a proxy's 503", text("", 503)],
  ["a proxy's 504", text("", 504)]
]

const alive: ReadonlyArray<readonly [string, ReturnType<Behaviour>]> = [
  ["a good answer", good],
  ["400", problem(400, "invalid-parameter", { issues: [] })],
  ["401", problem(401, "missing-api-key")],
  ["404", text("", 404)],
  ["429", problem(429, "rate-limited", { retryAfterMs: 100 })],
  ["internal", problem(500, "internal")],
  ["a source that fails", problem(502, "upstream-failed", { source: "kraken", reason: "unavailable" })],
  ["a store that is not ready", problem(503, "not-ready", { retryAfterMs: 1000 })],
  ["an operation that is overloaded", problem(503, "overloaded", { retryAfterMs: 1000 })]
]

describe("the circuit", () => {
  it.effect.each(outages)("opens after ten attempts that met %s", ([, behaviour]) =>
    Effect.gen(function* () {
      const { requests, tags } = yield* oneByOne(behaviour)
      const seen = yield* tags(13)
      assert.notInclude(seen.slice(0, 10), "CircuitOpen")
      assert.deepStrictEqual(seen.slice(10), ["CircuitOpen", "CircuitOpen", "CircuitOpen"])
      assert.lengthOf(requests, 10)
    })
  )

  it.effect.each(alive)("stays closed however often the service answers %s", ([, behaviour]) =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => behaviour, { retry: once })
      for (const _ of Array.from({ length: 30 })) {
        yield* Effect.result(client.call(Operations.lastTrade, { exchange: "kraken", market }))
      }
      assert.lengthOf(requests, 30)
    })
  )

  it.effect.each(alive)("counts anew after %s", ([, behaviour]) =>
    Effect.gen(function* () {
      const { become, client, requests, tags } = yield* oneByOne(unreachable)
      yield* tags(9)
      become(behaviour)
      yield* Effect.result(client.call(Operations.lastTrade, { exchange: "kraken", market }))
      become(unreachable)
      assert.notInclude(yield* tags(10), "CircuitOpen")
      assert.lengthOf(requests, 20)
      assert.deepStrictEqual(yield* tags(1), ["CircuitOpen"])
    })
  )

  it.effect("says how many attempts failed, why, and when another try is worth it", () =>
    Effect.gen(function* () {
      const { client, tags } = yield* oneByOne(unreachable)
      yield* tags(10)
      yield* TestClock.adjust("1500 millis")
      const error = yield* Effect.flip(client.call(System.ping, {}))
      assert.deepInclude(error, { _tag: "CircuitOpen", operation: "system.ping", retryAfterMs: 3500, failures: 10 })
      assert.isTrue(error.isRetryable)
      assert.strictEqual(
        error.message,
        '"system.ping" was not sent, as the last 10 attempts failed: try again in 3500 ms. The last failure: ' +
          '"blocks.blocks" did not reach the service: fetch failed (after 1 attempt)'
      )
    })
  )

  it.effect("lets one attempt through when the cool-down is over, and stays open when it fails", () =>
    Effect.gen(function* () {
      const { requests, tags } = yield* oneByOne(unreachable)
      yield* tags(10)
      yield* TestClock.adjust("4999 millis")
      assert.deepStrictEqual(yield* tags(1), ["CircuitOpen"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* tags(3), ["TransportError", "CircuitOpen", "CircuitOpen"])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* tags(2), ["TransportError", "CircuitOpen"])
      assert.lengthOf(requests, 12)
    })
  )

  it.effect("closes with the first answer", () =>
    Effect.gen(function* () {
      const { become, tags } = yield* oneByOne(unreachable)
      yield* tags(10)
      become(good)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* tags(3), ["good", "good", "good"])
      become(unreachable)
      assert.notInclude(yield* tags(10), "CircuitOpen")
    })
  )

  it.effect("refuses others while the one attempt is under way, and lets the next through if it hangs", () =>
    Effect.gen(function* () {
      const { become, requests, tag, tags } = yield* oneByOne(unreachable)
      yield* tags(10)
      yield* TestClock.adjust("5 seconds")
      become(Effect.never)
      const probe = yield* Effect.forkChild(tag)
      yield* TestClock.adjust("4999 millis")
      assert.deepStrictEqual(yield* tags(2), ["CircuitOpen", "CircuitOpen"])
      yield* TestClock.adjust("1 millis")
      become(good)
      assert.deepStrictEqual(yield* tags(2), ["good", "good"])
      assert.lengthOf(requests, 13)
      yield* Fiber.interrupt(probe)
    })
  )

  it.effect("does not hear of a parameter that was refused before anything was sent", () =>
    Effect.gen(function* () {
      const { client, requests, tags } = yield* oneByOne(unreachable)
      yield* tags(9)
      const error = yield* Effect.flip(client.call(Operations.exchange, { exchange: "" }))
      assert.strictEqual(error._tag, "InvalidParameter")
      assert.deepStrictEqual(yield* tags(2), ["TransportError", "CircuitOpen"])
      assert.lengthOf(requests, 10)
    })
  )

  it.effect("does not hear of failures that began before the last answer", () =>
    Effect.gen(function* () {
      const { become, tag, tags } = yield* oneByOne(Effect.never)
      const old = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 20 }, () => tag),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("14 seconds")
      become(good)
      assert.strictEqual(yield* tag, "good")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([...new Set(yield* Fiber.join(old))], ["TimeoutError"])
      assert.deepStrictEqual(yield* tags(1), ["good"])
    })
  )

  it.effect("opens after ten attempts that had no answer in the time that the client gives", () =>
    Effect.gen(function* () {
      const { tag, tags } = yield* oneByOne(Effect.never)
      const fiber = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 10 }, () => tag),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("15 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* tags(1), ["CircuitOpen"])
    })
  )

  it.effect("stays closed for callers that have less time than the client gives", () =>
    Effect.gen(function* () {
      const { become, client, tag } = yield* oneByOne(Effect.never)
      const hasty = (caller: number) =>
        client.call(BlocksOperations.blocks, { blockchain: String(caller) }, { deadline: Duration.millis(50) })
      const fiber = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 30 }, (_, caller) => Effect.flip(hasty(caller))),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("50 millis")
      assert.deepStrictEqual([...new Set((yield* Fiber.join(fiber)).map(({ _tag }) => _tag))], ["TimeoutError"])
      become(good)
      assert.strictEqual(yield* tag, "good")
    })
  )

  it.effect("leaves a call that has made an attempt with the error of that attempt, without further waits", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => unreachable)
      const fiber = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 9 }, (_, caller) =>
            Effect.flip(client.call(BlocksOperations.blocks, { blockchain: String(caller) }))
          ),
          { concurrency: "unbounded" }
        )
      )
      yield* TestClock.adjust("1 second")
      const errors = yield* Fiber.join(fiber)
      assert.deepStrictEqual([...new Set(errors.map(({ _tag }) => _tag))], ["TransportError"])
      // Nine first attempts, and the second attempt that opened the circuit.
      assert.lengthOf(requests, 10)
    })
  )

  it.effect("of one client is not that of another", () =>
    Effect.gen(function* () {
      const one = yield* oneByOne(unreachable)
      const other = yield* oneByOne(good)
      yield* one.tags(10)
      assert.deepStrictEqual([yield* one.tag, yield* other.tag], ["CircuitOpen", "good"])
    })
  )

  it.effect("never opens where the policy says so", () =>
    Effect.gen(function* () {
      const { client, requests } = yield* stubService(() => unreachable, {
        retry: { ...once, failuresToOpen: Infinity }
      })
      for (const _ of Array.from({ length: 100 })) yield* Effect.result(client.call(System.ping, {}))
      assert.lengthOf(requests, 100)
    })
  )
})
