import { type Fault, SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { stubNode } from "../blocks/rpc/StubNode.ts"
import { chainOf } from "../blocks/SyntheticChain.ts"
import { assertProblem, toProblem } from "../http/response/Problem.ts"
import { record } from "../HttpCall.ts"
import { keyed, plain, RunningService } from "../RunningService.ts"

/**
 * `sandbox`, `twin` and `triplet` are one exchange with faults, each with its own connection; `down` does not listen.
 * The chain beside them is healthy.
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
    assert.strictEqual((yield* keyed(path)).status, 200, path)
  }
})

const recovered = Effect.gen(function* () {
  while ((yield* keyed(last)).status !== 200) yield* Effect.sleep("100 millis")
})

/** The first failure: until then the last trade is shared with later callers. */
const firstFailure = Effect.fnUntraced(function* (path: string) {
  for (;;) {
    const reply = yield* keyed(path)
    if (reply.status !== 200) return reply
    yield* Effect.sleep("20 millis")
  }
})

describe("a service whose exchange fails", { timeout: 120_000 }, () => {
  layer(service, { excludeTestServices: true })((it) => {
    it.effect(
      "responds with a problem after ten seconds if the exchange hangs, and answers others meanwhile",
      () =>
        Effect.gen(function* () {
          const { faults } = yield* SandboxExchange
          // Loads the markets, and no trade that would be shared with later callers.
          assert.strictEqual((yield* keyed("/v2/cex/sandbox/markets")).status, 200)
          yield* faults.set({
            faults: [
              { kind: "hang", phase: "before-headers", product: "BTC-USD", endpoint },
              { kind: "hang", phase: "after-headers", product: "ETH-USD", endpoint }
            ]
          })
          const hanging = yield* Effect.forEach([last, last.replace("BTC", "ETH")], (path) =>
            Effect.forkChild(keyed(path))
          )
          yield* assertOthersAreWell
          for (const one of hanging) assert.isUndefined(one.pollUnsafe())
          for (const reply of yield* Fiber.joinAll(hanging)) {
            const { detail, source } = assertProblem(reply, 504, "upstream-timeout")
            assert.strictEqual(source, "sandbox")
            assert.include(detail, "did not answer within 10 s")
          }
          yield* faults.reset
          yield* recovered
        }),
      180_000
    )

    it.effect.each(faults.slice(0, -1))(
      "responds with a problem if the exchange answers %s, and recovers",
      ([, fault, codes]) =>
        Effect.gen(function* () {
          const exchange = yield* SandboxExchange
          yield* exchange.faults.set({ faults: [fault] })
          const reply = yield* firstFailure(last)
          const problem = toProblem(reply)
          assert.include(codes, problem.code)
          assert.include([502, 503], reply.status)
          assert.strictEqual(problem["source"], "sandbox")
          assert.notMatch(reply.body, /127\.0\.0\.1|ccxt|coinbase/i)
          yield* assertOthersAreWell
          const { sources } = record(yield* plain("/status"))
          assert.include(JSON.stringify(sources), '"state":"failing"')
          yield* exchange.faults.reset
          yield* recovered
        })
    )

    it.effect("responds with a problem if no exchange listens", () =>
      Effect.gen(function* () {
        for (const path of ["trades", "lasttrade", "lastaggregate/1m"]) {
          const problem = assertProblem(yield* keyed(`/v2/cex/down/BTC-USD/${path}`), 502, "upstream-failed")
          assert.deepStrictEqual([problem["source"], problem["reason"]], ["down", "unavailable"])
        }
        yield* assertOthersAreWell
      })
    )

    it.effect("stops calling an exchange after repeated failures", () =>
      Effect.gen(function* () {
        const exchange = yield* SandboxExchange
        yield* exchange.faults.set({ faults: [{ kind: "changed-shape", change: "list-moved", endpoint }] })
        assert.strictEqual((yield* firstFailure(twin)).status, 502)
        for (let failure = 1; failure < 6; failure++) assert.strictEqual((yield* keyed(twin)).status, 502)
        const { requests } = yield* exchange.counters
        for (let call = 0; call < 20; call++) assert.strictEqual(toProblem(yield* keyed(twin)).status, 502)
        assert.deepStrictEqual((yield* exchange.counters).requests, requests)
        yield* exchange.faults.reset
        yield* recovered
      })
    )

    it.effect("reports a rate limit of the exchange with the time to wait", () =>
      Effect.gen(function* () {
        const exchange = yield* SandboxExchange
        const [, fault] = faults.at(-1) ?? assert.fail()
        yield* exchange.faults.set({ faults: [fault] })
        const reply = yield* firstFailure(triplet)
        const problem = assertProblem(reply, 503, "upstream-busy")
        assert.isAbove(Number(problem["retryAfterMs"]), 50_000)
        assert.isAbove(Number(reply.headers["retry-after"]), 50)
        yield* assertOthersAreWell
      })
    )
  })
})
