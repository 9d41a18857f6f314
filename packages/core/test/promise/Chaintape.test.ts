import { inspect } from "node:util"
import { UnexpectedResponse } from "@chaintape/core"
import {
  BlocksStream,
  CexStream,
  type Chaintape,
  createClient,
  InvalidParameter,
  MarketNotFound
} from "@chaintape/core/promise"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

interface Seen {
  readonly url: URL
  readonly signal: AbortSignal | null | undefined
}

/** A client whose requests a function answers, and its requests. */
const over = (answer: (url: URL) => Response | Promise<Response>) => {
  const seen: Array<Seen> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    seen.push({ url, signal: init?.signal })
    return answer(url)
  }
  const chaintape = createClient({
    baseUrl: "http://stub.test",
    apiKey: "canary-7f3a",
    apiKeyLocation: "both",
    retry: { attempts: 1 },
    fetch
  })
  return { chaintape, seen }
}

const trade = { id: "1", timestamp: "1767323045678", price: 50_000.5, size: 0.1, cost: 5000.05, side: "buy" }
const lastTrade = { exchange: "stub", market: "BTC/USD", ...trade }

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it was resolved"),
    (error: unknown) => error
  )

/** Never responds; rejects as `fetch` does when its signal is aborted. */
const silent = (signals: ReadonlyArray<Seen>) => () =>
  new Promise<Response>((_, reject) => {
    signals.at(-1)?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")))
  })

const silentClient = () => {
  const held: { seen: ReadonlyArray<Seen> } = { seen: [] }
  const { chaintape, seen } = over(() => silent(held.seen)())
  held.seen = seen
  return { chaintape, seen }
}

const times = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 }))
const place = { exchange: "stub", market: "BTC/USD" }

