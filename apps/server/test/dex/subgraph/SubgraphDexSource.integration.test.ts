import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { FetchHttpClient, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { DexSource } from "../../../src/dex/DexSource.ts"
import { compareFields, expectedAt } from "./ExpectedState.ts"
import { layer, deployment, lines, secret, toSubgraph, tokenQuery } from "./SubgraphProbe.ts"

const answer = toSubgraph("basic")

const serve = Effect.gen(function* () {
  const served = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (request.headers["authorization"] !== `Bearer ${secret}`) return HttpServerResponse.empty({ status: 401 })
    const { body, status } = answer({ headers: request.headers, body: yield* request.text })
    return HttpServerResponse.text(body, { status, contentType: "application/json" })
  })
  yield* HttpServer.serveEffect(served)
  const { address } = yield* HttpServer.HttpServer
  return address._tag === "InetAddressV4" ? `http://127.0.0.1:${address.port}/subgraphs` : assert.fail("no port")
})

const read = (url: string, apiKey?: string) =>
  Effect.gen(function* () {
    const view = yield* (yield* DexSource).view(deployment, Option.none())
    return yield* view.tokens(tokenQuery())
  }).pipe(
    Effect.provide(
      layer([{ key: deployment, url, ...(apiKey === undefined ? {} : { apiKey: Redacted.make(apiKey) }) }]).pipe(
        Layer.provide(FetchHttpClient.layer)
      )
    )
  )

describe("a subgraph over HTTP", () => {
  it.live("responds to the key, and to no caller without it", () =>
    Effect.gen(function* () {
      const url = yield* serve
      const rows = [...(yield* read(url, secret))].sort((a, b) => compareFields(a.id, b.id))
      assert.deepStrictEqual<ReadonlyArray<{ readonly [field: string]: unknown }>>(
        rows,
        [...expectedAt(lines.basic, 62).tokens].sort((a, b) => compareFields(String(a["id"]), String(b["id"])))
      )
      const refused = yield* Effect.flip(read(url))
      assert.deepInclude(refused, { _tag: "DexSourceError", reason: "Refused" })
    }).pipe(Effect.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })), Effect.scoped)
  )

  it.live("is unavailable if no process listens", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read("http://127.0.0.1:9/", secret))
      assert.deepInclude(failure, { _tag: "DexSourceError", reason: "Unavailable" })
      assert.include(String(failure), "cannot be reached")
    })
  )
})
