import { request } from "node:http"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { standardCapacity } from "../../../src/http/socket/LoadShedder.ts"
import { coinbaseStub } from "../../cex/ccxt/CoinbaseStub.ts"
import { evenTape } from "../../cex/ccxt/Sandbox.ts"
import type { Stub } from "../../cex/ccxt/StubExchange.ts"
import { stubExchange } from "../../cex/ccxt/StubExchange.ts"
import { raw, record, replies } from "../../HttpCall.ts"
import { key, keyed, metrics, plain, RunningService } from "../../RunningService.ts"
import { until } from "../../StartedProgram.ts"
import { stubbedService } from "../../StubbedService.ts"
import { assertProblem } from "../response/Problem.ts"

const host = "Host: chaintape.example\r\n"

describe("every answer", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect("has the security headers for browsers", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const malformed = yield* raw(origin, ["nonsense\r\n\r\n"], { answers: 1, quietMs: 400 })
        const answers = [
          yield* keyed("/v2/cex/exchanges"),
          yield* plain("/v2/cex/exchanges"),
          yield* plain("/nowhere"),
          yield* plain({ method: "POST", path: "/ping" }),
          yield* plain({ method: "OPTIONS", path: "/ping" }),
          yield* plain("/"),
          yield* plain("/status"),
          yield* plain("/docs"),
          ...replies(malformed.text)
        ]
        assert.strictEqual(answers.length, 9)
        for (const { headers, status } of answers) {
          assert.deepStrictEqual(
            [headers["x-content-type-options"], headers["referrer-policy"], headers["cross-origin-resource-policy"]],
            ["nosniff", "no-referrer", "cross-origin"],
            String(status)
          )
          assert.isUndefined(headers["access-control-allow-credentials"])
          assert.isUndefined(headers["server"])
          assert.isUndefined(headers["x-powered-by"])
        }
      })
    )

    it.effect("is a problem where the request has more than a hundred headers", () =>
      Effect.gen(function* () {
        const headers = (count: number) =>
          Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, "1"]))
        assert.strictEqual((yield* plain({ path: "/ping", headers: headers(90) })).status, 200)
        assertProblem(yield* plain({ path: "/ping", headers: headers(110) }), 431, "headers-too-large")
      })
    )
  })
})

const requestTimeouts = { headersMs: 800, requestMs: 1600 }

describe("a caller who sends a little now and then", () => {
  layer(RunningService.layer({ config: {}, listening: { requestTimeouts } }), { excludeTestServices: true })((it) => {
    const trickle = (begin: string, piece: string) =>
      Effect.gen(function* () {
        const { hostname, port } = new URL((yield* RunningService).origin)
        const { connect } = yield* Effect.promise(() => import("node:net"))
        const started = yield* Clock.currentTimeMillis
        yield* Effect.callback<void>((resume) => {
          const socket = connect(Number(port), hostname, () => socket.write(begin))
          const timer = setInterval(() => socket.write(piece), 50)
          socket.on("error", () => {})
          socket.on("close", () => {
            clearInterval(timer)
            resume(Effect.void)
          })
        })
        return (yield* Clock.currentTimeMillis) - started
      })

    it.effect(
      "is waited for as long as a request may take, in its headers and in its body",
      () =>
        Effect.gen(function* () {
          const many = <E, R>(one: Effect.Effect<number, E, R>) =>
            Effect.all(
              Array.from({ length: 50 }, () => one),
              { concurrency: "unbounded" }
            )
          // No caller ends its connection, and the runtime would wait for a minute and more: that of each ends at all.
          const [inHeaders, inBody, others] = yield* Effect.all(
            [
              many(trickle(`GET /ping HTTP/1.1\r\n${host}`, "x-more: 1\r\n")),
              many(trickle(`GET /nowhere HTTP/1.1\r\n${host}Content-Length: 100000\r\n\r\n`, "x")),
              Effect.forEach(Array.from({ length: 10 }), () => Effect.delay(plain("/ping"), "100 millis"))
            ],
            { concurrency: "unbounded" }
          ).pipe(Effect.timeout("50 seconds"))
          assert.isTrue(others.every(({ status }) => status === 200))
          assert.isAtLeast(Math.min(...inHeaders), requestTimeouts.headersMs)
          assert.isAtLeast(Math.min(...inBody), requestTimeouts.requestMs)
        }),
      120_000
    )
  })
})

