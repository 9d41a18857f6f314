import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { assertProblem, toProblem } from "../../http/response/Problem.ts"
import { record, records } from "../../HttpCall.ts"
import { keyed, plain, RunningService } from "../../RunningService.ts"
import { until } from "../../StartedProgram.ts"
import { chainOf } from "../SyntheticChain.ts"
import type { Fault, StubNode } from "./StubNode.ts"
import { stubNode } from "./StubNode.ts"

class Nodes extends Context.Service<Nodes, { readonly one: StubNode; readonly other: StubNode }>()("test/Nodes") {
  static readonly layer = Layer.effect(
    Nodes,
    Effect.gen(function* () {
      const chain = chainOf(Array.from({ length: 101 }, (_, number) => 12 * number))
      return Nodes.of({ one: yield* stubNode(chain), other: yield* stubNode(chain) })
    })
  )
}

/** `single` has one node, `double` two, `down` none that listens. */
const services = Layer.unwrap(
  Effect.map(Nodes, ({ one, other }) =>
    RunningService.layer({
      config: {
        blockchains: [
          { id: "single", name: "Single", rpc: [one.url] },
          { id: "double", name: "Double", rpc: [one.url, other.url] },
          { id: "down", name: "Down", rpc: ["http://127.0.0.1:1"] }
        ]
      }
    })
  )
).pipe(Layer.provideMerge(Nodes.layer))

const html = "<!doctype html><html><body>Bad gateway at /srv/app.ts:1</body></html>"

const faults: ReadonlyArray<readonly [what: string, fault: Fault, status: number, code: string]> = [
  ["an error of the server", { status: 500, body: html }, 502, "upstream-failed"],
  ["a web page", { body: html }, 502, "upstream-failed"],
  ["an empty body", { body: "" }, 502, "upstream-failed"],
  ["neither a result nor an error", { body: '{"jsonrpc":"2.0","id":0}' }, 502, "upstream-failed"],
  ["an empty batch", { body: "[]" }, 502, "upstream-failed"],
  ["a body cut off", { cutAfter: 20 }, 502, "upstream-failed"],
  ["a refusal", { status: 403, body: "{}" }, 502, "upstream-failed"],
  ["a limit", { status: 429, headers: { "retry-after": "7" }, body: "{}" }, 503, "upstream-busy"],
  [
    "errors of JSON-RPC",
    { reply: () => ({ error: { code: -32_000, message: "secret path /srv" } }) },
    502,
    "upstream-failed"
  ],
  ["null for every call", { reply: () => ({ result: null }) }, 502, "upstream-failed"],
  ["no block", { method: "eth_getBlockByNumber", reply: () => ({ result: null }) }, 502, "upstream-failed"],
  [
    "another block",
    {
      method: "eth_getBlockByNumber",
      reply: (_, result) => ({ result: { ...Object(result), number: "0x1" } })
    },
    502,
    "upstream-failed"
  ],
  [
    "a block without a hash",
    {
      method: "eth_getBlockByNumber",
      reply: (_, result) => ({ result: { ...Object(result), hash: undefined } })
    },
    502,
    "upstream-failed"
  ],
  ["numbers that are none", { reply: () => ({ result: "twelve" }) }, 502, "upstream-failed"],
  [
    "a head that is too large",
    { method: "eth_blockNumber", reply: () => ({ result: "0xffffffffffffffff" }) },
    502,
    "upstream-failed"
  ]
]

const single = "/v2/blocks/single?limit=5&skip=3"

