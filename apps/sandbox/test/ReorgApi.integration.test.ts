import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { Devnet } from "../src/devnet/Devnet.ts"
import { ReorgApi } from "../src/ReorgApi.ts"

const world = ReorgApi.layer.pipe(
  Layer.provideMerge(Devnet.layer({ mode: "manual", seed: "reorg", genesisTimestamp: 1_700_000_000, prefill: 10 }))
)

const Reply = Schema.fromJsonString(Schema.Struct({ depth: Schema.Int, head: Schema.Struct({ hash: Schema.String }) }))

const post = Effect.fnUntraced(function* (body: string) {
  const { address } = yield* ReorgApi
  const response = yield* HttpClient.execute(
    HttpClientRequest.post(`${address}/sandbox/reorg`).pipe(HttpClientRequest.bodyText(body, "application/json"))
  )
  return { status: response.status, text: yield* response.text }
})

describe("the reorg API", () => {
  it.live("replaces the newest blocks on request, and none if the request is invalid", () =>
    Effect.gen(function* () {
      const devnet = yield* Devnet
      const before = yield* devnet.chain.step
      for (const wrong of ["", "{}", '{"depth":0}', '{"depth":33}', '{"depth":"3"}']) {
        const { status, text } = yield* post(wrong)
        assert.strictEqual(status, 400)
        assert.include(text, "an integer from 1 to 32")
      }
      const { status, text } = yield* post('{"depth":3}')
      assert.strictEqual(status, 200)
      const { depth, head } = yield* Schema.decodeUnknownEffect(Reply)(text)
      assert.strictEqual(depth, 3)
      assert.notStrictEqual(head.hash, before.hash)
      assert.strictEqual((yield* devnet.chain.step).number, before.number + 1)
    }).pipe(Effect.provide([world, FetchHttpClient.layer]))
  )
})
