import { inspect } from "node:util"
import { ChaintapeError, type ClientOptions, TransportError } from "@chaintape/core"
import { CexStream, createClient } from "@chaintape/core/promise"
import { assert, describe, it } from "@effect/vitest"
import * as Console from "effect/Console"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import * as Operations from "../../src/api/CexOperations.ts"
import { Market } from "../../src/cex/Market.ts"
import { tradePages } from "../../src/stream/TradeStream.ts"
import { liveMarket, place } from "../live/LiveMarket.ts"
import { goOn } from "../live/LiveWire.ts"
import { json, problem, stubService } from "./StubService.ts"

describe("the hooks of a client", () => {
  it.effect("are called for each attempt, with the address and without the key", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [string, object]> = []
      const hooks: Partial<ClientOptions> = {
        onRequest: (event) => seen.push(["request", event]),
        onResponse: (event) => seen.push(["response", event]),
        onRetry: ({ error, ...event }) => seen.push(["retry", { ...event, tag: error._tag }])
      }
      const { client } = yield* stubService(
        (count) => (count === 1 ? problem(503, "overloaded", { retryAfterMs: 1000 }) : json([])),
        {
          ...hooks,
          apiKey: Redacted.make("canary"),
          apiKeyLocation: "both"
        }
      )
      const fiber = yield* Effect.forkChild(client.call(Operations.exchanges, {}))
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(fiber)
      const event = { operation: "cex.exchanges", url: "http://stub.test/v2/cex/exchanges" }
      assert.deepStrictEqual(
        seen.map(([kind]) => kind),
        ["request", "response", "retry", "request", "response"]
      )
      assert.deepStrictEqual(seen[0]?.[1], { ...event, attempt: 1 })
      assert.deepInclude(seen[1]?.[1], { ...event, attempt: 1, status: 503 })
      assert.deepInclude(seen[2]?.[1], { ...event, attempt: 1 })
      assert.deepStrictEqual(seen[3]?.[1], { ...event, attempt: 2 })
      assert.notInclude(JSON.stringify(seen), "canary")
    })
  )

  it.effect(
    "are called with the reason and the wait when a live stream has ended, and the span records the reason",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_000_000)
        const seen: Array<object> = []
        const shown = Array.from({ length: 20 }, (_, second) => 1_000_000 + second * 1000)
        const { read } = yield* liveMarket(
          { shown: shown.map((time) => ({ time, shownAt: time })), lives: [{ events: 3, end: "closed" }] },
          { onReconnect: (event) => seen.push(event), apiKey: Redacted.make("canary"), apiKeyLocation: "both" }
        )
        const spanEvents: Array<readonly [string, unknown]> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            const { event } = span
            span.event = (name, time, attributes) => {
              spanEvents.push([name, attributes?.["reason"]])
              event.call(span, name, time, attributes)
            }
            return span
          }
        })
        const stream = tradePages(read, { ...place, since: DateTime.makeUnsafe(1_000_000), live: true })
        const fiber = yield* Stream.runDrain(stream).pipe(
          Effect.withSpan("reader"),
          Effect.withTracer(tracer),
          Effect.forkChild
        )
        yield* goOn(15_000)
        yield* Fiber.interrupt(fiber)
        assert.lengthOf(seen, 1)
        const [event] = seen
        assert.deepInclude(event, { operation: "cex.liveTrades", attempt: 1, reason: "lost" })
        assert.nestedProperty(event, "delayMilliseconds")
        assert.match(
          JSON.stringify(event),
          /"url":"http:\/\/stub.test\/live\/cex\/model\/BTC-USD\/trades\?since=1000000"/
        )
        assert.notInclude(JSON.stringify(seen), "canary")
        assert.deepStrictEqual(
          spanEvents.filter(([name]) => name === "chaintape.reconnect"),
          [["chaintape.reconnect", "lost"]]
        )
      })
  )

  it.each(["onRequest", "onResponse", "onRetry", "onReconnect"])("are refused where %s is no function", (name) => {
    assert.throws(() => createClient({ baseUrl: "http://stub.test", [name]: "log" }), TypeError, `${name} is "log"`)
  })
})

