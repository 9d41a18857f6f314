import { Blocks } from "@chaintape/blocks"
import { Client } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { followChain } from "../../src/blocks/ChainFeed.ts"

/** The block of a branch, as the service sends it. */
const toBlock = (number: number, branch: number) => ({
  number: String(number),
  timestamp: String(number * 1000),
  size: "100",
  gasLimit: "30000",
  gasUsed: String(branch),
  totalDifficulty: "",
  author: "0x0"
})

/** A service without live streams whose chain has these blocks, newest first. */
const serviceOf = (blocks: () => ReadonlyArray<object>) =>
  Blocks.layerNoDeps.pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" })),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, { pathname }) =>
          Effect.sync(() =>
            HttpClientResponse.fromWeb(
              request,
              pathname.startsWith("/live/")
                ? new Response(null, { status: 404 })
                : new Response(JSON.stringify(blocks()), { headers: { "content-type": "application/json" } })
            )
          )
        )
      )
    )
  )

describe("the feed of a chain", () => {
  it.effect("finds a reorg after the page was closed before the first page of the stream", () =>
    Effect.gen(function* () {
      let reorgedFrom = Infinity
      const chain = () =>
        Array.from({ length: 48 }, (_, index) => toBlock(100 - index, 100 - index >= reorgedFrom ? 2 : 1))
      const follow = followChain(new Map(), "a-chain")
      const first = follow(undefined).pipe(Stream.take(1), Stream.runCollect)
      const [before] = yield* first.pipe(Effect.provide(serviceOf(chain)))
      assert.deepEqual(before?.reorgs, [])
      reorgedFrom = 98
      // The page is opened again.
      const [after] = yield* follow().pipe(Stream.take(1), Stream.runCollect, Effect.provide(serviceOf(chain)))
      assert.deepEqual(
        after?.reorgs.map(({ cut, instead }) => [cut, instead].map((blocks) => blocks.map(({ number }) => number))),
        [
          [
            [98n, 99n, 100n],
            [98n, 99n, 100n]
          ]
        ]
      )
      assert.strictEqual(after?.blocks[0]?.gasUsed, 2n)
    })
  )
})
