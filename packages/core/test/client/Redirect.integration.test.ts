import { createServer, type RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Operations from "../../src/api/CexOperations.ts"
import { Client, type ClientOptions } from "../../src/client/Client.ts"

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

const transports = [
  ["Client.layer", Client.layer],
  [
    "FetchHttpClient",
    (options: ClientOptions) => Client.layerNoDeps(options).pipe(Layer.provide(FetchHttpClient.layer))
  ]
] as const
const cases = transports.flatMap(([name, layer]) =>
  (["header", "query", "both"] as const).map((apiKeyLocation) => ({ name, layer, apiKeyLocation }))
)

describe("a redirect", () => {
  it.live.each(cases)("is not followed, with the key in $apiKeyLocation over $name", ({ apiKeyLocation, layer }) =>
    Effect.gen(function* () {
      const seen: Array<string | undefined> = []
      const other = yield* listening((request, response) => {
        seen.push(request.url)
        response.setHeader("content-type", "application/json").end("[]")
      })
      const service = yield* listening((request, response) => {
        response.writeHead(302, { location: `${other}${request.url}` }).end()
      })
      yield* Client.pipe(
        Effect.flatMap(({ call }) => call(Operations.exchanges, {})),
        Effect.provide(layer({ baseUrl: service, apiKey: Redacted.make("canary"), apiKeyLocation })),
        Effect.exit
      )
      assert.isEmpty(seen)
    })
  )
})
