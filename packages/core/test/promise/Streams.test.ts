import { Readable } from "node:stream"
import {
  BlocksStream,
  CexStream,
  BlockReplaced,
  createClient,
  InvalidCursor,
  MarketNotFound
} from "@chaintape/core/promise"
import { assert, describe, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const market = "BTC/USD"

/** Ten trades each millisecond. */
const tape = Array.from({ length: 300 }, (_, index) => ({
  id: `t${index}`,
  timestamp: String(Math.floor(index / 10)),
  price: 100 + index,
  size: 1,
  cost: 100 + index,
  side: "buy"
}))

interface Stub {
  readonly fetch: typeof globalThis.fetch
  readonly seen: ReadonlyArray<{ readonly url: URL; readonly signal: AbortSignal | null | undefined }>
}

/** A service whose responses a function makes; undefined is a response that never comes. */
const stub = (answer: (url: URL, count: number) => Response | undefined): Stub => {
  const seen: Array<{ readonly url: URL; readonly signal: AbortSignal | null | undefined }> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    seen.push({ url, signal: init?.signal })
    const response = answer(url, seen.length)
    if (response !== undefined) return response
    return new Promise((_, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
    })
  }
  return { fetch, seen }
}

const page = ({ searchParams }: URL): Response => {
  const since = Number(searchParams.get("since"))
  const trades = tape.filter(({ timestamp }) => Number(timestamp) >= since).slice(0, Number(searchParams.get("limit")))
  return Response.json({ exchange: "stub", market, trades })
}

const over = ({ fetch }: Stub) => createClient({ baseUrl: "http://stub.test", retry: { attempts: 1 }, fetch })

const request = { exchange: "stub", market, since: new Date(0) }
const problem = { type: "/problems/market-not-found", title: "t", status: 404, detail: "d", code: "market-not-found" }

const rejection = async (reading: () => Promise<unknown>): Promise<unknown> => {
  try {
    await reading()
  } catch (error) {
    return error
  }
  return assert.fail("it was resolved")
}

const pageSizes = Schema.Int.check(Schema.isBetween({ minimum: 11, maximum: 400 }))

