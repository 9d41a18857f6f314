import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http"
import * as Operations from "@chaintape/core/api/CexOperations"
import { Client } from "@chaintape/core/client/Client"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** The address of a server that runs as long as the scope. */
const listening = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    })
  )

describe("a redirect", () => {
  it.live.each(["header", "query", "both"] as const)("never carries the key (sent in %s) to another host", (keyIn) =>
    Effect.gen(function* () {
      const seen: Array<{ readonly url: string | undefined; readonly headers: IncomingHttpHeaders }> = []
      const other = yield* listening((request, response) => {
        seen.push({ url: request.url, headers: request.headers })
        response.setHeader("content-type", "application/json").end("[]")
      })
      const service = yield* listening((request, response) => {
        response.writeHead(302, { location: `${other}${request.url}` }).end()
      })
      yield* Client.pipe(
        Effect.flatMap(({ call }) => call(Operations.exchanges, {})),
        Effect.provide(Client.layer({ baseUrl: service, apiKey: Redacted.make("canary"), keyIn })),
        Effect.exit
      )
      for (const request of seen) {
        assert.notInclude(request.url ?? "", "canary")
        assert.notProperty(request.headers, "api-key")
      }
    })
  )
})
