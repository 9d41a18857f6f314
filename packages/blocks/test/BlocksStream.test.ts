import { Blocks, BlocksStream } from "@chaintape/blocks"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"

const head = 8
const rows = Array.from({ length: head + 1 }, (_, index) => ({
  number: String(head - index),
  timestamp: "1",
  size: "2",
  gasLimit: "3",
  gasUsed: "4",
  totalDifficulty: "",
  author: "0x00"
}))

/**
 * A service with these blocks, which does not answer the request of this number (the first is 1) and those after it.
 */
const serving = (down = Number.POSITIVE_INFINITY) => {
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input))
    asked.push(`${url.pathname}${url.search}`)
    if (asked.length >= down) throw new TypeError("fetch failed")
    const skip = Number(url.searchParams.get("skip"))
    const limit = Number(url.searchParams.get("limit"))
    const headers = { "chaintape-as-of": `number=${head}, hash="0xaa", finalized=?0` }
    return Response.json(rows.slice(skip, skip + limit), { headers })
  }
  const provided = <A, E>(effect: Effect.Effect<A, E, Blocks>) =>
    effect.pipe(
      Effect.provide(Blocks.layer({ baseUrl: "http://stub.test" })),
      Effect.provideService(FetchHttpClient.Fetch, fetch)
    )
  return { asked, provided }
}

const request = { blockchain: "stub", pageSize: 4 }

describe("BlocksStream", () => {
  it.effect("reads all blocks through the client, as of the block of the first answer", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving()
      const blocks = yield* provided(Stream.runCollect(BlocksStream.blocks(request)))
      assert.deepStrictEqual(
        blocks.map(({ number }) => number),
        [8n, 7n, 6n, 5n, 4n, 3n, 2n, 1n, 0n]
      )
      assert.deepStrictEqual(
        asked.map((path) => new URL(path, "http://stub.test").searchParams.get("block")),
        [null, "8", "8"]
      )
    })
  )

  it.effect("continues from the cursor of a page", () =>
    Effect.gen(function* () {
      const { provided } = serving()
      const [page] = yield* provided(Stream.runCollect(Stream.take(BlocksStream.blockPages(request), 1)))
      const rest = yield* provided(Stream.runCollect(BlocksStream.blocks({ ...request, cursor: page?.cursor })))
      assert.deepStrictEqual(
        rest.map(({ number }) => number),
        [4n, 3n, 2n, 1n, 0n]
      )
    })
  )

  it.effect("fails with the error of the call, which the options bound", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving(2)
      const stream = BlocksStream.blocks(request, { retry: { attempts: 1 } })
      const error = yield* Effect.flip(provided(Stream.runDrain(stream)))
      assert.strictEqual(error._tag, "TransportError")
      assert.lengthOf(asked, 2)
    })
  )

  it.effect("follows a chain over the live stream of the service, from the head that a page states", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving()
      const lines = [`event: open\nid: 8-0xaa\ndata: {}\n\n`].concat(
        [9, 10].map((number) => {
          const row = JSON.stringify({ ...rows[0], number: String(number) })
          return `event: block\nid: ${number}-0x${number}\ndata: ${row}\n\n`
        })
      )
      const served: typeof globalThis.fetch = async (input) => {
        asked.push(String(input))
        return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } })
      }
      const following = Stream.take(BlocksStream.liveBlocks({ blockchain: "stub" }), 2)
      const events = yield* provided(
        Effect.gen(function* () {
          const pages = yield* FetchHttpClient.Fetch
          const fetch: typeof globalThis.fetch = (input, init) =>
            String(input).includes("/live/") ? served(input, init) : pages(input, init)
          return yield* Effect.provideService(Stream.runCollect(following), FetchHttpClient.Fetch, fetch)
        })
      )
      assert.deepStrictEqual(
        events.map((event) => (event._tag === "Block" ? event.block.number : event.from)),
        [9n, 10n]
      )
      assert.deepStrictEqual(asked, ["/v2/blocks/stub?limit=1", "http://stub.test/live/blocks/stub?after=8-0xaa"])
    })
  )

  it.effect("follows a chain by pages where the service has no live stream", () =>
    Effect.gen(function* () {
      const { asked, provided } = serving(3)
      const options = { retry: { attempts: 1 } }
      const error = yield* Effect.flip(
        provided(
          Stream.runDrain(BlocksStream.liveBlockPages({ blockchain: "stub", pollEvery: Duration.zero }, options))
        )
      )
      assert.strictEqual(error._tag, "TransportError")
      assert.deepStrictEqual(
        asked.map((path) => path.split("?")[0]),
        ["/v2/blocks/stub", "/live/blocks/stub", "/v2/blocks/stub"]
      )
    })
  )
})