describe("a client made by createClient", () => {
  it("answers the value, its times as Dates", async () => {
    const { chaintape } = over(() => Response.json({ exchange: "stub", market: "BTC/USD", trades: [trade] }))
    const { trades } = await chaintape.cex.trades(place)
    const { cost, price, size } = trade
    assert.deepEqual<unknown>(trades, [
      {
        ...trade,
        timestamp: new Date(1_767_323_045_678),
        price: String(price),
        size: String(size),
        cost: String(cost)
      }
    ])
  })

  it("answers what the headers say, and undefined for what they do not", async () => {
    const headers = {
      "chaintape-coverage": "complete=?0, from=1, to=9, unproven=(3 4 7 7)",
      "chaintape-as-of": 'number=12, hash="0xab", finalized=?0'
    }
    const { chaintape } = over(() => Response.json({ exchange: "stub", market: "BTC/USD", trades: [] }, { headers }))
    const answer = await chaintape.cex.withResponse.trades(place)
    assert.deepStrictEqual(answer.coverage, {
      state: "incomplete",
      from: new Date(1),
      to: new Date(9),
      unproven: [
        { from: new Date(3), to: new Date(4) },
        { from: new Date(7), to: new Date(7) }
      ]
    })
    assert.deepStrictEqual(answer.asOf, { number: 12n, hash: "0xab", finalized: false, proven: false })
    assert.isUndefined(answer.source)
    assert.isUndefined(answer.candleClosed)
  })

  it("needs no argument for an operation without required parameters", async () => {
    const { chaintape } = over(({ pathname }) =>
      pathname === "/ping" ? Response.json({ ping: "pong", ip: "::1" }) : Response.json([{ id: "a", name: "A" }])
    )
    assert.strictEqual((await chaintape.ping()).ip, "::1")
    assert.deepStrictEqual(
      (await chaintape.cex.exchanges()).map(({ id }) => id),
      ["a"]
    )
    assert.lengthOf(await chaintape.blocks.blockchains(), 1)
  })

  it.each(["BTC/USD", "BTC-USD", "btc/usd", "btc-usd"])("takes the market %s", async (market) => {
    const { chaintape, seen } = over(() => Response.json(lastTrade))
    await chaintape.cex.lastTrade({ exchange: "stub", market })
    assert.strictEqual(seen[0]?.url.pathname.toUpperCase(), "/V2/CEX/STUB/BTC-USD/LASTTRADE")
  })

  it("takes an address in any letter case", async () => {
    const { chaintape, seen } = over(() => Response.json({ pool: `0x${"ab".repeat(20)}` }))
    const address = `0x${"Ab".repeat(20)}`
    await chaintape.dex.poolTrades({ exchange: "x", blockchain: "y", pool: address })
    assert.include(seen[0]?.url.pathname, `/pool/0x${"ab".repeat(20)}/trades`)
  })

  const sameTimes = [
    new Date(1_767_323_045_678),
    1_767_323_045_678,
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T04:04:05.678+01:00"
  ]
  it.each(sameTimes)("takes the time %o", async (since) => {
    const { chaintape, seen } = over(() => Response.json({ exchange: "stub", market: "BTC/USD", trades: [] }))
    await chaintape.cex.trades({ ...place, since })
    assert.strictEqual(seen[0]?.url.searchParams.get("since"), "1767323045678")
  })

  it.each([12, 12n])("takes the number of a block as %o", async (block) => {
    const { chaintape, seen } = over(() => Response.json([]))
    await chaintape.dex.pools({ exchange: "x", blockchain: "y", block })
    assert.strictEqual(seen[0]?.url.searchParams.get("block"), "12")
  })

  it.effect.prop("sends every Date as its milliseconds", [times], ([time]) =>
    Effect.promise(async () => {
      const { chaintape, seen } = over(() => Response.json({ exchange: "stub", market: "BTC/USD", trades: [] }))
      await chaintape.cex.trades({ ...place, since: new Date(time) })
      assert.strictEqual(seen[0]?.url.searchParams.get("since"), String(time))
    })
  )

  const mistakes: ReadonlyArray<readonly [string, string, (chaintape: Chaintape) => Promise<unknown>]> = [
    ["market", '"BTC"', ({ cex }) => cex.lastTrade({ exchange: "stub", market: "BTC" })],
    ["since", "Invalid Date", ({ cex }) => cex.trades({ ...place, since: new Date("never") })],
    ["pool", '"0x12"', ({ dex }) => dex.pool({ exchange: "x", blockchain: "y", pool: "0x12" })],
    ["limit", "50,000", ({ cex }) => cex.trades({ ...place, limit: 50_001 })]
  ]
  it.each(mistakes)("rejects a wrong %s before it sends anything", async (parameter, says, read) => {
    const { chaintape, seen } = over(() => Response.json({}))
    const error = await rejection(read(chaintape))
    assert.instanceOf(error, InvalidParameter)
    if (!(error instanceof InvalidParameter)) return
    assert.deepStrictEqual(
      error.issues.map((issue) => issue.parameter),
      [parameter]
    )
    assert.include(error.message, says)
    assert.lengthOf(seen, 0)
  })

  const time = "a time since 1970: a Date, Unix milliseconds, an ISO 8601 text or a DateTime"
  const refusals: ReadonlyArray<readonly [string, (chaintape: Chaintape) => object, unknown, string]> = [
    [
      "exchange",
      ({ cex }) => cex.lastTrade,
      { market: "BTC/USD" },
      "it is missing: it must be a text that is not empty"
    ],
    ["exchange", ({ cex }) => cex.lastTrade, undefined, "it is missing: it must be a text that is not empty"],
    [
      "market",
      ({ cex }) => cex.lastTrade,
      { exchange: "stub" },
      "it is missing: it must be BASE/QUOTE, such as BTC/USD"
    ],
    [
      "market",
      ({ cex }) => cex.lastTrade,
      { exchange: "stub", market: "BTC" },
      '"BTC" can\'t be sent: it must be BASE/QUOTE, such as BTC/USD'
    ],
    [
      "limt",
      ({ cex }) => cex.trades,
      { ...place, limt: 3 },
      "it is not a parameter here: allowed are exchange, market, limit, since"
    ],
    [
      "toString",
      ({ cex }) => cex.trades,
      { ...place, toString: "x" },
      "it is not a parameter here: allowed are exchange, market, limit, since"
    ],
    [
      "exchange",
      ({ cex }) => cex.lastTrade,
      { ...place, exchange: { toString: "x" } },
      '"object" can\'t be sent: it must be a text that is not empty'
    ],
    ["limit", ({ cex }) => cex.exchanges, { limit: 3 }, "it is not a parameter here: allowed are none"],
    [
      "since",
      ({ cex }) => cex.trades,
      { ...place, since: -1 },
      `"DateTime.Utc(1969-12-31T23:59:59.999Z)" can't be sent: it must be ${time}`
    ],
    [
      "since",
      ({ cex }) => cex.trades,
      { ...place, since: "1767323045678" },
      `"1767323045678" can't be sent: it must be ${time}`
    ],
    [
      "since",
      ({ cex }) => cex.trades,
      { ...place, since: new Date("never") },
      `"Invalid Date" can't be sent: it must be ${time}`
    ]
  ]
  it.each(refusals)(
    "says what is wrong with %s before it sends anything",
    async (parameter, read, request, message) => {
      const { chaintape, seen } = over(() => Response.json({}))
      const error = await rejection(Reflect.apply(Object(read(chaintape)), undefined, [request]))
      assert.instanceOf(error, InvalidParameter)
      assert.deepInclude(error, { detail: `Parameter "${parameter}": ${message}.`, issues: [{ parameter, message }] })
      assert.lengthOf(seen, 0)
    }
  )

  it("takes members that are undefined for members that are not there", async () => {
    const { chaintape, seen } = over(() => Response.json(lastTrade))
    const request: typeof place = Object.assign({ limit: undefined }, place)
    await chaintape.cex.lastTrade(request)
    assert.lengthOf(seen, 1)
  })

  it("says which page size a stream can't have", async () => {
    const { chaintape, seen } = over(() => Response.json({}))
    const pages = {
      trades: { ...place, since: new Date(0), pageSize: 50_001 },
      blocks: { blockchain: "y", pageSize: 0 }
    }
    for (const stream of [CexStream.trades(chaintape, pages.trades), BlocksStream.blocks(chaintape, pages.blocks)]) {
      const error = await rejection(stream[Symbol.asyncIterator]().next())
      assert.instanceOf(error, InvalidParameter)
      assert.match(String(error), /Parameter "pageSize": "\d+" can't be sent: it must be an integer from 1 to/)
      assert.nestedPropertyVal(error, "issues[0].parameter", "pageSize")
    }
    assert.lengthOf(seen, 0)
  })

  it("reports an invalid duration", async () => {
    const { chaintape, seen } = over(() => Response.json(lastTrade))
    const options = Object.assign({}, { deadline: 1 }, JSON.parse('{ "deadline": "5 parsecs" }'))
    const error = await rejection(chaintape.cex.lastTrade(place, options))
    assert.instanceOf(error, InvalidParameter)
    assert.include(String(error), 'deadline is "5 parsecs": it must be milliseconds, or a text such as "5 seconds"')
    const retry = JSON.parse('{ "maxDelay": "soon" }')
    assert.throws(
      () => createClient({ baseUrl: "http://stub.test", retry }),
      TypeError,
      'maxDelay is "soon": it must be'
    )
    assert.lengthOf(seen, 0)
  })

  it("is rejected with the problem itself", async () => {
    const body = {
      type: "/problems/market-not-found",
      title: "Market not found",
      status: 404,
      detail: 'There is no "BTC/USD".',
      code: "market-not-found",
      exchange: "stub",
      market: "BTC/USD"
    }
    const { chaintape } = over(() => Response.json(body, { status: 404 }))
    const error = await rejection(chaintape.cex.lastTrade(place))
    assert.instanceOf(error, MarketNotFound)
    assert.instanceOf(error, Error)
    assert.deepInclude(error, { _tag: "MarketNotFound", market: "BTC/USD", status: 404, code: "market-not-found" })
    assert.include(String(error), 'There is no "BTC/USD".')
  })

  it("is rejected with the same client errors as the Effect client", async () => {
    const { chaintape } = over(() => new Response("<html>", { status: 200 }))
    const error = await rejection(chaintape.cex.lastTrade(place))
    assert.instanceOf(error, UnexpectedResponse)
    assert.deepInclude(error, { operation: "cex.lastTrade", attempts: 1, status: 200 })
  })

  it("is rejected with the reason of its signal, and ends the request", async () => {
    const { chaintape, seen } = silentClient()
    const controller = new AbortController()
    const rejected = rejection(chaintape.cex.lastTrade(place, { signal: controller.signal }))
    await new Promise((resolve) => setImmediate(resolve))
    assert.lengthOf(seen, 1)
    assert.isFalse(seen[0]?.signal?.aborted)
    const reason = new Error("no longer wanted")
    controller.abort(reason)
    assert.strictEqual(await rejected, reason)
    assert.isTrue(seen[0]?.signal?.aborted)
  })

  it("is rejected with an AbortError where the signal names no reason", async () => {
    const { chaintape } = silentClient()
    const controller = new AbortController()
    const rejected = rejection(chaintape.cex.lastTrade(place, { signal: controller.signal }))
    controller.abort()
    const error = await rejected
    assert.instanceOf(error, DOMException)
    assert.deepInclude(error, { name: "AbortError" })
  })

  it("sends nothing where the signal is aborted already", async () => {
    const { chaintape, seen } = over(() => Response.json(lastTrade))
    const reason = new Error("too late")
    assert.strictEqual(await rejection(chaintape.cex.lastTrade(place, { signal: AbortSignal.abort(reason) })), reason)
    assert.lengthOf(seen, 0)
  })

  it("shares one request among equal calls, of which each can be aborted by itself", async () => {
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
    const { chaintape, seen } = over(async () => {
      await isLeft
      return Response.json(lastTrade)
    })
    const controller = new AbortController()
    const aborted = rejection(chaintape.cex.lastTrade(place, { signal: controller.signal }))
    const answered = chaintape.cex.lastTrade(place)
    await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error("no longer wanted"))
    assert.strictEqual(String(await aborted), "Error: no longer wanted")
    leave()
    assert.strictEqual((await answered).id, "1")
    assert.lengthOf(seen, 1)
  })

  it("tries as often as the call says", async () => {
    const { chaintape, seen } = over(() => new Response("", { status: 502 }))
    const nothing: object = { deadline: undefined, retryBudget: undefined }
    const retry = { ...nothing, attempts: 3, firstDelay: 1 }
    const error = await rejection(chaintape.cex.lastTrade(place, { retry }))
    assert.deepInclude(error, { _tag: "UnexpectedResponse", status: 502 })
    assert.lengthOf(seen, 3)
  })

  it("ends one call by its deadline, in milliseconds or words", async () => {
    const { chaintape } = silentClient()
    for (const deadline of [20, "20 millis"] as const) {
      const error = await rejection(chaintape.cex.lastTrade(place, { deadline }))
      assert.deepInclude(error, { _tag: "RequestTimeout", limit: "deadline", milliseconds: 20 })
    }
  })

  it("sends its key only to the service", async () => {
    const { chaintape, seen } = over(({ href }) => new Response(`<p>${href}</p>`, { status: 502 }))
    const error = await rejection(chaintape.cex.lastTrade(place))
    assert.strictEqual(seen[0]?.url.searchParams.get("apiKey"), "canary-7f3a")
    for (const text of [inspect(chaintape, { depth: 20, showHidden: true }), inspect(error, { depth: 20 })]) {
      assert.notInclude(text, "canary-7f3a")
    }
    assert.notInclude(JSON.stringify([chaintape, error]), "canary-7f3a")
  })

  it("is not made with a wrong address", () => {
    for (const baseUrl of [
      "127.0.0.1",
      "localhost:3000",
      "ftp://127.0.0.1",
      "http://127.0.0.1:3000/?tape=1",
      "http://127.0.0.1:3000/#tape"
    ]) {
      assert.throws(() => createClient({ baseUrl }), TypeError, `"${baseUrl}": it must be an address such as`)
    }
  })
})