describe("the log level of a client", () => {
  const levels: ReadonlyArray<readonly [ClientOptions["logLevel"], ReadonlyArray<readonly [string, RegExp]>]> = [
    [undefined, []],
    ["off", []],
    ["warn", [["warn", /^chaintape: attempt 2 in 1000 ms: .*overloaded/i]]],
    [
      "debug",
      [
        ["debug", /^chaintape: cex\.exchanges: GET http:\/\/stub\.test\/v2\/cex\/exchanges, attempt 1$/],
        ["debug", /^chaintape: cex\.exchanges: 503 in \d+ ms from http:/],
        ["warn", /^chaintape: attempt 2 in 1000 ms: /],
        ["debug", /^chaintape: cex\.exchanges: GET http:.*, attempt 2$/],
        ["debug", /^chaintape: cex\.exchanges: 200 in \d+ ms from http:/]
      ]
    ]
  ]

  it.effect.each(levels)(
    "%s decides what the console of the program gets, never with the key",
    ([logLevel, expected]) =>
      Effect.gen(function* () {
        const { client } = yield* stubService(
          (count) => (count === 1 ? problem(503, "overloaded", { retryAfterMs: 1000 }) : json([])),
          { logLevel, apiKey: Redacted.make("canary"), apiKeyLocation: "both" }
        )
        const lines: Array<readonly [string, string]> = []
        const written = (level: string) => (text: string) => {
          lines.push([level, text])
        }
        const fiber = yield* client.call(Operations.exchanges, {}).pipe(
          Effect.updateService(Console.Console, (console) => ({
            ...console,
            warn: written("warn"),
            debug: written("debug")
          })),
          Effect.forkChild
        )
        yield* TestClock.adjust("10 seconds")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(
          lines.map(([level]) => level),
          expected.map(([level]) => level)
        )
        for (const [at, [, pattern]] of expected.entries()) assert.match(lines[at]?.[1] ?? "", pattern)
        assert.notInclude(JSON.stringify(lines), "canary")
      })
  )

  it("that does not exist is refused", () => {
    const options = { baseUrl: "http://stub.test", logLevel: "verbose" }
    // @ts-expect-error: without types a caller can pass anything.
    assert.throws(() => createClient(options), TypeError, 'logLevel is "verbose": it must be one of off, warn, debug')
  })
})

const refuse: typeof globalThis.fetch = async () => {
  throw new TypeError("fetch failed")
}

describe("an error", () => {
  it.effect("names the address without the key", () =>
    Effect.gen(function* () {
      const { client } = yield* stubService(() => Effect.never, {
        baseUrl: "http://stub.test/tape/",
        apiKey: Redacted.make("canary"),
        apiKeyLocation: "query",
        retry: { attempts: 1 }
      })
      const market = Market.make("BTC/USD")
      const fiber = yield* Effect.forkChild(
        Effect.flip(client.call(Operations.trades, { exchange: "a", market, limit: 5 }))
      )
      yield* TestClock.adjust("1 minute")
      const error = yield* Fiber.join(fiber)
      assert.include(error.message, "http://stub.test/tape/v2/cex/a/BTC-USD/trades?limit=5 ")
      assert.notMatch(error.message, /canary/)
    })
  )

  it("says why where the innermost cause says nothing", async () => {
    const silent = async () => Promise.reject(new TypeError("fetch failed", { cause: new Error("") }))
    const chaintape = createClient({ baseUrl: "http://stub.test", retry: { attempts: 1 }, fetch: silent })
    const error = await chaintape.cex.exchanges().catch((error: unknown) => error)
    assert.match(String(error), /had no complete response: fetch failed \(after 1 attempt\)/)
  })

  it("is a ChaintapeError with the frame of its caller", async () => {
    const chaintape = createClient({ baseUrl: "http://stub.test", retry: { attempts: 1 }, fetch: refuse })
    const error = await chaintape.cex.exchanges().then(
      () => undefined,
      (error: unknown) => error
    )
    assert.isTrue(error instanceof ChaintapeError)
    assert.instanceOf(error, TransportError)
    assert.match(String(error instanceof Error ? error.stack : ""), /^TransportError: .*\n.*Hooks\.test\.ts/)
    assert.match(inspect(error), /^TransportError: .*\n.*Hooks\.test\.ts[^]*operation: 'cex\.exchanges'/)
    const wrong = await chaintape.cex.exchange({ exchange: "" }).then(
      () => undefined,
      (error: unknown) => error
    )
    assert.isTrue(wrong instanceof ChaintapeError)
    assert.match(inspect(wrong), /^InvalidParameter: Parameter "exchange".*\n.*Hooks\.test\.ts/)
    assert.isFalse(new TypeError("mine") instanceof ChaintapeError)
  })

  it("has the frame of the loop that reads a stream, and shows it", async () => {
    const chaintape = createClient({ baseUrl: "http://stub.test", retry: { attempts: 1 }, fetch: refuse })
    const read = async () => {
      for await (const _ of CexStream.trades(chaintape, { exchange: "a", market: "BTC/USD", since: 0 }))
        return undefined
    }
    const error = await read().catch((error: unknown) => error)
    assert.instanceOf(error, TransportError)
    assert.match(inspect(error), /^TransportError: .*\n.*Hooks\.test\.ts/)
  })
})
