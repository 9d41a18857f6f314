import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { GuardedServer } from "../../../src/http/socket/GuardedServer.ts"

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
