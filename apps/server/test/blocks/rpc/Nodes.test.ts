import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger, References } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { makeNodes } from "../../../src/blocks/rpc/Nodes.ts"
import { OversizedReply } from "../../../src/blocks/rpc/RpcCall.ts"
import type { Send } from "../../../src/blocks/rpc/RpcCall.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"

const first = "http://first.invalid/"
const second = "http://second.invalid/"

const read = (send: Send) => send([{ method: "eth_blockNumber", params: [] }])

describe("the nodes of a blockchain", () => {
  it.effect("avoids the last node after its response was contradicted", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const http = HttpClient.make((request) =>
        Effect.sync(() => {
          asked.push(request.url)
          const body = JSON.stringify([{ jsonrpc: "2.0", id: 0, result: "0x1" }])
          const isDown = request.url === first && asked.length === 1
          return HttpClientResponse.fromWeb(request, new Response(body, { status: isDown ? 404 : 200 }))
        })
      )
      const nodes = makeNodes(http, "devnet", [first, second])
      const avoidLast = nodes.avoid()
      yield* nodes.read(read)
      yield* avoidLast
      yield* nodes.read(read)
      assert.deepStrictEqual(asked, [first, second, first])
    })
  )

  it.effect("retries the only node after a temporary failure", () =>
    Effect.gen(function* () {
      let asked = 0
      const http = HttpClient.make((request) =>
        Effect.sync(() => {
          asked += 1
          const body = JSON.stringify([{ jsonrpc: "2.0", id: 0, result: "0x1" }])
          return HttpClientResponse.fromWeb(request, new Response(body, { status: asked < 4 ? 503 : 200 }))
        })
      )
      const reading = yield* Effect.forkChild(makeNodes(http, "devnet", [first]).read(read))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(reading), ["0x1"])
      assert.strictEqual(asked, 4)
    })
  )

  it.effect("return for a call that may fail that its response is larger than what is read", () =>
    Effect.gen(function* () {
      const body = `{"jsonrpc":"2.0","id":0,"result":[${"0,".repeat(1_000_000)}0]}`
      const http = HttpClient.make((request) =>
        Effect.sync(() => HttpClientResponse.fromWeb(request, new Response(body)))
      )
      const nodes = makeNodes(http, "devnet", [first])
      const call = { method: "eth_getLogs", params: [] }
      const [reply] = yield* nodes.read((send) => send([{ ...call, mayFail: true }]))
      assert.deepStrictEqual(reply, new OversizedReply({ what: "sent more than 1000000 values in one answer" }))
      const error = yield* Effect.flip(nodes.read((send) => send([call])))
      assert.include(error.message, "sent more than 1000000 values in one answer")
    }).pipe(TestClock.withLive)
  )

  for (const count of [1, 2]) {
    it.effect(`sends batches again after ${count} reads that ended before the node answered a single call`, () =>
      Effect.gen(function* () {
        const bodies: Array<string> = []
        let isSilent = true
        const http = HttpClient.make((request) =>
          Effect.suspend(() => {
            const { body } = request
            const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
            bodies.push(text)
            const isBatch = text.startsWith("[")
            if (isSilent && !isBatch) return Effect.never
            const reply = '{"jsonrpc":"2.0","id":0,"result":"0x1"}'
            return Effect.succeed(
              HttpClientResponse.fromWeb(
                request,
                new Response(isBatch ? `[${reply}]` : reply, { status: isSilent ? 400 : 200 })
              )
            )
          })
        )
        const nodes = makeNodes(http, "devnet", [first])
        const reads = Effect.replicateEffect(nodes.read(read), count, { concurrency: "unbounded" })
        const reading = yield* Effect.forkChild(reads, { startImmediately: true })
        while (bodies.length < 2 * count) yield* Effect.yieldNow
        yield* Fiber.interrupt(reading)
        isSilent = false
        yield* nodes.read(read)
        assert.isTrue(bodies.at(-1)?.startsWith("["))
      })
    )
  }

  /** A node that answers each call with its method, after a change of its answers. */
  const nodeOf = (toBody: (replies: ReadonlyArray<{ readonly id: number }>) => string | ReadableStream) => {
    const sizes: Array<number> = []
    const http = HttpClient.make((request) =>
      Effect.sync(() => {
        const text = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "[]"
        const calls: ReadonlyArray<{ readonly id: number; readonly method: string }> = [JSON.parse(text)].flat()
        sizes.push(calls.length)
        const replies = calls.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: method }))
        return HttpClientResponse.fromWeb(request, new Response(toBody(replies)))
      })
    )
    return { sizes, nodes: makeNodes(http, "devnet", [first]) }
  }
  const methods = ["eth_blockNumber", "eth_chainId", "eth_syncing"]
  const readAll = (send: Send) => send(methods.map((method) => ({ method, params: [] })))

  it.effect("takes the answers of a batch by their ids, in whatever order the node sends them", () =>
    Effect.gen(function* () {
      const { nodes } = nodeOf((replies) => JSON.stringify(replies.toReversed()))
      assert.deepStrictEqual(yield* nodes.read(readAll), methods)
    })
  )

  it.effect("sends a batch in parts where the node leaves out an answer", () =>
    Effect.gen(function* () {
      const { nodes, sizes } = nodeOf((replies) => JSON.stringify(replies.slice(0, 2)))
      assert.deepStrictEqual(yield* nodes.read(readAll), methods)
      assert.strictEqual(sizes[0], 3)
    })
  )

  it.effect.each([
    ["the ids of other calls", (id: number) => ({ id: id + 10 })],
    ["no id", () => ({ id: null })],
    ["one id", () => ({ id: 0 })]
  ] as const)("refuses the answers of a batch that have %s", ([, change]) =>
    Effect.gen(function* () {
      const { nodes } = nodeOf((replies) => JSON.stringify(replies.map((reply) => ({ ...reply, ...change(reply.id) }))))
      const error = yield* Effect.flip(nodes.read(readAll))
      assert.strictEqual(error.reason, "BadResponse")
      assert.match(error.message, /left out a part of its answer|answered one call more than once/)
    })
  )

  it.effect.each([[[first]], [[first, second]]] as const)(
    "waits at most twelve seconds for nodes that hang: %o",
    ([urls]) =>
      Effect.gen(function* () {
        const nodes = makeNodes(
          HttpClient.make(() => Effect.never),
          "devnet",
          urls
        )
        const reading = yield* Effect.forkChild(Effect.flip(nodes.read(read)))
        yield* TestClock.adjust("11999 millis")
        assert.isUndefined(reading.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Fiber.join(reading)).reason, "Timeout")
      })
  )

  it.effect("ends an answer that never ends", () =>
    Effect.gen(function* () {
      let chunks = 0
      const { nodes } = nodeOf(
        () =>
          new ReadableStream({
            pull: (controller) => {
              chunks += 1
              controller.enqueue(new Uint8Array(1024 * 1024).fill(32))
            }
          })
      )
      const error = yield* Effect.flip(nodes.read(read))
      assert.strictEqual(error.reason, "BadResponse")
      assert.isBelow(chunks, 1000)
    })
  )

  it.effect("asks a node again after its rate limit, though the time of day was set back by an hour", () =>
    Effect.gen(function* () {
      let asked = 0
      const http = HttpClient.make((request) =>
        Effect.sync(() => {
          asked += 1
          const body = JSON.stringify([{ jsonrpc: "2.0", id: 0, result: "0x1" }])
          const status = asked === 1 ? 429 : 200
          return HttpClientResponse.fromWeb(request, new Response(body, { status, headers: { "retry-after": "1" } }))
        })
      )
      const { clock, step } = yield* makeSteppedClock
      yield* step(3_600_000)
      const nodes = makeNodes(http, "devnet", [first], { rateLimitRetries: 3, timeoutMs: 10_000 })
      const reading = yield* Effect.forkChild(
        Effect.all([nodes.read(read), nodes.read(read)]).pipe(Effect.provideService(Clock.Clock, clock))
      )
      yield* TestClock.adjust("100 millis")
      yield* step(0)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(asked, 3)
      assert.deepStrictEqual(yield* Fiber.join(reading), [["0x1"], ["0x1"]])
    })
  )

  it.effect("quotes a node's error in the log without the node's key, and to callers only its code", () =>
    Effect.gen(function* () {
      const url = "http://node.invalid/v3/0123456789abcdef"
      const lines: Array<readonly [level: string, message: unknown]> = []
      const logger = Logger.make(({ logLevel, message }) => lines.push([logLevel, message]))
      const error = { code: -32_000, message: "header not found: 0123456789abcdef" }
      const http = HttpClient.make((request) =>
        Effect.succeed(
          HttpClientResponse.fromWeb(request, new Response(JSON.stringify([{ jsonrpc: "2.0", id: 0, error }])))
        )
      )
      const nodes = makeNodes(http, "devnet", [url])
      const failing = Effect.flip(nodes.read(read)).pipe(
        Effect.provide(Logger.layer([logger])),
        Effect.provideService(References.MinimumLogLevel, "Debug")
      )
      assert.strictEqual((yield* failing).message, 'A node of "devnet" answered the error -32000.')
      yield* failing
      const line = 'A node of "devnet" answered the error -32000: "header not found: (hidden)".'
      // One failure after the other fills no log.
      assert.deepStrictEqual(lines, [
        ["Warn", [line]],
        ["Debug", [line]]
      ])
    })
  )
})
