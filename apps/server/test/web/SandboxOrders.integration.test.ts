import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as SandboxControl from "../../src/web/demo/SandboxControl.ts"
import { call } from "../HttpCall.ts"
import { key, plain, RunningService } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"

/** A sandbox that stores its orders. */
const sandbox = Effect.gen(function* () {
  const received: Array<string> = []
  const note = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    received.push(`${request.method} ${request.url} ${yield* request.text}`)
    return HttpServerResponse.jsonUnsafe({ faults: [] })
  })
  const served = HttpRouter.serve(HttpRouter.add("*", "/*", note), { disableLogger: true, disableListenLog: true })
  const built = yield* Layer.build(
    served.pipe(Layer.provideMerge(NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0 })))
  )
  const address = yield* HttpServer.addressFormattedWith(Effect.succeed).pipe(Effect.provideContext(built))
  return { received, address }
})

/** A service that runs on that sandbox. */
const world = Effect.gen(function* () {
  const { address, received } = yield* sandbox
  const control = SandboxControl.layer({ exchange: address, chain: address })
  const built = yield* Layer.build(stubbedService().pipe(Layer.provide(control)))
  const { origin } = yield* RunningService.pipe(Effect.provideContext(built))
  return { origin, received }
})

const order = (origin: string, headers: Readonly<Record<string, string>>, path = "/sandbox/reorg") =>
  call(origin, { method: "POST", path, headers, body: '{"depth":3}' })

describe("orders to the sandbox", () => {
  it.live("are passed on for a page of the service whose reader has a key", () =>
    Effect.gen(function* () {
      const { origin, received } = yield* world
      const headers = { origin, "api-key": key }
      assert.strictEqual((yield* order(origin, headers)).status, 200)
      assert.strictEqual((yield* order(origin, headers, "/sandbox/faults")).status, 200)
      const faults = yield* call(origin, { path: "/sandbox/faults" })
      assert.strictEqual(faults.body, '{"faults":[]}')
      assert.deepStrictEqual(received, [
        'POST /sandbox/reorg {"depth":3}',
        'PUT /sandbox/faults {"depth":3}',
        "GET /sandbox/faults "
      ])
    }).pipe(Effect.scoped)
  )

  it.live("are refused from another site's page, from no page, and without a good key", () =>
    Effect.gen(function* () {
      const { origin, received } = yield* world
      const refusals = [
        [403, { "api-key": key }],
        [403, { "api-key": key, origin: "http://evil.example" }],
        [403, { "api-key": key, origin, "sec-fetch-site": "cross-site" }],
        [401, { origin }],
        [401, { origin, "api-key": "chaintape_nobody" }]
      ] as const
      for (const [status, headers] of refusals)
        for (const path of ["/sandbox/reorg", "/sandbox/faults"])
          assert.strictEqual((yield* order(origin, headers, path)).status, status)
      assert.deepStrictEqual(received, [])
    }).pipe(Effect.scoped)
  )

  it.live("are not found if the service does not run on the sandbox", () =>
    Effect.gen(function* () {
      const built = yield* Layer.build(stubbedService())
      const { status } = yield* plain("/sandbox/faults").pipe(Effect.provideContext(built))
      assert.strictEqual(status, 404)
    }).pipe(Effect.scoped)
  )
})
