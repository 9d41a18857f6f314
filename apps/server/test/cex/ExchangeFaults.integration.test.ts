import { SandboxExchange } from "@chaintape/sandbox"
import type { Fault } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { stubNode } from "../blocks/rpc/StubNode.ts"
import { chainOf } from "../blocks/SyntheticChain.ts"
import { assertProblem, problemOf } from "../http/Problem.ts"
import { record } from "../HttpCall.ts"
import { keyed, plain, RunningService } from "../RunningService.ts"

/**
 * `sandbox`, `twin` and `triplet` are one exchange that suffers, each with a connection of its own; `down` is one that
 * does not listen. The chain beside them is well.
 */
const service = Layer.unwrap(
  Effect.gen(function* () {
    const { rest } = yield* SandboxExchange
    const { url } = yield* stubNode(chainOf([1, 2, 3]))
    return RunningService.layer({
      config: {
        exchanges: [
          ...["sandbox", "twin", "triplet"].map((id) => ({ id, driver: "coinbaseexchange", rest })),
          { id: "down", driver: "coinbaseexchange", rest: "http://127.0.0.1:1" }
        ],
        blockchains: [{ id: "well", name: "Well", rpc: [url] }]
      }
    })
  })
).pipe(Layer.provideMerge(Layer.orDie(SandboxExchange.layer({ rateLimit: "none", history: "10 minutes" }))))

const last = "/v2/cex/sandbox/BTC-USD/lasttrade"
const twin = last.replace("sandbox", "twin")
const triplet = last.replace("sandbox", "triplet")
const endpoint = "trades"

const faults: ReadonlyArray<readonly [what: string, fault: Fault, codes: ReadonlyArray<string>]> = [
  ["an error of its server", { kind: "server-error", status: 500, endpoint }, ["upstream-failed"]],
  ["503", { kind: "server-error", status: 503, endpoint }, ["upstream-failed", "upstream-busy"]],
  ["520", { kind: "server-error", status: 520, endpoint }, ["upstream-failed"]],
  ["a web page", { kind: "html-page", contentType: "html", endpoint }, ["upstream-failed"]],
  ["a web page that says it is JSON", { kind: "html-page", contentType: "json", endpoint }, ["upstream-failed"]],
  ["an empty body", { kind: "truncated-body", bytes: 0, contentLength: "matching", endpoint }, ["upstream-failed"]],
  ["half a body", { kind: "truncated-body", bytes: 300, contentLength: "matching", endpoint }, ["upstream-failed"]],
  ["a body cut off", { kind: "truncated-body", bytes: 300, contentLength: "original", endpoint }, ["upstream-failed"]],
  ["trades without a price", { kind: "changed-shape", change: "null-price", endpoint }, ["upstream-failed"]],
  ["trades in another place", { kind: "changed-shape", change: "list-moved", endpoint }, ["upstream-failed"]],
  ["a limit", { kind: "rate-limited", retryAfter: "seconds", seconds: 60, endpoint, count: 1 }, ["upstream-busy"]]
]

const assertOthersAreWell = Effect.gen(function* () {
  for (const path of ["/ping", "/health/ready", "/v2/blocks/well", "/v2/cex/sandbox", "/v2/cex/exchanges"]) {
    assert.strictEqual((yield* keyed({ path, patienceMs: 1000 })).status, 200, path)
  }
})

const recovered = Effect.gen(function* () {
  const begun = yield* Clock.currentTimeMillis
  while ((yield* Clock.currentTimeMillis) - begun < 25_000) {
    if ((yield* keyed(last)).status === 200) return true
    yield* Effect.sleep("100 millis")
  }
  return false
})

describe("a service whose exchange fails", () => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect(
      "waits no longer than eleven seconds for an exchange that hangs, and answers others meanwhile",
      () =>
        Effect.gen(function* () {
          const { faults } = yield* SandboxExchange
          assert.strictEqual((yield* keyed(last)).status, 200)
          yield* faults.set({
            faults: [
              { kind: "hang", phase: "before-headers", product: "BTC-USD", endpoint },
              { kind: "hang", phase: "after-headers", product: "ETH-USD", endpoint }
            ]
          })
          yield* Effect.sleep("600 millis")
          const begun = yield* Clock.currentTimeMillis
          const [replies] = yield* Effect.all(
            [Effect.forEach([last, last.replace("BTC", "ETH")], keyed, { concurrency: 2 }), assertOthersAreWell],
            { concurrency: 2 }
          )
          for (const reply of replies) {
            assert.strictEqual(assertProblem(reply, 504, "upstream-timeout")["source"], "sandbox")
          }
          assert.isBelow((yield* Clock.currentTimeMillis) - begun, 11_000)
          yield* faults.reset
          assert.isTrue(yield* recovered)
        }),
      30_000
    )

    it.effect.each(faults.slice(0, -1))("says so where the exchange answers %s, and recovers", ([, fault, codes]) =>
      Effect.gen(function* () {
        const exchange = yield* SandboxExchange
        yield* exchange.faults.set({ faults: [fault] })
        yield* Effect.sleep("550 millis")
        const reply = yield* keyed(last)
        const problem = problemOf(reply)
        assert.include(codes, problem.code)
        assert.include([502, 503], reply.status)
        assert.strictEqual(problem["source"], "sandbox")
        assert.notMatch(reply.body, /127\.0\.0\.1|ccxt|coinbase/i)
        yield* assertOthersAreWell
        const { sources } = record(yield* plain("/status"))
        assert.include(JSON.stringify(sources), '"state":"failing"')
        yield* exchange.faults.reset
        assert.isTrue(yield* recovered)
      })
    )

    it.effect(
      "says so where no exchange listens",
      () =>
        Effect.gen(function* () {
          for (const path of ["trades", "lasttrade", "lastaggregate/1m"]) {
            const problem = assertProblem(yield* keyed(`/v2/cex/down/BTC-USD/${path}`), 502, "upstream-failed")
            assert.deepStrictEqual([problem["source"], problem["reason"]], ["down", "unavailable"])
          }
          yield* assertOthersAreWell
        }),
      60_000
    )

    it.effect("leaves an exchange that keeps failing alone", () =>
      Effect.gen(function* () {
        const exchange = yield* SandboxExchange
        yield* exchange.faults.set({ faults: [{ kind: "changed-shape", change: "list-moved", endpoint }] })
        yield* Effect.sleep("550 millis")
        for (let failure = 0; failure < 6; failure++) assert.strictEqual((yield* keyed(twin)).status, 502)
        const { requests } = yield* exchange.counters
        for (let call = 0; call < 20; call++) assert.strictEqual(problemOf(yield* keyed(twin)).status, 502)
        assert.deepStrictEqual((yield* exchange.counters).requests, requests)
        yield* exchange.faults.reset
        assert.isTrue(yield* recovered)
      })
    )

    it.effect("passes a limit of the exchange on, with the time to wait", () =>
      Effect.gen(function* () {
        const exchange = yield* SandboxExchange
        const [, fault] = faults.at(-1) ?? assert.fail()
        yield* exchange.faults.set({ faults: [fault] })
        yield* Effect.sleep("550 millis")
        const reply = yield* keyed({ path: triplet, patienceMs: 3000 })
        const problem = assertProblem(reply, 503, "upstream-busy")
        assert.isAbove(Number(problem["retryAfterMs"]), 50_000)
        assert.isAbove(Number(reply.headers["retry-after"]), 50)
        yield* assertOthersAreWell
      })
    )
  })
})