describe("a service whose node fails", () => {
  layer(services, { excludeTestServices: true })((it) => {
    it.effect.each(faults)("responds with a problem if the node answers %s", ([, fault, status, code]) =>
      Effect.gen(function* () {
        const { one } = yield* Nodes
        const well = yield* keyed(single)
        assert.strictEqual(well.status, 200, well.body)
        one.fault = fault
        const path = `/v2/blocks/single?limit=5&from=${one.requests + 1}`
        const reply = yield* keyed(path)
        const problem = assertProblem(reply, status, code)
        assert.strictEqual(problem["source"], "single")
        assert.notMatch(reply.body, /srv|127\.0\.0\.1/)
        if (status === 503) {
          assert.deepStrictEqual([problem["retryAfterMs"], reply.headers["retry-after"]], [7000, "7"])
        }
        assert.strictEqual((yield* plain("/ping")).status, 200)
        assert.strictEqual((yield* plain("/health/ready")).status, 200)
        const status1 = record(yield* plain("/status"))
        assert.deepInclude(JSON.stringify(status1["sources"]), "failing")
        one.fault = undefined
        const after = yield* keyed(path)
        assert.strictEqual(after.status, 200, after.body)
      })
    )

    it.effect("ignores an error of null beside a result", () =>
      Effect.gen(function* () {
        const { one } = yield* Nodes
        const path = `/v2/blocks/single?limit=5&from=${one.requests + 1}`
        one.fault = { reply: (_, result) => ({ result, error: null }) }
        const reply = yield* keyed(path)
        one.fault = undefined
        assert.strictEqual(reply.status, 200, reply.body)
      })
    )

    it.effect("answers from the next node where the first one fails", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Nodes
        one.fault = { status: 500, body: "" }
        const before = other.requests
        const reply = yield* keyed("/v2/blocks/double?limit=3")
        one.fault = undefined
        assert.deepStrictEqual(
          records(reply).map(({ number }) => number),
          ["100", "99", "98"]
        )
        assert.isAbove(other.requests, before)
      })
    )

    it.effect("responds with a problem if no node listens, before the time for an answer is over", () =>
      Effect.gen(function* () {
        const problem = assertProblem(yield* keyed("/v2/blocks/down"), 502, "upstream-failed")
        assert.deepStrictEqual([problem["source"], problem["reason"]], ["down", "unavailable"])
      })
    )

    it.effect(
      "responds with a problem if the node hangs, and answers others meanwhile",
      () =>
        Effect.gen(function* () {
          const { one, other } = yield* Nodes
          one.fault = { hang: "before-headers" }
          other.fault = { hang: "in-body" }
          const slow = ["/v2/blocks/single?limit=7", "/v2/blocks/double?limit=7"]
          const before = [one.requests, other.requests]
          const hanging = yield* Effect.forkChild(Effect.forEach(slow, keyed, { concurrency: 2 }))
          yield* until("requests of both nodes", () => one.requests !== before[0] && other.requests !== before[1])
          for (const path of ["/ping", "/health/ready", "/status"]) {
            assert.strictEqual((yield* plain(path)).status, 200)
          }
          assert.isUndefined(hanging.pollUnsafe())
          const replies = yield* Fiber.join(hanging)
          one.fault = undefined
          other.fault = undefined
          for (const reply of replies) assertProblem(reply, 504, "upstream-timeout")
          for (const path of slow) assert.strictEqual((yield* keyed(path)).status, 200)
        }),
      180_000
    )

    it.effect("waits for a node that is slow", () =>
      Effect.gen(function* () {
        const { one } = yield* Nodes
        one.fault = { lateMs: 400 }
        const reply = yield* keyed("/v2/blocks/single?limit=2")
        one.fault = undefined
        assert.strictEqual(reply.status, 200)
      })
    )

    it.effect("follows a head with a lower number, and does not report a known block as missing", () =>
      Effect.gen(function* () {
        const { one } = yield* Nodes
        const { chain } = one
        assert.strictEqual(records(yield* keyed("/v2/blocks/single?limit=1"))[0]?.["number"], "100")
        one.chain = chain.slice(0, 91)
        const newest = yield* keyed("/v2/blocks/single?limit=2")
        const stated = yield* keyed("/v2/blocks/single?block=95")
        const beyond = yield* keyed("/v2/blocks/single?block=101")
        one.chain = chain
        assert.deepStrictEqual(
          records(newest).map(({ number }) => number),
          ["90", "89"]
        )
        assertProblem(stated, 502, "upstream-failed")
        assert.strictEqual(assertProblem(beyond, 404, "block-not-found")["head"], "90")
      })
    )

    it.effect(
      "never fails with an internal error, however the node responds",
      () =>
        Effect.gen(function* () {
          const { one } = yield* Nodes
          const { log } = yield* RunningService
          const odd: ReadonlyArray<unknown> = [0, [], "0x", "-0x1", { number: {} }]
          for (const result of odd) {
            one.fault = { reply: () => ({ result }) }
            const reply = yield* keyed("/v2/blocks/single?limit=4")
            assert.include([502, 503, 504], toProblem(reply).status)
          }
          for (const body of ["null", "[null]", '[{"id":"0"}]', "\0", '[{"id":0}]']) {
            one.fault = { body }
            assert.include([502, 503, 504], toProblem(yield* keyed("/v2/blocks/single?limit=4")).status, body)
          }
          one.fault = undefined
          assert.deepStrictEqual(
            log.filter((line) => /"level":"(ERROR|FATAL)"/i.test(line)),
            []
          )
        }),
      180_000
    )
  })
})