describe("a stream of the promise client", () => {
  it.effect.prop("holds every trade once, whatever the page size", [pageSizes], ([pageSize]) =>
    Effect.promise(async () => {
      const chaintape = over(stub(page))
      const ids: Array<string> = []
      for await (const trade of CexStream.trades(chaintape, { ...request, pageSize })) {
        assert.instanceOf(trade.timestamp, Date)
        ids.push(trade.id)
      }
      assert.deepStrictEqual(
        ids,
        tape.map(({ id }) => id)
      )
    })
  )

  it("continues from the cursor of a page", async () => {
    const chaintape = over(stub(page))
    const ids: Array<string> = []
    let cursor: string | undefined
    for await (const read of CexStream.tradePages(chaintape, { ...request, pageSize: 50 })) {
      ids.push(...read.trades.map(({ id }) => id))
      cursor = read.cursor
      if (ids.length > 100) break
    }
    assert.isBelow(ids.length, 300)
    for await (const { id } of CexStream.trades(chaintape, { ...request, pageSize: 70, cursor })) ids.push(id)
    assert.deepStrictEqual(
      ids,
      tape.map(({ id }) => id)
    )
  })

  it("starts again with each loop", async () => {
    const trades = CexStream.trades(over(stub(page)), request)
    const counts: Array<number> = []
    for (let loop = 0; loop < 2; loop++) {
      let count = 0
      for await (const _trade of trades) count++
      counts.push(count)
    }
    assert.deepStrictEqual(counts, [tape.length, tape.length])
  })

  it("reads no page before its first trade is wanted, and none after the loop is left", async () => {
    const service = stub(page)
    const chaintape = over(service)
    const trades = CexStream.trades(chaintape, { ...request, pageSize: 50 })
    const pages = () => service.seen.filter(({ url }) => url.searchParams.get("limit") === "50")
    // When another call has its response, a page that was wanted before it is requested.
    const otherCall = () => chaintape.cex.trades({ ...request, limit: 1 })
    await otherCall()
    assert.lengthOf(pages(), 0)
    let count = 0
    for await (const _trade of trades) {
      count++
      if (count === 25) await otherCall()
      assert.lengthOf(pages(), 1)
      if (count === 50) break
    }
    await otherCall()
    assert.lengthOf(pages(), 1)
  })

  it("ends the request that is under way with its signal, and is rejected with the reason", async () => {
    const controller = new AbortController()
    const reason = new Error("enough")
    const service = stub((url, count) => {
      if (count === 1) return page(url)
      // As soon as the request is in flight.
      queueMicrotask(() => controller.abort(reason))
      return undefined
    })
    const chaintape = over(service)
    let count = 0
    const error = await rejection(async () => {
      const trades = CexStream.trades(chaintape, { ...request, pageSize: 50 }, { signal: controller.signal })
      for await (const _trade of trades) count++
    })
    assert.strictEqual(error, reason)
    assert.strictEqual(count, 50)
    assert.lengthOf(service.seen, 2)
    assert.isTrue(service.seen[1]?.signal?.aborted)
  })

  it("ends the request that is under way where a program ends it without a signal", async () => {
    const service = stub(() => undefined)
    // As `Readable.from` and `ReadableStream.from` do where they are destroyed.
    const iterator = CexStream.trades(over(service), request)[Symbol.asyncIterator]()
    const next = iterator.next()
    await vi.waitFor(() => assert.lengthOf(service.seen, 1))
    await iterator.return?.()
    assert.deepStrictEqual(await next, { done: true, value: undefined })
    assert.isTrue(service.seen[0]?.signal?.aborted)
  })

  it("also ends it when a pipeline that reads the stream fails", async () => {
    const service = stub(() => undefined)
    const readable = Readable.from(CexStream.trades(over(service), request)).on("error", () => {})
    readable.resume()
    await vi.waitFor(() => assert.lengthOf(service.seen, 1))
    readable.destroy(new Error("The disk is full"))
    await vi.waitFor(() => assert.isTrue(service.seen[0]?.signal?.aborted))
  })

  it("gives nothing more of a page once its signal is aborted", async () => {
    const chaintape = over(stub(page))
    const controller = new AbortController()
    let count = 0
    const error = await rejection(async () => {
      for await (const _trade of CexStream.trades(chaintape, request, { signal: controller.signal })) {
        count++
        if (count === 3) controller.abort(new Error("enough"))
      }
    })
    assert.strictEqual(String(error), "Error: enough")
    assert.strictEqual(count, 3)
  })

  it("is rejected with the problem itself", async () => {
    const chaintape = over(stub(() => Response.json({ ...problem, exchange: "stub", market }, { status: 404 })))
    const error = await rejection(async () => {
      for await (const _trade of CexStream.trades(chaintape, request)) assert.fail("there is none")
    })
    assert.instanceOf(error, MarketNotFound)
  })

  it("is rejected where the cursor is none of its own", async () => {
    const chaintape = over(stub(page))
    const error = await rejection(async () => {
      for await (const _trade of CexStream.trades(chaintape, { ...request, cursor: "nonsense" }))
        assert.fail("there is none")
    })
    assert.instanceOf(error, InvalidCursor)
  })

  it("waits for the given time between its requests once it is live", async () => {
    const service = stub(page)
    const chaintape = over(service)
    const live = { ...request, live: true, pollEvery: 5, settle: "1 second", pageSize: 400 } as const
    const times: Array<number> = []
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
    try {
      const reading = (async () => {
        for await (const _page of CexStream.tradePages(chaintape, live)) {
          times.push(Date.now())
          if (times.length === 4) break
        }
      })()
      // Everything else runs before a millisecond has passed.
      for (let gone = 0; times.length < 4 && gone < 4000; gone++) {
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
        vi.advanceTimersByTime(1)
      }
      await reading
    } finally {
      vi.useRealTimers()
    }
    // Once it also requests a live stream, which does not exist.
    const kinds = service.seen.map(({ url }) => url.pathname.split("/")[1])
    assert.deepStrictEqual(kinds, ["v2", "live", "v2", "v2", "v2"])
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    assert.deepStrictEqual(waits, [5, 5, 5])
  })

  const chain = (reorgAfter: number) =>
    stub(({ pathname, searchParams }, count) => {
      const skip = Number(searchParams.get("skip") ?? 0)
      const rows = Array.from({ length: 25 }, (_, number) => ({
        number: String(number),
        timestamp: "1",
        size: "1",
        gasLimit: "1",
        gasUsed: "1",
        totalDifficulty: "",
        author: "0x"
      })).reverse()
      assert.include(pathname, "/v2/blocks/devnet")
      const hash = count > reorgAfter ? "0xbb" : "0xaa"
      return Response.json(rows.slice(skip, skip + Number(searchParams.get("limit"))), {
        headers: { "chaintape-as-of": `number=24, hash="${hash}", finalized=?0` }
      })
    })

  it("reads lists as of one block, and fails if a reorg replaces it", async () => {
    const numbers: Array<bigint> = []
    const chaintape = over(chain(Infinity))
    for await (const { number, totalDifficulty } of BlocksStream.blocks(chaintape, {
      blockchain: "devnet",
      pageSize: 4
    })) {
      assert.isUndefined(totalDifficulty)
      numbers.push(number)
    }
    assert.deepStrictEqual(
      numbers,
      Array.from({ length: 25 }, (_, at) => BigInt(24 - at))
    )
    const error = await rejection(async () => {
      for await (const _page of BlocksStream.blockPages(over(chain(2)), { blockchain: "devnet", pageSize: 4 })) continue
    })
    assert.instanceOf(error, BlockReplaced)
  })

  /** A response whose body is these events, and which then stays open until it is cancelled. */
  const live = (...events: ReadonlyArray<readonly [name: string, id: string, data: object]>) => {
    const texts = events.map(([name, id, data]) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
    const { promise: cancelled, resolve } = Promise.withResolvers<void>()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(texts.join(""))),
      cancel: () => resolve()
    })
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } })
    return { response, cancelled }
  }

  it("brings trades as they happen, over the fetch of the client, and ends the connection with the loop", async () => {
    const [first, second] = [tape[298], tape[299]]
    const wire = live(
      ["open", "s0", {}],
      ["trade", "a1", first ?? {}],
      ["trade", "a2", second ?? {}],
      ["trade", "a3", { ...second, id: "new", timestamp: "30" }]
    )
    const service = stub((url) => (url.pathname.startsWith("/live/") ? wire.response : page(url)))
    const ids: Array<string> = []
    for await (const { id } of CexStream.trades(over(service), { ...request, live: true })) {
      ids.push(id)
      if (ids.length === 301) break
    }
    assert.deepStrictEqual(ids, [...tape.map(({ id }) => id), "new"])
    assert.deepStrictEqual(
      service.seen.map(({ url }) => url.pathname),
      ["/v2/cex/stub/BTC-USD/trades", "/live/cex/stub/BTC-USD/trades"]
    )
    await wire.cancelled
  })

  it("opens a connection for each of several equal streams that begin at once", async () => {
    const pages = chain(Infinity)
    let opened = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (!String(input).includes("/live/")) return pages.fetch(input, init)
      opened++
      return live(["open", "24-0xaa", {}]).response
    }
    const chaintape = createClient({ baseUrl: "http://stub.test", fetch })
    const blocks = BlocksStream.liveBlocks(chaintape, { blockchain: "devnet", pollEvery: "1 hour" })
    const iterators = [1, 2, 3].map(() => blocks[Symbol.asyncIterator]())
    const elements = Promise.all(iterators.map((iterator) => iterator.next()))
    await vi.waitFor(() => assert.strictEqual(opened, 3))
    // They share the read of the head.
    assert.lengthOf(pages.seen, 1)
    await Promise.all(iterators.map((iterator) => iterator.return?.()))
    await elements
  })

  it("ends a connection with its signal while no element is requested", async () => {
    const wire = live(["open", "s0", {}], ["trade", "new", { ...tape[299], id: "new", timestamp: "30" }])
    const service = stub((url) => (url.pathname.startsWith("/live/") ? wire.response : page(url)))
    const controller = new AbortController()
    const trades = CexStream.trades(over(service), { ...request, live: true }, { signal: controller.signal })
    const iterator = trades[Symbol.asyncIterator]()
    let last = await iterator.next()
    while (last.value?.id !== "new") last = await iterator.next()
    const reason = new Error("enough")
    controller.abort(reason)
    let isOver = false
    void wire.cancelled.then(() => (isOver = true))
    await vi.waitFor(() => assert.isTrue(isOver))
    assert.strictEqual(await rejection(() => iterator.next()), reason)
  })

  it("follows a chain, and ends the connection with its signal", async () => {
    const block = {
      number: "25",
      timestamp: "1",
      size: "1",
      gasLimit: "1",
      gasUsed: "1",
      totalDifficulty: "",
      author: "0x"
    }
    const wire = live(
      ["open", "24-0xaa", {}],
      ["block", "25-0xab", block],
      ["reorg", "24-0xaa", { from: 25, commonAncestor: { number: 24, hash: "0xaa" } }]
    )
    const pages = chain(Infinity)
    const fetch: typeof globalThis.fetch = async (input, init) =>
      String(input).includes("/live/blocks/devnet?after=24-0xaa") ? wire.response : pages.fetch(input, init)
    const controller = new AbortController()
    const events: Array<unknown> = []
    const error = await rejection(async () => {
      const chaintape = createClient({ baseUrl: "http://stub.test", fetch })
      for await (const event of BlocksStream.liveBlocks(
        chaintape,
        { blockchain: "devnet" },
        { signal: controller.signal }
      )) {
        events.push(event)
        if (events.length === 2) setImmediate(() => controller.abort(new Error("enough")))
      }
    })
    assert.strictEqual(String(error), "Error: enough")
    assert.deepStrictEqual(events, [
      {
        _tag: "Block",
        block: {
          number: 25n,
          timestamp: new Date(1000),
          size: 1n,
          gasLimit: 1n,
          gasUsed: 1n,
          totalDifficulty: undefined,
          author: "0x"
        }
      },
      { _tag: "Reorg", from: 25n, commonAncestor: { number: 24n, hash: "0xaa" } }
    ])
    await wire.cancelled
  })
})