/** An exchange that never returns trades. */
class Hanging extends Context.Service<Hanging, Stub>()("@chaintape/server/test/http/Hanging") {
  static readonly layer = Layer.effect(
    Hanging,
    Effect.suspend(() => {
      const coinbase = coinbaseStub(evenTape(50))
      return stubExchange((path, query) =>
        path.endsWith("/trades") ? { body: "", hang: true } : coinbase(path, query)
      )
    })
  )
}

const over = (capacity: Partial<typeof standardCapacity>) =>
  Layer.unwrap(
    Effect.map(Hanging, ({ rest }) =>
      RunningService.layer({
        config: { exchanges: [{ id: "stub", driver: "coinbaseexchange", rest }] },
        listening: { capacity: { ...standardCapacity, ...capacity } }
      })
    )
  ).pipe(Layer.provideMerge(Hanging.layer))

const trades = "/v2/cex/stub/BTC-USD/trades?limit=5"

describe("requests beyond what may wait at once", () => {
  layer(over({ waiting: 2 }), { excludeTestServices: true })((it) => {
    it.effect("are refused at once, before the key is read, except health probes", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { hostname, port } = new URL(origin)
        const { requests } = yield* Hanging
        const asked = () => requests.filter((one) => one.includes("/trades")).length
        let answered = 0
        const held = yield* Effect.acquireRelease(
          Effect.sync(() =>
            // Requests for one market would share a call.
            ["BTC-USD", "ETH-USD"].map((product) => {
              const outgoing = request({
                hostname,
                port,
                path: `${trades.replace("BTC-USD", product)}&apiKey=chaintape_test-key-of-the-running-service`,
                agent: false
              })
              outgoing.on("response", () => (answered += 1)).on("error", () => {})
              outgoing.end()
              return outgoing
            })
          ),
          (opened) => Effect.sync(() => opened.forEach((one) => one.destroy()))
        )
        yield* until("the exchange to hold both", () => asked() === 2)
        const refused = yield* plain({ path: trades, headers: { "x-request-id": "mine" } })
        // It did not wait for the others' calls, nor make one.
        assert.deepStrictEqual([answered, asked()], [0, 2])
        assert.strictEqual(assertProblem(refused, 503, "overloaded").requestId, "mine")
        assert.include(record(refused)["detail"], "2 requests are waiting already")
        assert.strictEqual(refused.headers["retry-after"], "1")
        assert.strictEqual(record(refused)["retryAfterMs"], 1000)
        assert.strictEqual(refused.headers["access-control-allow-origin"], "*")
        assert.strictEqual((yield* plain("/health/live")).status, 200)
        assert.match(yield* metrics, /^chaintape_http_refused_total\{reason="waiting"\} [1-9]/m)
        for (const one of held) one.destroy()
        yield* keyed("/v2/cex/stub").pipe(Effect.repeat({ until: ({ status }) => status === 200 }))
      })
    )
  })
})

describe("requests beyond what the thread can do", () => {
  layer(over({ stretchMs: 0.001, atLeast: 4 }), { excludeTestServices: true })((it) => {
    it.effect("are refused at once, except for a few, until the thread has caught up", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        yield* keyed("/v2/cex/stub")
        const one = `GET /v2/cex/stub HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`
        const answers = replies((yield* raw(origin, [one.repeat(100)], { answers: 100, quietMs: 50 })).text)
        assert.lengthOf(answers, 100)
        const refused = answers.filter(({ status }) => status !== 200)
        assert.isAbove(refused.length, 0)
        for (const reply of refused) {
          assertProblem(reply, 503, "overloaded")
          assert.include(record(reply)["detail"], "more work than it can do")
          assert.strictEqual(reply.headers["retry-after"], "1")
        }
        // One of the four may have arrived before.
        assert.isAtLeast(answers.length - refused.length, 3)
        assert.match(yield* metrics, /^chaintape_http_refused_total\{reason="busy"\} [1-9]/m)
        yield* keyed("/v2/cex/stub").pipe(Effect.repeat({ until: ({ status }) => status === 200 }))
      })
    )
  })
})

describe("an answer that does not begin in time", () => {
  layer(over({ timeoutMs: 400 }), { excludeTestServices: true })((it) => {
    it.effect("is abandoned with a problem of its operation", () =>
      Effect.gen(function* () {
        yield* keyed("/v2/cex/stub")
        const reply = yield* keyed(trades)
        assertProblem(reply, 503, "overloaded")
        assert.include(String(record(reply)["detail"]), "did not respond within 0.4 s")
        assert.strictEqual(reply.headers["retry-after"], "5")
      })
    )
  })
})
