import { createServer } from "node:http"
import type { RequestListener } from "node:http"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { waitFor } from "../../cex/tape/record/RecordingService.ts"
import { call } from "../../HttpCall.ts"
import { startBalancer } from "./Balancer.ts"
import { getPort } from "./FreePort.ts"

// For a slow machine (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

/** An instance that reports that it is alive and answers everything else with a listener. */
const instance = Effect.fnUntraced(function* (listener: RequestListener) {
  const server = createServer((request, response) =>
    request.url === "/health/live" ? response.end() : listener(request, response)
  )
  const end = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => end
  )
  return { port: getPort(server), end }
})

const balanced = Effect.fnUntraced(function* (...listeners: ReadonlyArray<RequestListener>) {
  const servers = yield* Effect.forEach(listeners, instance)
  const balancer = yield* startBalancer(servers.map(({ port }) => port))
  const isUp = (at: number, wanted = true) =>
    waitFor(
      "the probe",
      Effect.sync(() => balancer.isUp(at) === wanted || undefined),
      60_000
    )
  yield* Effect.forEach(servers, (_, at) => isUp(at))
  return { ...balancer, servers, isUp }
})

const says =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text)

/** Breaks the first connection without a byte, and answers the next. */
const breaksOnce = (): RequestListener => {
  let isBroken = false
  return (request, response) => {
    if (isBroken) return void response.end("answer")
    isBroken = true
    request.socket.destroy()
  }
}

const ask = (origin: string, method = "GET") => call(origin, { path: "/", method })

describe("the balancer of the fault suite", () => {
  it.live("states its own keep-alive timeout instead of that of the instance", () =>
    Effect.gen(function* () {
      const patient: RequestListener = (_, response) => response.setHeader("keep-alive", "timeout=600").end("answer")
      const { origin } = yield* balanced(patient)
      const { body, headers } = yield* ask(origin)
      assert.strictEqual(body, "answer")
      assert.strictEqual(headers["keep-alive"], "timeout=5")
    })
  )

  it.live("calls the instances in turn, and skips one that is down", () =>
    Effect.gen(function* () {
      const { counts, isUp, origin, servers } = yield* balanced(says("one"), says("two"))
      const bodies = yield* Effect.replicateEffect(
        Effect.map(ask(origin), ({ body }) => body),
        4
      )
      assert.sameMembers(bodies, ["one", "one", "two", "two"])
      yield* servers[0]?.end ?? Effect.void
      yield* isUp(0, false)
      const others = yield* Effect.replicateEffect(
        Effect.map(ask(origin), ({ body }) => body),
        3
      )
      assert.deepStrictEqual(others, ["two", "two", "two"])
      yield* servers[1]?.end ?? Effect.void
      assert.strictEqual((yield* ask(origin)).status, 503)
      assert.isAtLeast(counts.nowhere, 1)
    }).pipe(Effect.scoped)
  )

  it.live("retries a GET that failed before the first byte, and no other request", () =>
    Effect.gen(function* () {
      const first = yield* balanced(breaksOnce())
      assert.strictEqual((yield* ask(first.origin)).body, "answer")
      assert.deepStrictEqual(first.counts, { sent: 2, again: 1, broken: 0, nowhere: 0 })
      const second = yield* balanced(breaksOnce())
      assert.strictEqual((yield* ask(second.origin, "POST")).status, 502)
      assert.strictEqual(second.counts.again, 0)
    }).pipe(Effect.scoped)
  )

  it.live("aborts a response that failed after the first byte, and counts it", () =>
    Effect.gen(function* () {
      const breaksOff: RequestListener = (request, response) => {
        response.writeHead(200, { "content-length": 10 })
        response.write("half", () => request.socket.destroy())
      }
      const { counts, origin } = yield* balanced(breaksOff)
      assert.strictEqual((yield* Effect.result(ask(origin)))._tag, "Failure")
      assert.deepStrictEqual(counts, { sent: 1, again: 0, broken: 1, nowhere: 0 })
    }).pipe(Effect.scoped)
  )

  it.live("moves requests that wait for a silent instance to another one", () =>
    Effect.gen(function* () {
      let isSilent = false
      const server = createServer((_, response) => (isSilent ? undefined : response.end("silent")))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () =>
          Effect.callback<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
      const other = yield* instance(says("other"))
      const ports = [getPort(server), other.port]
      const { counts, isUp, origin } = yield* startBalancer(ports)
      yield* waitFor(
        "the probe",
        Effect.sync(() => (isUp(0) && isUp(1)) || undefined),
        60_000
      )
      isSilent = true
      const bodies = yield* Effect.replicateEffect(
        Effect.map(ask(origin), ({ body }) => body),
        2
      )
      assert.deepStrictEqual(bodies, ["other", "other"])
      assert.strictEqual(counts.again, 1)
      assert.isFalse(isUp(0))
    }).pipe(Effect.scoped)
  )
})
