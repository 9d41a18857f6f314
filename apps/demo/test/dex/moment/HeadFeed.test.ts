import { Blocks } from "@chaintape/blocks"
import { Client } from "@chaintape/core"
import { afterEach, assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { followHead } from "../../../src/dex/moment/HeadFeed.ts"

const globals = globalThis as unknown as { window?: { readonly fetch: () => Promise<object> } }

afterEach(() => {
  delete globals.window
})

const name = "uniswap-v3/devnet"

/** A service without live streams. */
const makeService = (state: "historical" | "realtime") => {
  const service = { newest: 100, indexed: 90, statusReads: 0, state }
  const toIndex = (indexed: number) => ({
    key: name,
    state: service.state,
    head: service.newest,
    indexed,
    lag: service.newest - indexed,
    proven: null,
    unproven: null,
    reorgs: 0,
    lastError: null
  })
  globals.window = {
    fetch: () => {
      service.statusReads += 1
      const indexes = [toIndex(service.indexed)]
      const status = { startedAt: 0, now: 0, ready: true, sources: [], indexes, recordings: [] }
      return Promise.resolve({ json: () => Promise.resolve(status) })
    }
  }
  return service
}

const toBlock = (number: number) => ({
  number: String(number),
  timestamp: String(number * 1000),
  size: "100",
  gasLimit: "30000",
  gasUsed: "1",
  totalDifficulty: "",
  author: "0x0"
})

const blocksOf = (service: { readonly newest: number }) =>
  Blocks.layerNoDeps.pipe(
    Layer.provide(Client.layerNoDeps({ baseUrl: "http://127.0.0.1:1" })),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request, { pathname, searchParams }) =>
          Effect.sync(() => {
            if (pathname.startsWith("/live/")) {
              return HttpClientResponse.fromWeb(request, new Response(null, { status: 404 }))
            }
            const newest = Number(searchParams.get("block") ?? service.newest)
            const count = Number(searchParams.get("limit"))
            const blocks = Array.from({ length: count }, (_, index) => toBlock(newest - index))
            const headers = {
              "content-type": "application/json",
              "chaintape-as-of": `number=${newest}, hash="0x${newest}", finalized=?0, proven=?0`
            }
            return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(blocks), { headers }))
          })
        )
      )
    )
  )

const second = (service: { newest: number; indexed: number }, indexed: number) =>
  Effect.gen(function* () {
    yield* TestClock.adjust("1 second")
    service.newest += 3
    service.indexed += indexed
  })

const follow = Effect.fnUntraced(function* (service: ReturnType<typeof makeService>) {
  const heads: Array<number | undefined> = []
  yield* Stream.runForEach(followHead(name, "devnet"), ({ head }) => Effect.sync(() => heads.push(head))).pipe(
    Effect.provide(blocksOf(service)),
    Effect.forkChild
  )
  return heads
})

describe("the head of a deployment", () => {
  it.effect("is the newest block of an index that is far behind its chain, read once for each group of blocks", () =>
    Effect.gen(function* () {
      const service = makeService("historical")
      const heads = yield* follow(service)
      yield* Effect.repeat(second(service, 1), { times: 19 })
      assert.strictEqual(heads[0], 90)
      const last = heads.at(-1) ?? 0
      assert.isAtMost(last, service.indexed)
      assert.isAtLeast(last, service.indexed - 5)
      assert.lengthOf(heads, service.statusReads)
      assert.isAtLeast(service.statusReads, 5)
      assert.isAtMost(service.statusReads, 11)
    })
  )

  it.effect("is that of the chain once its index follows the chain, and the status is read no more", () =>
    Effect.gen(function* () {
      const service = makeService("historical")
      const heads = yield* follow(service)
      yield* Effect.repeat(second(service, 6), { times: 9 })
      service.state = "realtime"
      yield* Effect.repeat(second(service, 3), { times: 9 })
      const reads = service.statusReads
      yield* Effect.repeat(second(service, 3), { times: 9 })
      assert.strictEqual(service.statusReads, reads)
      assert.isAtLeast(heads.at(-1) ?? 0, service.newest - 12)
    })
  )
})
