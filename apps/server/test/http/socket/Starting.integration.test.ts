import { once } from "node:events"
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { GuardedServer } from "../../../src/http/socket/GuardedServer.ts"
import { raw, replies } from "../../HttpCall.ts"
import { assertProblem } from "../response/Problem.ts"

/** A server that listens and has no routes yet. */
const startingServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = new GuardedServer(
      {},
      { admit: () => true, refusalReason: () => undefined, watch: () => {}, serve: () => "passed", stop: () => {} }
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return server
  }),
  (server) => Effect.sync(() => void server.close().closeAllConnections())
)

describe("a request that arrives before the routes are ready", () => {
  it.live("is answered at once: 503, with the time to try again", () =>
    Effect.gen(function* () {
      const server = yield* startingServer
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      for (const path of ["/health/ready", "/health/live", "/v2/cex/exchanges"]) {
        const response = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) })
        )
        assert.strictEqual(response.status, 503)
        assert.strictEqual(response.headers.get("retry-after"), "1")
        assert.match(yield* Effect.promise(() => response.text()), /"The service is starting: try again in a second\."/)
      }
    }).pipe(Effect.scoped)
  )
})

const toRequest = (path: string) => `GET ${path} HTTP/1.1\r\nHost: chaintape.example\r\n\r\n`

describe("a request that arrives after the routes are gone", () => {
  it.live("is answered behind the response in progress: 503, the service is stopping, and the connection closes", () =>
    Effect.gen(function* () {
      const server = yield* startingServer
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const [slow, late] = [toRequest("/slow"), toRequest("/health/live")]
      const connections: Array<Socket> = []
      server.on("connection", (socket) => connections.push(socket))
      server.on("request", (_request, response: ServerResponse) => {
        server.removeAllListeners("request")
        server.close()
        const [connection] = connections
        const check = setInterval(() => {
          if (connection?.bytesRead !== slow.length + late.length) return
          clearInterval(check)
          response.end("whole")
        }, 5)
      })
      const { closed, text } = yield* raw(`http://127.0.0.1:${port}`, [slow, late], { answers: 2, quietMs: 5000 })
      // The first has no length: its last chunk is behind it.
      const second = text.slice(text.lastIndexOf("HTTP/1.1"))
      assert.include(text, "whole")
      const [reply] = replies(second)
      if (reply === undefined) return assert.fail(text)
      assertProblem(reply, 503, "not-ready")
      assert.include(reply.body, "The service is stopping")
      assert.deepStrictEqual([reply.headers["connection"], reply.headers["retry-after"], closed], ["close", "5", true])
    }).pipe(Effect.scoped)
  )
})
