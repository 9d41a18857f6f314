import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { makeNodes } from "../../../src/blocks/rpc/Nodes.ts"
import type { Send } from "../../../src/blocks/rpc/RpcCall.ts"

const first = "http://first.invalid/"
const second = "http://second.invalid/"

const read = (send: Send) => send([{ method: "eth_blockNumber", params: [] }])

describe("the nodes of a blockchain", () => {
  it.effect("asks another one than the last, after what the last one returned is contradicted", () =>
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
      yield* nodes.ask(read)
      yield* avoidLast
      yield* nodes.ask(read)
      assert.deepStrictEqual(asked, [first, second, first])
    })
  )
})
